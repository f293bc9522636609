/** The interface of an import format: it scans the source once, then converts documents one by one. */
import type { ImportDocument, ImportRelation } from '../space/import/imported-content.ts'
import type { ImportProblem, ImportSource } from './import-source.ts'

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
  /** Changes whenever anything changes that the document is made from. @param targets  the targets of its links */
  fingerprint(targets: LinkTargets): string | Promise<string>
  /** @throws ScriptoriumError or Error if the content cannot be read */
  convert(targets: LinkTargets): Promise<ConvertedDocument>
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
