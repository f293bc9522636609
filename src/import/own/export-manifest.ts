/**
 * The manifest of an export: which files it wrote, and which state of which documents they have. It is in the folder or
 * zip of the export.
 *
 * In a folder, every file is noted in a journal before it gets its name, and the journal becomes part of the manifest at
 * the end. So an export that was interrupted at any moment recognizes its own files when it is repeated.
 */
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { invalid } from '../../base/errors.ts'
import { addToGroup } from '../../base/grouping.ts'

/** The folder of an export for its own data. */
export const EXPORT_DATA = '.scriptorium'
export const MANIFEST = `${EXPORT_DATA}/manifest.json`
export const JOURNAL = `${EXPORT_DATA}/journal.jsonl`

const fileState = z.object({
  /** SHA-256 in hex. */
  hash: z.string(),
  size: z.number(),
  /** Modification time after writing. A file with this time and size is not read again. */
  time: z.number(),
})
export type FileState = z.infer<typeof fileState>

const documentState = z.object({
  /** The path of its note. */
  path: z.string(),
  /** The revision of the document that its files have. */
  revision: z.number(),
  location: z.string(),
  /** The ID of its folder. */
  folder: z.number().nullable(),
  /** Its other files, with the ID of the item, collection, whiteboard or file that each of them is; null for others. */
  parts: z.record(z.string(), z.number().nullable()),
})
/** A document as it was exported. */
export type DocumentState = z.infer<typeof documentState>

const written = z.object({
  version: z.literal(1),
  /** The ID of the space. */
  space: z.string(),
  files: z.record(z.string(), fileState),
  /** By ID. Missing in exports of earlier versions. */
  documents: z.record(z.string(), documentState).optional(),
})

const journalLine = z.union([
  z.tuple([z.literal('space'), z.string()]),
  z.tuple([z.literal('file'), z.string(), fileState]),
  z.tuple([z.literal('document'), z.string(), documentState]),
])
export type JournalLine = z.infer<typeof journalLine>

export interface Manifest {
  /** The ID of the space. */
  space: string
  /** By path. An interrupted export leaves several states: that of before, and those that it was about to write. */
  files: Map<string, FileState[]>
  /** By ID. */
  documents: Map<string, DocumentState>
  /** False for the export of an earlier version, which says nothing about documents. */
  hasDocuments: boolean
}

/**
 * @param text  of the manifest, if there is one
 * @param journal  what an interrupted export wrote, if there is anything
 * @returns undefined if there is neither, or if they are something else
 */
export function parseManifest(text: string | undefined, journal = ''): Manifest | undefined {
  const base = text === undefined ? undefined : parseWritten(text)
  if (text !== undefined && base === undefined) return undefined
  const lines = [...journalLines(journal)]
  const space = base?.space ?? lines.find(([kind]) => kind === 'space')?.[1]
  if (space === undefined) return undefined
  const files = new Map(Object.entries(base?.files ?? {}).map(([path, state]) => [path, [state]]))
  const documents = new Map(Object.entries(base?.documents ?? {}))
  for (const line of lines) {
    if (line[0] === 'file') addToGroup(files, line[1], line[2])
    else if (line[0] === 'document') documents.set(line[1], line[2])
  }
  return { space, files, documents, hasDocuments: base === undefined || base.documents !== undefined }
}

function parseWritten(text: string): z.infer<typeof written> | undefined {
  const { success, data } = written.safeParse(parseJson(text))
  return success ? data : undefined
}

function* journalLines(text: string): Generator<JournalLine> {
  for (const line of text.split('\n')) {
    // The last line may have been written in part.
    const { success, data } = journalLine.safeParse(parseJson(line))
    if (success) yield data
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Formats a manifest as it is stored. The order of its entries depends on nothing else. */
export function formatManifest({ space, files, documents }: StoredManifest): string {
  const sorted = <Value>(map: ReadonlyMap<string, Value>): Record<string, Value> =>
    Object.fromEntries([...map].sort(([one], [other]) => (one < other ? -1 : 1)))
  const stored = { version: 1, space, files: sorted(files), documents: sorted(documents) }
  return `${JSON.stringify(stored, null, 2)}\n`
}

/** A file, and the states that an export may have written; none for a file that is new. */
export interface KnownFile {
  path: string
  states: readonly FileState[]
}

/** The present state of a file; null if there is none. */
export interface FoundFile {
  path: string
  state: FileState | null
  /** True if it is as an export wrote it. */
  isSame: boolean
}

export interface StoredManifest {
  space: string
  files: ReadonlyMap<string, FileState>
  documents: ReadonlyMap<string, DocumentState>
}

/**
 * Reads the manifest of a folder, with what an interrupted export noted.
 *
 * @returns undefined if the folder contains no export
 * @throws VALIDATION_ERROR if there is something else in the place of the manifest
 */
export async function readFolderManifest(root: string): Promise<Manifest | undefined> {
  const [text, journal] = await Promise.all([MANIFEST, JOURNAL].map((path) => readText(join(root, path))))
  if (text === undefined && journal === undefined) return undefined
  const manifest = parseManifest(text, journal)
  if (manifest !== undefined || text === undefined) return manifest
  throw invalid(
    `Expected the manifest of an export in ${join(root, MANIFEST)}, found something else; export to another folder.`,
  )
}

/** Symbolic links could lead anywhere. */
async function readText(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isFile() !== true) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}
