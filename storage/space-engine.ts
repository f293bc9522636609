/** What an engine provides for one space. */
import type { FileBytes } from './bytes/file-bytes.ts'
import type { SignIns } from './sign-ins.ts'
import type { Storage } from './storage.ts'
import type { Usage } from './usage.ts'

export interface SpaceEngine {
  storage: Storage
  files: FileBytes
  /** How much of its rate limits the space has used. @param report  receives one sentence for the log */
  openUsage(report?: (sentence: string) => void): Usage
  /** @throws VALIDATION_ERROR for a file of another program in its place */
  openSignIns(): SignIns
}
