/** What comes with a call beside its input. */
import type { FileStore } from '../../../storage/bytes/file-store.ts'

export interface PrepareContext {
  /** Where bytes can be put before the transaction begins. */
  files: FileStore
  /** Bytes of one file at most. */
  fileLimit: number
  /** The space's own file, or `:memory:`. */
  space: string
  /** Folders of this machine from which a local caller may add files; absent for remote callers. */
  folders?: readonly string[]
  /** Of a request: the bytes of a file, not yet read, and their number where the request announced it. */
  body?: { stream: AsyncIterable<Uint8Array>; mediaType?: string; size?: number }
}
