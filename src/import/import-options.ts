/** How an import is to run, and how far it is. */
import type { AccessLink } from '../space/model/space.ts'
import type { ImportFormat } from './import-format.ts'
import type { ImportCounts } from './import-report.ts'

export interface ImportOptions {
  format: ImportFormat
  /** Number of the folder to use in place of the top level; null for none. */
  into: number | null
  isDryRun: boolean
  /** Whether to turn folders of notes with properties into collections, if the format supports it. */
  collections?: boolean
  /** Whether to move documents to the trash whose files are gone, unless they changed here. */
  deletes?: boolean
  /** The access link that the import runs with. Defaults to that of the operator. */
  link?: AccessLink
  /** Maximum size of a file in bytes. */
  fileLimit?: number
  /** Waits until the rate limit allows this many blocks to be written. */
  pace?(blocks: number): Promise<void>
  /** Called when the source was read, and after each document. */
  onProgress?(progress: ImportProgress): void
  /** Stops the import after the documents that are being written. */
  signal?: AbortSignal
}

export interface ImportProgress {
  done: number
  total: number
  counts: ImportCounts
  /** Milliseconds since the first document was started. */
  elapsed: number
}

/** Documents that are imported in a second, and blocks that one has, where nothing else is known yet: see docs/benchmarks.md. */
const DOCUMENTS_PER_SECOND = 300
export const BLOCKS_PER_DOCUMENT = 12

/** Seconds that the rest of an import will take: at the speed so far, or before the first document at a usual one. */
export const secondsLeft = ({ done, total, elapsed }: Pick<ImportProgress, 'done' | 'total' | 'elapsed'>): number =>
  Math.ceil(done === 0 ? total / DOCUMENTS_PER_SECOND : ((total - done) * elapsed) / done / 1_000)
