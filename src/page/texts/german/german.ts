/**
 * German: all its texts. They address no one, neither with du nor with Sie.
 *
 * access link = Zugangslink, agent = Agent, approve = genehmigen, block = Block, collection = Sammlung, daily note =
 * Tagesnotiz, document = Dokument, folder = Ordner, handle = Kürzel, history = Verlauf, item and row = Zeile, member =
 * Mitglied, proposal and suggestion = Vorschlag, reminder = Erinnerung, space = Bereich, tag = Schlagwort, task =
 * Aufgabe, trash = Papierkorb, view = Ansicht
 */
import { GERMAN_ACCESS } from './german-access.ts'
import { GERMAN_CALLS } from './german-calls.ts'
import { GERMAN_COLLECTIONS } from './german-collections.ts'
import { GERMAN_DOCUMENTS } from './german-documents.ts'
import { GERMAN_EDITOR } from './german-editor.ts'
import { GERMAN_FRAME } from './german-frame.ts'
import { GERMAN_REFUSALS } from './german-refusals.ts'
import { GERMAN_SCRIPTS } from './german-scripts.ts'
import { GERMAN_SHARING } from './german-sharing.ts'
import { GERMAN_SUGGESTIONS } from './german-suggestions.ts'
import { GERMAN_TASKS } from './german-tasks.ts'
import { GERMAN_TRANSFERS } from './german-transfers.ts'

/** By area. A text that stands in several areas is in one of them. */
export const GERMAN_AREAS: readonly Readonly<Record<string, string>>[] = [
  GERMAN_ACCESS,
  GERMAN_CALLS,
  GERMAN_COLLECTIONS,
  GERMAN_DOCUMENTS,
  GERMAN_FRAME,
  GERMAN_REFUSALS,
  GERMAN_SHARING,
  GERMAN_SUGGESTIONS,
  GERMAN_TASKS,
  GERMAN_TRANSFERS,
]

/** An ellipsis behind a word stands apart from it, and on the same line. */
const unbroken = (text: string): string => text.replaceAll(' …', '\u00a0…')

const catalogOf = (areas: readonly Readonly<Record<string, string>>[]): ReadonlyMap<string, string> =>
  new Map(
    areas.flatMap((area) => Object.entries(area).map(([english, german]) => [english, unbroken(german)] as const)),
  )

/** By the English text. */
export const GERMAN: ReadonlyMap<string, string> = catalogOf(GERMAN_AREAS)

/** What scripts say in the browser. It has all of it, also what stands on pages as well. */
export const GERMAN_SCRIPT_AREAS: readonly Readonly<Record<string, string>>[] = [GERMAN_EDITOR, GERMAN_SCRIPTS]
export const GERMAN_SCRIPT_TEXTS: ReadonlyMap<string, string> = catalogOf(GERMAN_SCRIPT_AREAS)
