/** What is imported: the files of a folder, of a zip or of a single file, whatever their format. */
import type { ImportFile } from '../space/import/imported-content.ts'

/** A file of a source. Its path is relative, with `/` between its parts. */
export interface SourceFile extends ImportFile {
  /** Milliseconds since 1970, where the source says. */
  createdAt?: number
  modifiedAt?: number
}

export interface ImportSource {
  /** By which a later import knows it again: a path on this machine, or a name. */
  name: string
  /** What it is called, without folders and extension. */
  title: string
  files: readonly SourceFile[]
  /** What of it could not be taken. */
  problems: readonly ImportProblem[]
  close(): Promise<void>
}

/** What was not carried over as it was, and why. */
export interface ImportProblem {
  /** The file in the source. */
  path: string
  /** From 1. */
  line?: number
  kind: ProblemKind
  /** A sentence without the path. */
  message: string
  /** What else is to be known of it, such as the fields of a query. */
  detail?: string
}

/**
 * `left out`: nothing of it came in. `changed`: it came in as something else. `not found`: it leads nowhere. `conflict`:
 * it changed here since it was imported. `failed`: it was refused.
 */
export type ProblemKind = 'left out' | 'changed' | 'not found' | 'conflict' | 'failed'

/** All of a file that is known to be short. @throws Error for one of more bytes than `limit`, or that cannot be read */
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
  new Error(
    `Expected at most ${limit.toLocaleString('en-US')} bytes of text, found ${size.toLocaleString('en-US')}; split it.`,
  )

/** A text as UTF-8 or, where its first bytes say so, UTF-16, without the mark that says it. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** The parts before it. */
export const folderParts = (path: string): string[] => path.split('/').slice(0, -1)
/** In lower case, without the dot; empty for a name without one. */
export const extensionOf = (path: string): string => /[^/.]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
/** The name without its extension. */
export const stem = (path: string): string => baseName(path).replace(/(?<=.)\.[^.]+$/, '')
