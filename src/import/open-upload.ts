/** Opens an uploaded zip archive for import. */
import { IMPORT_ZIP_UNPACKED_BYTES } from '../base/limits.ts'
import type { DocumentSource } from './import-source.ts'
import { leaveOutSpaces } from './spaces/leave-out-spaces.ts'
import { openZip } from './zip-source.ts'

/** What identifies a source that was given a name. */
export const uploadName = (name: string): string => `upload:${name}`

/**
 * @param name  identifies the source in later imports
 * @throws VALIDATION_ERROR if the file is not a zip archive, unpacks to too much data, or contains the export of a space
 */
export async function openUpload(path: string, name: string): Promise<DocumentSource> {
  const zip = await openZip(path, { name: uploadName(name), title: name, maxBytes: IMPORT_ZIP_UNPACKED_BYTES })
  try {
    return await leaveOutSpaces(zip)
  } catch (error) {
    await zip.close()
    throw error
  }
}
