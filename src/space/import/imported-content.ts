/** What is to be imported, as values: made from the files of any source, and written by the rules of the space. */
import type { Block } from '../../markdown/block.ts'
import type { PropertyInput } from '../collections/schema/schema-input.ts'
import type { ViewInput, ViewType } from '../collections/views/view.ts'

/** Where a document is to stand: below folders of these names, as the note of a day, or among the templates. */
export type ImportPlace = { folder: readonly string[] } | { day: string } | { location: 'templates' }

/** A file that a block shows. Its bytes are read when they are written. */
export interface ImportFile {
  /** Where it is in its source. */
  path: string
  /** With its extension. */
  name: string
  /** Changes when its bytes do: a size with a time, or a checksum. */
  stamp: string
  size: number
  /** @throws Error for bytes that cannot be read */
  open(): AsyncIterable<Uint8Array>
}

/** A comment that stood in a text. */
export interface ImportComment {
  content: string
  author?: string
  /** Milliseconds since 1970. */
  createdAt?: number
  resolvedBy?: string
  resolvedAt?: number
}

/** When somebody wants to hear of a block: milliseconds since 1970. */
export interface ImportReminder {
  /** Null where it is saved for later. */
  remindAt: number | null
  completedAt?: number
}

/** What is drawn on a whiteboard, as Excalidraw has it. Elements may be in short form. */
export interface ImportDrawing {
  elements: readonly object[]
  assets?: Record<string, unknown>
  appState?: Record<string, unknown>
}

/** A collection. Its items are the content of its block, of type `collectionItem`. */
export interface ImportCollection {
  /** The name of the column of titles. */
  titleName: string
  /** Its key; from the name where it is empty or absent. */
  titleKey?: string
  /** Without relations, which are written once all collections are there. */
  properties: readonly PropertyInput[]
  /** The names of relations that it has in the source. */
  relations: readonly string[]
  /** Written once its relations are; absent where the source does not say. */
  views?: ImportViews
  /** Values by the name of their property, as calls give them. */
  values: ReadonlyMap<Block, Readonly<Record<string, unknown>>>
}

export type ImportView = Omit<ViewInput, 'id' | 'isActive'> & { name: string; type: ViewType; isActive?: true }

export interface ImportViews {
  /** Names of properties by the keys that views name them by. */
  names: ReadonlyMap<string, string>
  views: readonly ImportView[]
}

/**
 * Items of one collection that refer to items of another, or of the same, or to any blocks. All by their IDs, drawn
 * beforehand.
 */
export interface ImportRelation {
  collection: number
  name: string
  /** The other collection; absent for a property of type `blockLink`, which is there already. */
  target?: number
  /** The name of the property on the other side, where the source has one. */
  otherName?: string
  /** The names of all properties of the collection, in their order, where the source has one. */
  order?: readonly string[]
  values: ReadonlyMap<number, readonly number[]>
}

/** The content of a page, with what its blocks have besides their fields. */
export interface ImportContent {
  blocks: readonly Block[]
  /** IDs that were drawn beforehand, since links lead to these blocks. */
  ids: ReadonlyMap<Block, number>
  /** Of blocks that show files. Their type and fields follow from the bytes. */
  files: ReadonlyMap<Block, ImportFile>
  comments: ReadonlyMap<Block, readonly ImportComment[]>
  reminders: ReadonlyMap<Block, ImportReminder>
  /** Of blocks of type `whiteboard`. */
  drawings: ReadonlyMap<Block, ImportDrawing>
  /** Of blocks of type `collection`. */
  collections: ReadonlyMap<Block, ImportCollection>
}

/** All of a content but its blocks, while it is made. */
export interface ContentMaps {
  ids: Map<Block, number>
  files: Map<Block, ImportFile>
  comments: Map<Block, readonly ImportComment[]>
  reminders: Map<Block, ImportReminder>
  drawings: Map<Block, ImportDrawing>
  collections: Map<Block, ImportCollection>
}

export const contentMaps = (): ContentMaps => ({
  ...{ ids: new Map(), files: new Map(), comments: new Map(), reminders: new Map() },
  ...{ drawings: new Map(), collections: new Map() },
})

/** Puts what one content has into another. */
export function mergeContent(into: ContentMaps, from: ImportContent): void {
  for (const key of ['ids', 'files', 'comments', 'reminders', 'drawings', 'collections'] as const) {
    for (const [block, value] of from[key]) (into[key] as Map<Block, unknown>).set(block, value)
  }
}

/** Content of blocks alone. */
export const plainContent = (blocks: readonly Block[]): ImportContent => ({ blocks, ...contentMaps() })

/** A document with its content. */
export interface ImportDocument extends ImportContent {
  title: string
  place: ImportPlace
  /** Milliseconds since 1970; when it is imported, where the source does not say. */
  createdAt?: number
  modifiedAt?: number
}
