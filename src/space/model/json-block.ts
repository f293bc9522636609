/** A block as `blocks_get` returns it in JSON. */
import type { BlockFields } from '../../markdown/block.ts'
import type { Title } from '../../markdown/inline-title.ts'

export interface BlockComment {
  id: string
  author: string
  content: string
  createdAt: string
  resolvedAt?: string
  resolvedBy?: string
  /** Present if it names members who are called once somebody who may write has confirmed it. */
  confirmed?: false
  /** For a thread about words: its first comment, as it was, and the words. */
  threadId?: string
  words?: string
  /** Present if the words are gone. */
  areWordsGone?: true
}

export interface LinkedFrom {
  blockId: string
  documentId?: string
  title: string
}

export interface BlockMetadata {
  createdAt: string
  lastModifiedAt: string
  createdBy: string
  lastModifiedBy: string
  comments?: BlockComment[]
  linkedFrom?: LinkedFrom[]
  hasMoreLinks?: true
  /** Of a task: what it waits for. */
  blockedBy?: { id: string; title: string; isDone?: true }[]
}

/** The block with its whole level in `indentationLevel`, as Markdown and lists need it. */
export const withDepth = (block: JsonBlock): JsonBlock =>
  block.depth === undefined ? block : { ...block, indentationLevel: block.depth }

export interface JsonBlock extends Omit<BlockFields, 'text' | 'title' | 'blockedBy'> {
  id: string
  markdown: string
  /** The level in lists, where it is deeper than `indentationLevel` can say. */
  depth?: number
  /** The color as it is displayed on light backgrounds. */
  displayColor?: string
  title?: Title | string
  rawCode?: string
  properties?: Record<string, unknown>
  metadata?: BlockMetadata
  content?: JsonBlock[]
  contentPreviewMd?: string
  itemsPreviewMd?: string
  /** Present on a page that an earlier part of the response has started. */
  continued?: true
  revision?: string
  pagination?: { cursor: string; remaining: number }
  /** For the requested block: the pages that contain it, beginning with the document. Absent for a document. */
  pageBlockPath?: { id: string; content: string }[]
}
