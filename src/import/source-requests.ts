/** What the thread that reads the source of an import is asked, and answers. */
import type { ErrorBody } from '../base/errors.ts'
import type { PlannedEntry } from '../space/import/import-record.ts'
import type { DocumentHead, DocumentPart } from './document-parts.ts'
import type { PastPaths, PlannedDocument } from './import-format.ts'
import type { ImportProblem } from './import-source.ts'
import type { FoundFile, KnownFile, Manifest } from './own/export-manifest.ts'

/** An archive that was sent, or a local path, which may have a name, too. `as`: the name of the format; detected if absent. */
export type SourceLocation = { path: string; as?: string | undefined } & (
  | { isUpload: true; name: string }
  | { isUpload: false; space: string; name?: string | undefined }
)

export type SourceRequest =
  /** Opens the source. @property without  numbers of files that are not read, since they took longer than a step may */
  | { ask: 'open'; location: SourceLocation; without: readonly number[]; stepSeconds: number }
  | { ask: 'plan'; collections: boolean; past: PastPaths | undefined }
  /** Compares files with known states. */
  | { ask: 'compare'; files: readonly KnownFile[] }
  /** Some of the planned documents, from a position on. */
  | { ask: 'planned'; from: number }
  /** The IDs of planned documents. All of them come before the fingerprints. */
  | { ask: 'targets'; targets: readonly PassedTarget[] }
  /** The fingerprints of some of the planned documents. */
  | { ask: 'fingerprints'; from: number }
  /** Converts a document. @property ids  for blocks that only their own document links to */
  | { ask: 'convert'; path: string; ids: readonly number[] }
  /** The parts of the document that was converted last. */
  | { ask: 'parts'; from: number }
  /** The bytes of a file of a document, from a position on. */
  | { ask: 'bytes'; path: string; file: number; from: number }

/** What is known of a document before it is converted. */
export type PlannedAnswer = PlannedEntry & Pick<PlannedDocument, 'own'>

/** The IDs of a document and of its anchors. */
export interface PassedTarget {
  path: string
  id: number
  anchors: readonly (readonly [anchor: string, id: number])[]
}

export interface SourceAnswers {
  open: {
    name: string
    title: string
    format: string
    detected: string | undefined
    problems: readonly ImportProblem[]
    folder: string | undefined
    manifest: Manifest | undefined
  }
  compare: FoundFile[]
  plan: { documents: number; problems: readonly ImportProblem[] }
  planned: readonly PlannedAnswer[]
  targets: undefined
  fingerprints: readonly (readonly [path: string, fingerprint: string])[]
  /** @property idsLeft  how many of the IDs were not used: the first ones */
  convert: { head: DocumentHead; parts: number; idsLeft: number }
  parts: readonly DocumentPart[]
  /** Undefined at the end. */
  bytes: Uint8Array | undefined
}

/**
 * `ofSpace`: the bytes are of a space, as the message says. `isLost`: the thread was started again, and has neither opened
 * nor planned anything yet.
 */
export type SourceAnswer =
  | { answer: SourceAnswers[keyof SourceAnswers] }
  | { error: ErrorBody }
  | { failure: string }
  | { ofSpace: string }
  | { isLost: true }

/** Documents in one request or answer. */
export const DOCUMENTS_PER_ANSWER = 2_000

/** Numbers that both threads share: the steps of the thread, and one more than the file that it read last. */
export const [STEPS, LAST_FILE] = [0, 1]
