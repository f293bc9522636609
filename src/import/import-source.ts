/** The source of an import: the files of a folder, a zip archive or a single file, in any format. */
import { formatNumber } from '../base/format-number.ts'
import type { ImportFile } from '../space/import/imported-content.ts'
import type { FoundFile, KnownFile, Manifest } from './own/export-manifest.ts'

/** A file of a source. Its path is relative and uses `/` as separator. */
export interface SourceFile extends ImportFile {
  /** Milliseconds since 1970, if the source contains it. */
  createdAt?: number
  modifiedAt?: number
}

export interface ImportSource {
  /** Identifies the source in later imports: a local path, or a name. */
  name: string
  /** True if a person gave it the name on the command line, so that it is no source of another name. */
  nameIsGiven?: boolean
  /** The display name, without folders and extension. */
  title: string
  files: readonly SourceFile[]
  /** Files that could not be read. */
  problems: readonly ImportProblem[]
  /** The local folder that it is, if it is one. */
  folder?: string
  /** The manifest, if it is one of our exports. Read from the files if absent. */
  manifest?: Manifest
  /** Compares files with known states. By default, {@link compareFiles} does. */
  compare?(files: readonly KnownFile[]): Promise<FoundFile[]>
  close(): Promise<void>
}

/** A source without what belongs to spaces: see `leaveOutSpaces`. */
export interface DocumentSource extends ImportSource {
  readonly hasNoSpaces: true
}

/** Something that was not imported unchanged, and why. */
export interface ImportProblem {
  /** The file in the source. */
  path: string
  /** Line number, starting at 1. */
  line?: number
  kind: ProblemKind
  /** A sentence without the path. */
  message: string
  /** Additional information, such as the fields of a query, or the target of a link. */
  detail?: string
}

/**
 * `left out`: it was not imported. `changed`: it was converted to something else. `not found`: the target of a link
 * does not exist. `conflict`: it was edited here since the last import. `gone`: its file is
 * not in the source any more. `failed`: it was rejected with an error.
 */
export type ProblemKind = 'left out' | 'changed' | 'not found' | 'conflict' | 'gone' | 'failed'

/** Reads a whole file. @throws Error if it has more than `limit` bytes or cannot be read */
export async function readSourceFile(file: ImportFile, limit: number): Promise<Buffer> {
  if (file.size > limit) throw tooLong(file.size, limit)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of file.open()) {
    size += part.byteLength
    if (size > limit) throw tooLong(size, limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLong = (size: number, limit: number): Error =>
  new Error(`Expected at most ${formatNumber(limit)} bytes of text, found ${formatNumber(size)}; split it.`)

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** The folders of a path. */
export const folderParts = (path: string): string[] => path.split('/').slice(0, -1)
/** The extension in lower case, without the dot. Empty if there is none. */
export const extensionOf = (path: string): string => /[^/.]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
/** The name without its extension. */
export const stem = (path: string): string => baseName(path).replace(/(?<=.)\.[^.]+$/, '')
