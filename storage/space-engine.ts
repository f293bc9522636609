/** The stores that an engine provides for one space. */
import type { FileBytes } from './bytes/file-bytes.ts'
import type { SignIns } from './sign-ins.ts'
import type { Storage } from './storage.ts'
import type { Usage } from './usage.ts'

export interface SpaceEngine {
  storage: Storage
  files: FileBytes
  /** Opens the usage of the space's rate limits. @param report  receives one sentence for the log */
  openUsage(report?: (sentence: string) => void): Usage
  /** @throws VALIDATION_ERROR if a file of another program has the name of the sign-in file */
  openSignIns(): SignIns
}
