/** What is known of earlier imports of a source, and the IDs that were drawn for what is still to be written. */
import { documentsByNumbers } from '../../../storage/documents.ts'
import { importedRows, importSourceNumber, insertImported, insertImportSource } from '../../../storage/imports.ts'
import type { DocumentRow, ImportedRow } from '../../../storage/schema.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'

/** A document or item of a source, with the blocks in it that others link to. */
export interface PlannedEntry {
  path: string
  anchors: readonly string[]
}

/** One entry as it was imported before. */
export interface ImportedEntry {
  id: number
  /** IDs of blocks, by how they are linked to. */
  anchors: Map<string, number>
  hash: string | null
  revision: number | null
  /** The document that it is in, as that is now; absent where it was not written yet. */
  document?: DocumentRow
}

/** All that is known of a source. */
export interface ImportRecord {
  /** Its number; 0 for one that is not noted. */
  source: number
  entries: Map<string, ImportedEntry>
}

/** Rows that are read or written in one go: some milliseconds. */
const ROWS_PER_BATCH = 1_000

/** What is known of a source by its name. */
export async function readImportRecord(space: Space, name: string): Promise<ImportRecord> {
  const entries = new Map<string, ImportedEntry>()
  const source = await importSourceNumber(space.tx, name)
  if (source === undefined) return { source: 0, entries }
  const rows: ImportedRow[] = []
  for (let after = 0; ; ) {
    const part = await importedRows(space.tx, source, after, ROWS_PER_BATCH)
    rows.push(...part)
    const last = part.at(-1)
    if (last === undefined || part.length < ROWS_PER_BATCH) break
    after = last.n
  }
  const documents = await readDocuments(space, rows)
  for (const { path, anchor, id, document, hash, revision } of rows) {
    const entry = entries.get(path) ?? { id: 0, anchors: new Map<string, number>(), hash: null, revision: null }
    entries.set(path, entry)
    if (anchor !== '') entry.anchors.set(anchor, id)
    else {
      const row = document === null ? undefined : documents.get(document)
      Object.assign(entry, { id, hash, revision, ...(row !== undefined && { document: row }) })
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

/** Whether IDs are still to be drawn for some of these entries. */
export const lacksIds = ({ entries }: ImportRecord, planned: readonly PlannedEntry[]): boolean =>
  planned.some(({ path, anchors }) => {
    const entry = entries.get(path)
    return entry === undefined || anchors.some((anchor) => !entry.anchors.has(anchor))
  })

/** Draws the missing IDs of some entries and notes them, so that links to these entries can be written before they are. */
export async function reserveIds(
  space: Space,
  name: string,
  record: ImportRecord,
  planned: readonly PlannedEntry[],
): Promise<void> {
  record.source = (await importSourceNumber(space.tx, name)) ?? (await insertImportSource(space.tx, name, space.now))
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
