/** Keeps track of earlier imports from a source, and reserves IDs for content that is not written yet. */
import { documentsByNumbers } from '../../../storage/documents.ts'
import { importedRows, importSourceNumber, insertImported, insertImportSource } from '../../../storage/imports.ts'
import type { DocumentRow, ImportedRow } from '../../../storage/schema.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'

/** A document or item of a source, with the anchors of the blocks in it that others link to. */
export interface PlannedEntry {
  path: string
  anchors: readonly string[]
  /** What it was made from, if that identifies it under another path. */
  content?: SourceContent
}

/** What a document is made from, as far as it does not depend on where that is. */
export interface SourceContent {
  /** A hash of the bytes of its file, or of all that it was made from where it has no file of its own. */
  hash: string
  /** See src/import/text-sketch.ts. Empty for what has no words. */
  sketch: string
}

/** An entry that was imported earlier. */
export interface ImportedEntry {
  id: number
  /** IDs of blocks by their anchors in links. */
  anchors: Map<string, number>
  hash: string | null
  revision: number | null
  /** What it was made from when it was written last. */
  content?: SourceContent
  /** Paths that its file had before. */
  former?: readonly string[]
  /** The document that contains the entry, in its current state. Missing if it has not been written yet. */
  document?: DocumentRow
}

/** All entries that were imported from one source. */
export interface ImportRecord {
  /** The number of the source; 0 if it has not been recorded. */
  source: number
  entries: Map<string, ImportedEntry>
}

/** How many rows one statement reads or writes: a few milliseconds of work. */
const ROWS_PER_BATCH = 1_000

/** Reads the record of the source with this name. */
export async function readImportRecord(space: Space, name: string): Promise<ImportRecord> {
  const source = await importSourceNumber(space.tx, name)
  return source === undefined ? { source: 0, entries: new Map() } : readRecordOf(space, source)
}

/** Reads the record of the source with this number. */
export async function readRecordOf(space: Space, source: number): Promise<ImportRecord> {
  const entries = new Map<string, ImportedEntry>()
  const rows: ImportedRow[] = []
  for (let after = 0; ; ) {
    const part = await importedRows(space.tx, source, after, ROWS_PER_BATCH)
    rows.push(...part)
    const last = part.at(-1)
    if (last === undefined || part.length < ROWS_PER_BATCH) break
    after = last.n
  }
  const documents = await readDocuments(space, rows)
  for (const { path, anchor, id, document, hash, revision, content, sketch, former } of rows) {
    const entry = entries.get(path) ?? { id: 0, anchors: new Map<string, number>(), hash: null, revision: null }
    entries.set(path, entry)
    if (anchor !== '') entry.anchors.set(anchor, id)
    else {
      const row = document === null ? undefined : documents.get(document)
      Object.assign(entry, {
        ...{ id, hash, revision, ...(row !== undefined && { document: row }) },
        ...(content !== null && { content: { hash: content, sketch: sketch ?? '' } }),
        ...(former !== null && { former: JSON.parse(former) }),
      })
    }
  }
  return { source, entries }
}

async function readDocuments(space: Space, rows: readonly ImportedRow[]): Promise<Map<number, DocumentRow>> {
  const numbers = [...new Set(rows.flatMap(({ document }) => document ?? []))]
  const found = new Map<number, DocumentRow>()
  for await (const part of chunks(numbers, ROWS_PER_BATCH)) {
    for (const row of await documentsByNumbers(space.tx, part)) found.set(row.n, row)
  }
  return found
}

/** Reports whether some of these entries or their anchors have no ID yet. */
export const lacksIds = ({ entries }: ImportRecord, planned: readonly PlannedEntry[]): boolean =>
  planned.some(({ path, anchors }) => {
    const entry = entries.get(path)
    return entry === undefined || anchors.some((anchor) => !entry.anchors.has(anchor))
  })

/**
 * Reserves the missing IDs of entries and stores them, so that links to these entries can be written before the entries
 * themselves.
 */
export async function reserveIds(
  space: Space,
  name: string,
  record: ImportRecord,
  planned: readonly PlannedEntry[],
): Promise<void> {
  space.quota?.noteAddition(space.link.id)
  if (record.source === 0) {
    record.source = (await importSourceNumber(space.tx, name)) ?? (await insertImportSource(space.tx, name, space.now))
  }
  const missing: { path: string; anchor: string }[] = []
  for (const { path, anchors } of planned) {
    const entry = record.entries.get(path)
    if (entry === undefined) missing.push({ path, anchor: '' })
    for (const anchor of anchors) if (entry?.anchors.has(anchor) !== true) missing.push({ path, anchor })
  }
  const ids = await space.newIds(missing.length)
  const rows = missing.map((one, index) => ({ ...one, source: record.source, id: ids[index] ?? 0 }))
  await insertImported(space.tx, rows)
  for (const { path, anchor, id } of rows) {
    const entry = record.entries.get(path) ?? { id, anchors: new Map<string, number>(), hash: null, revision: null }
    record.entries.set(path, entry)
    if (anchor !== '') entry.anchors.set(anchor, id)
  }
}
