/** Reads the manifest in a source that is one of our exports. */
import { IMPORT_JSON_BYTES } from '../../base/limits.ts'
import { type ImportSource, readSourceFile } from '../import-source.ts'
import { JOURNAL, MANIFEST, type Manifest, parseManifest } from './export-manifest.ts'

/** @returns undefined for other sources, and for a manifest that cannot be read */
export async function readSourceManifest({ files }: Pick<ImportSource, 'files'>): Promise<Manifest | undefined> {
  const read = async (path: string): Promise<string | undefined> => {
    const file = files.find((one) => one.path === path)
    return file && readSourceFile(file, IMPORT_JSON_BYTES).then(String, () => undefined)
  }
  const [text, journal] = [await read(MANIFEST), await read(JOURNAL)]
  return text === undefined && journal === undefined ? undefined : parseManifest(text, journal)
}
