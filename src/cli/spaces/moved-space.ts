/** The result of moving a space. */
import { ScriptoriumError } from '../../base/errors.ts'

export interface MovedSpace {
  documents: number
  blocks: number
  files: number
  /** Names of files whose bytes are missing or altered in the source. The target does not have these bytes. */
  damagedFiles: string[]
}

/** Runs work with the bytes of a file; returns undefined if these are missing or altered. */
export async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'FILE_DAMAGED') return undefined
    throw error
  }
}
