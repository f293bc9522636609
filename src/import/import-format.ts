/** What a format is: it walks a source once, and makes documents of it one by one. */
import type { ImportDocument, ImportRelation } from '../space/import/imported-content.ts'
import type { ImportProblem, ImportSource } from './import-source.ts'

export interface ImportFormat {
  name: string
  /** Whether a source looks as if it were of this format. */
  detects(source: ImportSource): boolean | Promise<boolean>
  /** Walks the whole source: finds what there is, and what refers to what. */
  plan(source: ImportSource, options?: PlanOptions): Promise<ImportPlan>
}

export interface PlanOptions {
  /** Whether folders of notes with properties become collections. */
  collections?: boolean
}

export interface ImportPlan {
  documents: readonly PlannedDocument[]
  /** What was found out on the way that was not carried over. */
  problems: ImportProblem[]
  /** Removes what was unpacked for it. */
  close?(): Promise<void>
}

/** A document as it is known before its links have ends. */
export interface PlannedDocument {
  /** Where it is in the source: no two have the same. */
  path: string
  /** How others link to blocks in it. */
  anchors: readonly string[]
  /** Changes when anything does that the document is made from. @param ends  what its links lead to */
  fingerprint(ends: LinkEnds): string
  /** @throws ScriptoriumError or Error for content that cannot be read */
  convert(ends: LinkEnds): Promise<ConvertedDocument>
}

/** The IDs that documents and blocks have, or get when they are written. */
export interface LinkEnds {
  /** @param anchor  of a block; absent for the document itself */
  idOf(path: string, anchor?: string): number | undefined
  /** An ID for a block of the document that nothing outside of it links to. */
  newId(): number
}

export interface ConvertedDocument extends ImportDocument {
  problems: ImportProblem[]
  /** Links that lead to documents, blocks and files. */
  links: number
  /** What is written once all documents are. */
  relations?: readonly ImportRelation[]
}
