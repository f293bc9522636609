/** Opens a zip that was sent to be imported. */
import { invalid } from '../base/errors.ts'
import { IMPORT_ZIP_UNPACKED_BYTES } from '../base/limits.ts'
import type { ImportFormat } from './import-format.ts'
import { findFormat } from './import-formats.ts'
import type { ImportSource } from './import-source.ts'
import { readSpaceExport } from './json/load-space.ts'
import { openZip } from './zip-source.ts'

/**
 * @param name  by which a later import knows it again
 * @param as  the name of its format; found by itself when absent
 * @throws VALIDATION_ERROR for what is no zip, one that unpacks to too much, and one of no known format
 */
export async function openUpload(
  path: string,
  name: string,
  as?: string,
): Promise<{ source: ImportSource; format: ImportFormat }> {
  const source = await openZip(path, { name: `upload:${name}`, title: name, maxBytes: IMPORT_ZIP_UNPACKED_BYTES })
  try {
    if ((await readSpaceExport(source)) !== undefined) {
      throw invalid(
        'Expected documents in the zip, found the export of a whole space; run `scriptorium import` to make a space of it.',
      )
    }
    return { source, format: await findFormat(source, as) }
  } catch (error) {
    await source.close()
    throw error
  }
}
