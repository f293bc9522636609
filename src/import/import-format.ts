/** The interface of an import format: it scans the source once, then converts documents one by one. */
import type { SourceContent } from '../space/import/import-record.ts'
import type { ImportDocument, ImportRelation } from '../space/import/imported-content.ts'
import type { ImportProblem, ImportSource } from './import-source.ts'

export type { SourceContent } from '../space/import/import-record.ts'

export type Detection = string | boolean | undefined

export interface ImportFormat {
  name: string
  /** Whether a source seems to have this format: a clause that says why, for the report, or only whether. */
  detects(source: ImportSource): Detection | Promise<Detection>
  /** Why this format was chosen, as the report says it. Absent if somebody named it. */
  detected?: string | undefined
  /** Scans the whole source: lists its documents and the links between them. */
  plan(source: ImportSource, options?: PlanOptions): Promise<ImportPlan>
}

export interface PlanOptions {
  /** Whether to turn folders of notes with properties into collections. */
  collections?: boolean
  past?: PastPaths
}

/** What earlier imports and exports tell about the files of a source. */
export interface PastPaths {
  /** The present path of a file by each path that it had before. Links may still lead there. */
  renamed: ReadonlyMap<string, string>
  /** Documents whose files are gone, with the anchors of blocks in them. Links still lead to them. */
  gone: ReadonlyMap<string, readonly string[]>
  /** Files that belong to documents here, and so become no documents of their own. */
  known: ReadonlySet<string>
}

export interface ImportPlan {
  documents: readonly PlannedDocument[]
  /** Problems that were found during the scan. */
  problems: ImportProblem[]
  /** Deletes temporary files. */
  close?(): Promise<void>
}

/** A document before the targets of its links are known. */
export interface PlannedDocument {
  /** Its path in the source, which is unique. */
  path: string
  /** Anchors of the blocks in it that others link to. */
  anchors: readonly string[]
  /** What it is made from. By default, that is the content of the file at its path. */
  content?: SourceContent
  /** For a note of our own export: its ID, and those of its parts. */
  own?: OwnIds
  /** Changes whenever anything changes that the document is made from. @param targets  the targets of its links */
  fingerprint(targets: LinkTargets): string | Promise<string>
  /** @throws ScriptoriumError or Error if the content cannot be read */
  convert(targets: LinkTargets): Promise<ConvertedDocument>
}

/** The IDs in the front matter of a note and of the notes that are part of it. */
export interface OwnIds {
  id?: number
  parts: readonly { path: string; id?: number }[]
}

/** The targets of links: the IDs that documents and blocks have, or will have once they are written. */
export interface LinkTargets {
  /** @param anchor  anchor of a block; undefined for the document itself */
  idOf(path: string, anchor?: string): number | undefined
  /** Returns an ID for a block of the document that is not a target of links from outside. */
  newId(): number
}

export interface ConvertedDocument extends ImportDocument {
  problems: ImportProblem[]
  /** How many links lead to documents, blocks and files. */
  links: number
  /** Relations that are written after all documents. */
  relations?: readonly ImportRelation[]
}
