/** Keeps the text that a document was imported from. An export writes what is left of it as it was. */
import { documentByNumber } from '../../../storage/documents.ts'
import { deleteSourceText, setSourceText } from '../../../storage/source-texts.ts'
import { fileIdFromStoredAddress } from '../content/file-addresses.ts'
import type { Space } from '../model/space.ts'
import type { ImportDocument } from './imported-content.ts'

/**
 * Replaces the text of a document by that of its source, after its content was written.
 *
 * @param document  its number
 */
export async function writeSource(
  { tx }: Space,
  document: number,
  { source, title, files }: Pick<ImportDocument, 'source' | 'title' | 'files'>,
): Promise<void> {
  if (source === undefined) return deleteSourceText(tx, document)
  const paths = new Map<string, string>()
  for (const [{ url = '' }, { path }] of files) {
    const id = fileIdFromStoredAddress(url)
    if (id !== undefined && !paths.has(id)) paths.set(id, path)
  }
  const { path, isVault, packed } = source
  const { revision = 0 } = (await documentByNumber(tx, document)) ?? {}
  const row = {
    document,
    path,
    title,
    isVault: isVault ? 1 : 0,
    files: JSON.stringify(Object.fromEntries(paths)),
    text: packed,
    revision,
  }
  await setSourceText(tx, row)
}
