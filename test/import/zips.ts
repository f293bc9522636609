/** Creates zips for tests, including damaged ones. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { folder } from '../program.ts'

export interface ZipEntry {
  path: string
  content: string | Uint8Array
  /** The Unix mode; a regular file by default. */
  mode?: number
  isPacked?: boolean
}

export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { path, content, mode = 0o100644, isPacked = true } of entries) {
    zip.addBuffer(Buffer.from(content), path, { mode, compress: isPacked, mtime: new Date('2024-03-01T12:00:00Z') })
  }
  zip.end()
  return buffer(zip.outputStream)
}

export const entriesOf = (files: Record<string, string | Uint8Array>): ZipEntry[] =>
  Object.entries(files).map(([path, content]) => ({ path, content }))

/** Writes a zip to a folder that is deleted after the test. @returns its path */
export function zipAt(bytes: Uint8Array, name = 'export.zip'): string {
  const path = join(folder(), name)
  writeFileSync(path, bytes)
  return path
}

/** Replaces each occurrence of a text by another of the same length. */
export function replaced(bytes: Buffer, text: string, other: string): Buffer {
  if (text.length !== other.length) throw new Error('Expected texts of the same length.')
  return Buffer.from(bytes.toString('latin1').replaceAll(text, other), 'latin1')
}
