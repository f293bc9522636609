/** Opens an upload for import that is one file, as its name says, and no zip of files. */
import { openSingleFile } from './folder-source.ts'
import { baseName, type DocumentSource, extensionOf, stem } from './import-source.ts'
import { pageKind } from './markdown/page-kinds.ts'
import { isMarkdown } from './markdown/source-entries.ts'
import { leaveOutSpaces } from './spaces/leave-out-spaces.ts'
import { unreadFormat } from './unread-formats.ts'

/** Exports of one file that are neither pages nor zips. */
const EXPORTS: ReadonlySet<string> = new Set(['jex', 'enex', 'json'])

/**
 * @param name  identifies the source in later imports. If it has the extension of a format, as `Books.csv`, the bytes are
 *   a file of that name
 * @returns undefined for a name without such an extension, and for any zip that is no Word document
 */
export async function openSingleUpload(path: string, name: string): Promise<DocumentSource | undefined> {
  const isNamed = isMarkdown(name) || pageKind(name) !== undefined || EXPORTS.has(extensionOf(name))
  if (!isNamed && unreadFormat(name) === undefined) return undefined
  const source = await openSingleFile(path, ':memory:')
  const base = baseName(name)
  // The file is as old as the upload, which says nothing about its content.
  const files = source.files.map(({ createdAt: _, modifiedAt: __, ...file }) => ({ ...file, path: base, name: base }))
  const [file] = files
  if (extensionOf(name) !== 'docx' && file !== undefined && (await isZip(file.open()))) return undefined
  return leaveOutSpaces({ ...source, name: `upload:${name}`, title: stem(base), files })
}

async function isZip(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const part of bytes) return Buffer.from(part).toString('latin1', 0, 2) === 'PK'
  return false
}
