/** What comes with a call beside its input. */
import type { FileStore } from '../../../storage/bytes/file-store.ts'

export interface PrepareContext {
  /** Where bytes can be put before the transaction begins. */
  files: FileStore
  /** Bytes of one file at most. */
  fileLimit: number
  /** The space's own file, or `:memory:`. */
  space: string
  /** Folders of this machine from which a caller on it may bring files in; absent for callers elsewhere. */
  folders?: readonly string[]
  /** Of a request: the bytes of a file, not yet read, and how many they are to be where that was said. */
  body?: { stream: AsyncIterable<Uint8Array>; mediaType?: string; size?: number }
}
