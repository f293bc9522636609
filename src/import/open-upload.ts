/** Opens an uploaded zip archive for import. */
import { invalid } from '../base/errors.ts'
import { IMPORT_ZIP_UNPACKED_BYTES } from '../base/limits.ts'
import type { ImportFormat } from './import-format.ts'
import { findFormat } from './import-formats.ts'
import type { ImportSource } from './import-source.ts'
import { readSpaceExport } from './json/space-export.ts'
import { openZip } from './zip-source.ts'

/**
 * @param name  identifies the source in later imports
 * @param as  the name of the format; detected if undefined
 * @throws VALIDATION_ERROR if the file is not a zip archive, unpacks to too much data, or has no known format
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
