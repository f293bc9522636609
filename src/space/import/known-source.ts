/** Recognizes sources of earlier imports by their content, and files of a source that have other paths now. */
import { documentRecords } from '../../../storage/documents.ts'
import { listFolderRows } from '../../../storage/folders.ts'
import {
  importSourceNumber,
  renameImported,
  renameImportedAnchors,
  renameImportSource,
  sourcesOfContents,
} from '../../../storage/imports.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { type ImportRecord, type PlannedEntry, readRecordOf } from './import-record.ts'

/** A source that was imported before under another name. */
export interface KnownSource {
  record: ImportRecord
  /** The name that it had. */
  name: string
  /** How many of the documents have a content that was imported from it, and how many there are. */
  known: number
  total: number
}

/** How many contents one query looks up. */
const CONTENTS_PER_QUERY = 1_000

/**
 * Finds the earlier source that has most of the contents of these entries.
 *
 * @param least  the share of the contents that it must have, from 0 to 1
 * @param into  the folder that the import goes into, where the documents of the source must be; null for none
 */
export async function findKnownSource(
  space: Space,
  planned: readonly PlannedEntry[],
  least: number,
  into: number | null,
): Promise<KnownSource | undefined> {
  // What has no words is the same in many sources.
  const contents = new Set(planned.flatMap(({ content }) => (content?.sketch ? [content.hash] : [])))
  if (contents.size === 0) return undefined
  const found = new Map<number, { name: string; known: number }>()
  for await (const part of chunks([...contents], CONTENTS_PER_QUERY)) {
    for (const { source, name, contents: known } of await sourcesOfContents(space.tx, part)) {
      found.set(source, { name, known: (found.get(source)?.known ?? 0) + known })
    }
  }
  const [best] = [...found].sort(([, one], [, other]) => other.known - one.known)
  if (best === undefined || best[1].known < Math.ceil(contents.size * least)) return undefined
  const [source, { name, known }] = best
  const record = await readRecordOf(space, source)
  if (into !== null && !(await areMostlyIn(space, record, into))) return undefined
  return { record, name, known, total: contents.size }
}

async function areMostlyIn(space: Space, { entries }: ImportRecord, into: number): Promise<boolean> {
  const numbers = [...entries.values()].flatMap(({ document }) => (document === undefined ? [] : [document.n]))
  const parents = new Map((await listFolderRows(space.tx)).map(({ n, parent }) => [n, parent]))
  const isIn = (folder: number | null) => {
    let n: number | null | undefined = folder
    while (n != null && n !== into) n = parents.get(n)
    return n === into
  }
  let inside = 0
  for await (const part of chunks(numbers, CONTENTS_PER_QUERY)) {
    for (const { folder } of await documentRecords(space.tx, part)) if (isIn(folder)) inside++
  }
  return inside * 2 > numbers.length
}

/** Gives a source the name under which it is imported now. */
export async function noteSourceName(space: Space, source: number, name: string): Promise<void> {
  if ((await importSourceNumber(space.tx, name)) === undefined) await renameImportSource(space.tx, source, name)
}

/** How many earlier paths of a file are remembered. */
const FORMER_PATHS = 5

/**
 * Records that files of a source have other paths. The entries of the record are changed, too.
 *
 * @param renames  the new path by the earlier one
 * @param planned  the entries of the source as it is now
 * @returns what there is to store, for {@link storeRenames}
 */
export function renameEntries(
  record: ImportRecord,
  renames: ReadonlyMap<string, string>,
  planned: readonly PlannedEntry[],
): StoredRenames {
  const anchorsOf = new Map(planned.map(({ path, anchors }) => [path, anchors]))
  const stored: StoredRenames = { paths: [], anchors: [] }
  // All are taken out before any is put back, since two files may have swapped their names.
  const entries = [...renames].flatMap(([from, to]) => {
    const entry = record.entries.get(from)
    record.entries.delete(from)
    return entry === undefined ? [] : [{ from, to, entry }]
  })
  for (const { from, to, entry } of entries) {
    const former = [from, ...(entry.former ?? []).filter((path) => path !== to)].slice(0, FORMER_PATHS)
    record.entries.set(to, Object.assign(entry, { former }))
    stored.paths.push({ source: record.source, from, to, former: JSON.stringify(former) })
    const wanted = new Set(anchorsOf.get(to) ?? [])
    const [folder, newFolder] = [folderOf(from), folderOf(to)]
    for (const anchor of [...entry.anchors.keys()]) {
      // A part of the document is named by its path, which changes with the folder.
      const moved = anchor.startsWith(`/${folder}`) ? `/${newFolder}${anchor.slice(folder.length + 1)}` : anchor
      if (moved === anchor || wanted.has(anchor) || !wanted.has(moved) || entry.anchors.has(moved)) continue
      entry.anchors.set(moved, entry.anchors.get(anchor) ?? 0)
      entry.anchors.delete(anchor)
      stored.anchors.push({ source: record.source, path: to, from: anchor, to: moved })
    }
  }
  return stored
}

export interface StoredRenames {
  paths: { source: number; from: string; to: string; former: string }[]
  anchors: { source: number; path: string; from: string; to: string }[]
}

/** @see renameEntries */
export async function storeRenames(space: Space, { paths, anchors }: StoredRenames): Promise<void> {
  // Paths are unique, so each file gets a name in between.
  const between = (from: string) => `\u0001${from}`
  await renameImported(
    space.tx,
    paths.map((one) => ({ ...one, to: between(one.from) })),
  )
  await renameImported(
    space.tx,
    paths.map((one) => ({ ...one, from: between(one.from) })),
  )
  await renameImportedAnchors(space.tx, anchors)
}

/** With a slash at its end; empty for the top level. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
