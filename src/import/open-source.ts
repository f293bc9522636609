/** Opens the local source of an import: a folder, a zip archive or another file. */
import { existsSync, statSync } from 'node:fs'
import { invalid } from '../base/errors.ts'
import { openFolder, openSingleFile } from './folder-source.ts'
import { extensionOf, type ImportSource, type SourceFile } from './import-source.ts'
import { openZip } from './zip-source.ts'

/**
 * @param space  the file of the space, which is never imported, or `:memory:`
 * @throws VALIDATION_ERROR if the path does not exist, or is neither a folder nor a file
 */
export async function openSource(path: string, space: string): Promise<ImportSource> {
  if (!existsSync(path)) throw invalid(`Expected a folder or a file to import, found none at ${path}.`)
  if (statSync(path).isDirectory()) return openFolder(path, space)
  const source = await openSingleFile(path, space)
  const [file] = source.files
  return file !== undefined && (await isZip(file)) ? openZip(source.name) : source
}

/** Checks the extension and the first bytes. The file of a space cannot be opened here. */
async function isZip(file: SourceFile): Promise<boolean> {
  if (!ZIPPED.has(extensionOf(file.path))) return false
  for await (const bytes of file.open()) return Buffer.from(bytes).toString('latin1', 0, 2) === 'PK'
  return false
}

const ZIPPED: ReadonlySet<string> = new Set(['zip', 'textpack', 'bear2bk'])
