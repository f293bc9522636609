/** What pages need of the server to import and export, which it also does over REST. */
import type { ImportStatus } from '../../http/archives/import-jobs.ts'
import type { ImportFormatName } from '../../import/format-names.ts'
import type { ExportChoice } from '../../space/export/list-documents.ts'

/** The form with a file to import. */
export const IMPORT_PATH = '/import'

/** The paths to which forms with files are sent. The page of such a form reads it. */
export const takesFile = (path: string): boolean => path === IMPORT_PATH || /^\/d\/[\w-]+\/cover$/.test(path)

/** The file of a form, and its other fields. */
export interface FormFile {
  /** Empty if no file was chosen. */
  name: string
  bytes: Uint8Array
  fields: URLSearchParams
}

export interface ImportChoice {
  /** Identifies the source, so that a later import recognizes it. */
  name: string
  as: ImportFormatName | undefined
  /** The ID of a folder. */
  into: string | undefined
  collections: boolean
  /** Whether to move documents to the trash whose files are gone. */
  delete: boolean
}

export interface MarkdownChoice extends ExportChoice {
  hasIds: boolean
  links: 'relative' | 'wiki' | undefined
}

/** The name and type of a file that a browser saves. */
export interface SavedFile {
  name: string
  type: string
}

/** Imports and exports of one request. */
export interface PageTransfers {
  /**
   * Receives the file of the form that was submitted, and starts a dry run of its import. The file is held for a while,
   * so that it can be imported afterwards.
   *
   * @param readChoice  reads the fields
   * @returns the ID of the dry run
   * @throws FORBIDDEN if the form is not of this session; VALIDATION_ERROR without a file, and for what cannot be
   *   imported; CONFLICT while another import of the space runs
   */
  preview(readChoice: (fields: URLSearchParams, fileName: string) => ImportChoice): Promise<string>
  /**
   * Reads a small file of the form that was submitted.
   *
   * @throws FORBIDDEN if the form is not of this session; PAYLOAD_TOO_LARGE
   */
  readFile(): Promise<FormFile>
  /** True if this visitor can still import what this dry run looked at. */
  isHeld(dryRun: string): boolean
  /** Imports what a dry run looked at. @returns the ID of the import @throws NOT_FOUND_ERROR if it is no longer held */
  start(dryRun: string): Promise<string>
  /** Stops an import of this process, and forgets the file of a dry run. */
  stop(id: string): Promise<void>
  /** @throws NOT_FOUND_ERROR */
  status(id: string): Promise<ImportStatus>
  /** The ID of the import that runs in the space. */
  running(): Promise<string | undefined>
  /** Exports documents as a zip of Markdown. @throws CONFLICT while another export of the space runs */
  exportMarkdown(file: SavedFile, choice: MarkdownChoice): Promise<Response>
  /**
   * Stores what `write` puts out, then sends it, so that a failure is no half of a file.
   *
   * @throws CONFLICT while another export of the space runs; PAYLOAD_TOO_LARGE beyond so many bytes; errors of `write`
   */
  exportFile(file: SavedFile, write: (put: PutText) => Promise<void>, mostBytes: number): Promise<Response>
}

export type PutText = (text: string) => Promise<void>
