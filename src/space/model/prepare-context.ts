/** What the prepare step of a call gets in addition to the input. */
import type { FileBytes } from '../../../storage/bytes/file-bytes.ts'
import type { FileBody } from './file-body.ts'
import type { Space } from './space.ts'
import type { PreparedStep, StepInput } from './steps.ts'

export interface PrepareContext {
  /** Stores bytes before the transaction begins. */
  files: FileBytes
  /** The maximum number of bytes of one file. */
  fileLimit: number
  /** The path of the space's file, or `:memory:`. */
  space: string
  /** Folders on this machine from which a local caller may add files. Absent for remote callers. */
  folders?: readonly string[]
  /** The unread bytes of a file in the request. */
  body?: FileBody
  /** Reads the space before the transaction of the call begins. */
  read<T>(work: (space: Space) => Promise<T>): Promise<T>
  /** Runs work in a transaction that is rolled back, before the transaction of the call begins. */
  rehearse<T>(work: (space: Space) => Promise<T>): Promise<T>
  /** Refuses what a link is writing in this process, before its COMMIT. @returns ends this */
  interruptLink(id: string): () => void
  /** Prepares another call to run in the transaction of this one. @throws errors of that call, with its path */
  prepareStep(step: StepInput): Promise<PreparedStep>
}
