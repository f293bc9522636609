/** What comes with a call beside its input. */
import type { FileBytes } from '../../../storage/bytes/file-bytes.ts'
import type { FileBody } from './file-body.ts'
import type { Space } from './space.ts'
import type { PreparedStep, StepInput } from './steps.ts'

export interface PrepareContext {
  /** Where bytes can be put before the transaction begins. */
  files: FileBytes
  /** Bytes of one file at most. */
  fileLimit: number
  /** The space's own file, or `:memory:`. */
  space: string
  /** Folders of this machine from which a local caller may add files; absent for remote callers. */
  folders?: readonly string[]
  /** Of a request: the bytes of a file, not yet read. */
  body?: FileBody
  /** Reads the space before the transaction of the call begins. */
  read<T>(work: (space: Space) => Promise<T>): Promise<T>
  /** Runs work in a transaction that is rolled back, before that of the call begins. */
  rehearse<T>(work: (space: Space) => Promise<T>): Promise<T>
  /** Makes another call ready to run in the transaction of this one. @throws what that call would, with its place */
  prepareStep(step: StepInput): Promise<PreparedStep>
}
