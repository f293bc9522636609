/**
 * German: all its texts. They address no one: neither with du nor with Sie.
 *
 * access link = Zugangslink, agent = Agent, block = Block, collection = Sammlung, document = Dokument, folder = Ordner,
 * item and row = Zeile, member = Mitglied, proposal = Vorschlag, reminder = Erinnerung, space = Bereich, suggestion =
 * Vorschlag, task = Aufgabe, trash = Papierkorb, view = Ansicht
 */
import { FRAME } from './frame.ts'

/** By the English text. A text that stands in several files is in one of them. */
export const GERMAN: ReadonlyMap<string, string> = new Map(Object.entries({ ...FRAME }))
