/**
 * Plans notes of other programs that are translated to our Markdown: they are read like the notes of a folder, and what is
 * reported names the file and line of the source.
 */
import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import type { Block } from '../markdown/block.ts'
import type { ConvertedDocument, ImportPlan, LinkTargets, PlannedDocument, PlanOptions } from './import-format.ts'
import type { ImportProblem, ImportSource, SourceFile } from './import-source.ts'
import { type NoteHeads, planNotes } from './markdown/markdown-format.ts'
import type { NoteHead } from './markdown/source-entries.ts'
import type { VaultSettings } from './markdown/vault-settings.ts'

/** What a translation reports, with a line of the source. */
export type TranslationProblem = Omit<ImportProblem, 'path'>

export interface Translation {
  text: string
  /** For each line of the text, the number of the line that it was made from; 0 for none. Missing if lines are the same. */
  lines?: readonly number[]
  problems: readonly TranslationProblem[]
}

export interface TranslatedNote extends NoteHead {
  /** Identifies it in the source: links of the translated notes name it Its extension says what it is translated to: Markdown, HTML or text. */
  path: string
  /** What the report names in its place. */
  shownPath: string
  createdAt?: number | undefined
  modifiedAt?: number | undefined
  /** Changes whenever anything else changes that the document shows. */
  stamp?: string
  /** Adds to the document what is no text of the note. */
  adjust?(document: ConvertedDocument): ConvertedDocument
  /** @throws Error if it cannot be read */
  translate(): Promise<Translation>
}

/** @param files  files that notes may show or link to */
export async function planTranslated(
  source: ImportSource,
  notes: readonly TranslatedNote[],
  files: readonly SourceFile[],
  { vault, ...options }: PlanOptions & { vault?: VaultSettings | undefined } = {},
): Promise<ImportPlan> {
  const byPath = new Map(notes.map((note) => [note.path, note]))
  const translations = new Map<string, Translation>()
  const translated = notes.map((note) => fileOf(note, translations))
  const heads: NoteHeads = byPath
  const plan = await planNotes({ ...source, files: [...translated, ...files] }, vault, options, heads)
  const shown = (problem: ImportProblem): ImportProblem => {
    const line = problem.line === undefined ? undefined : translations.get(problem.path)?.lines?.[problem.line - 1]
    const path = byPath.get(problem.path)?.shownPath ?? problem.path
    const { line: _, ...unplaced } = problem
    return line === 0 ? { ...unplaced, path } : { ...problem, path, ...(line !== undefined && { line }) }
  }
  const documents = plan.documents.map((document): PlannedDocument => {
    const { path, anchors } = document
    return {
      ...{ path, anchors },
      ...{ fingerprint: (targets) => fingerprintOf(document, byPath.get(path), targets) },
      async convert(targets) {
        // An export writes the text of an unchanged note again. A translation is no such text.
        const { source: _, ...converted } = await document.convert(targets)
        const own = translations.get(path)?.problems ?? []
        const shownPath = byPath.get(path)?.shownPath ?? path
        const problems = [...converted.problems.map(shown), ...own.map((problem) => ({ ...problem, path: shownPath }))]
        translations.delete(path)
        const whole = { ...converted, problems }
        return byPath.get(path)?.adjust?.(whole) ?? whole
      },
    }
  })
  translations.clear()
  return { ...plan, documents, problems: plan.problems.map(shown) }
}

async function fingerprintOf(document: PlannedDocument, note: TranslatedNote | undefined, targets: LinkTargets) {
  const text = await document.fingerprint(targets)
  const more = note?.stamp === undefined ? '' : createHash('sha256').update(note.stamp).digest('base64')
  return `${text}${more}`
}

/** Puts the properties of a note before its text, as front matter. */
export function propertiesFirst(
  document: ConvertedDocument,
  values: Readonly<Record<string, unknown>>,
): ConvertedDocument {
  if (Object.keys(values).length === 0) return document
  const properties: Block = { type: 'code', text: stringify(values).trimEnd(), language: 'yaml' }
  return { ...document, blocks: [properties, ...document.blocks] }
}

function fileOf(note: TranslatedNote, translations: Map<string, Translation>): SourceFile {
  const { path, createdAt, modifiedAt, translate } = note
  async function* open() {
    const translation = await translate()
    translations.set(path, translation)
    yield Buffer.from(translation.text)
  }
  return {
    ...{ path, name: path.slice(path.lastIndexOf('/') + 1), size: 0, stamp: '', open },
    ...(createdAt !== undefined && { createdAt }),
    ...(modifiedAt !== undefined && { modifiedAt }),
  }
}

/** The translation of a text, with what its decoding has to report. */
export const noted = (translation: Translation, note: string | undefined): Translation =>
  note === undefined
    ? translation
    : { ...translation, problems: [{ kind: 'changed', message: note }, ...translation.problems] }

/** A path that wiki links can name: without the signs that mean something in one. */
export const linkablePath = (path: string): string =>
  path.replace(/[[\]#|^\\%\n]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A wiki link to a translated note. @param path  a {@link linkablePath} @param anchor  `#^` and the ID of a block, or empty */
export function linkTo(
  path: string,
  anchor: string,
  label: string,
  { isEmbed = false, isInTable = false } = {},
): string {
  const shown = label.replace(/[[\]|\n]+/g, ' ').trim() || 'Note'
  return `${isEmbed ? '!' : ''}[[/${path}${anchor}${isInTable ? '\\|' : '|'}${shown}]]`
}
