/** Opens an uploaded zip archive for import. */
import { IMPORT_ZIP_UNPACKED_BYTES } from '../base/limits.ts'
import type { ImportFormat } from './import-format.ts'
import { findFormat } from './import-formats.ts'
import type { DocumentSource } from './import-source.ts'
import { leaveOutSpaces } from './spaces/leave-out-spaces.ts'
import { openZip } from './zip-source.ts'

/**
 * @param name  identifies the source in later imports
 * @param as  the name of the format; detected if undefined
 * @throws VALIDATION_ERROR if the file is not a zip archive, unpacks to too much data, has no known format, or contains
 * the export of a space
 */
export async function openUpload(
  path: string,
  name: string,
  as?: string,
): Promise<{ source: DocumentSource; format: ImportFormat }> {
  const zip = await openZip(path, { name: `upload:${name}`, title: name, maxBytes: IMPORT_ZIP_UNPACKED_BYTES })
  try {
    const source = await leaveOutSpaces(zip)
    return { source, format: await findFormat(source, as) }
  } catch (error) {
    await zip.close()
    throw error
  }
}
