/** What moves of a space. */
import { ScriptoriumError } from '../../base/errors.ts'

export interface MovedSpace {
  documents: number
  blocks: number
  files: number
  /** Names of files whose bytes are missing in the source, or altered: the target has none of them. */
  damagedFiles: string[]
}

/** What is done with the bytes of a file; undefined where these are missing or altered. */
export async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'FILE_DAMAGED') return undefined
    throw error
  }
}
