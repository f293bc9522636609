/** Content to import. Readers of any format produce these values; they are then written by the rules of the space. */
import type { StoredElement } from '../../../storage/elements.ts'
import type { Block } from '../../markdown/block.ts'
import type { DependsOnInput, PropertyInput } from '../collections/schema/schema-input.ts'
import type { TypedFilter, ViewInput, ViewType } from '../collections/views/view.ts'

/** The destination of a document: a path of folder names, a daily note, or the templates. */
export type ImportPlace = { folder: readonly string[] } | { day: string } | { location: 'templates' }

/** A file that a block shows. Its bytes are only read when they are written to the space. */
export interface ImportFile {
  /** Its path in the source. */
  path: string
  /** Including the extension. */
  name: string
  /** Changes whenever the bytes change: size and modification time, or a checksum. */
  stamp: string
  size: number
  /** @throws Error if the bytes cannot be read */
  open(): AsyncIterable<Uint8Array>
}

/** A comment on a block. */
export interface ImportComment {
  content: string
  author?: string
  /** Milliseconds since 1970. */
  createdAt?: number
  resolvedBy?: string
  resolvedAt?: number
  /** The words that it is about, and which place of the same words in the block: 1 is the first. */
  about?: { words: string; place: number }
}

/** A reminder for a block, in milliseconds since 1970. */
export interface ImportReminder {
  /** Null for a block that was saved for later without a time. */
  remindAt: number | null
  completedAt?: number
}

/** The content of a whiteboard, as it is stored. `appState` is JSON. */
export interface ImportDrawing {
  elements: StoredElement[]
  assets: StoredElement[]
  appState?: string
}

/** A collection. Its items are the content of its block and have the type `collectionItem`. */
export interface ImportCollection {
  /** The name of the title column. */
  titleName: string
  /** The key of the title column. If empty or missing, it is made from the name. */
  titleKey?: string
  /** Without relations, which are written once all collections exist. */
  properties: readonly PropertyInput[]
  /** The names of its relations in the source. */
  relations: readonly string[]
  /** Written after the relations. Missing if the source has no information about views. */
  views?: ImportViews
  /** Values by property name, in the shape that calls accept. */
  values: ReadonlyMap<Block, Readonly<Record<string, unknown>>>
}

export type ImportView = Omit<ViewInput, 'id' | 'isActive' | 'filters'> & {
  name: string
  type: ViewType
  isActive?: true
  filters?: TypedFilter[] | undefined
}

export interface ImportViews {
  /** Maps the keys by which views refer to properties to property names. */
  names: ReadonlyMap<string, string>
  views: readonly ImportView[]
}

/**
 * References from the items of one collection to items of another or the same one, or to any blocks. All refer to
 * reserved IDs.
 */
export interface ImportRelation {
  collection: number
  name: string
  /** The target collection. Missing for a property of type `blockLink`, which exists already. */
  target?: number
  /** The name of the property on the other side, if the source has one. */
  otherName?: string
  /** What says which items are done, if the source says that items depend on those that the relation leads to. */
  dependsOn?: DependsOnInput
  /** The names of all properties of the collection in their order, if the source has one. */
  order?: readonly string[]
  values: ReadonlyMap<number, readonly number[]>
}

/** The content of a page, and data of its blocks that is not stored in their fields. */
export interface ImportContent {
  blocks: readonly Block[]
  /** Reserved IDs of blocks that links lead to. */
  ids: ReadonlyMap<Block, number>
  /** Files of the blocks that show one. The type and fields of these blocks are derived from the bytes. */
  files: ReadonlyMap<Block, ImportFile>
  comments: ReadonlyMap<Block, readonly ImportComment[]>
  reminders: ReadonlyMap<Block, ImportReminder>
  /** Drawings of blocks of type `whiteboard`. */
  drawings: ReadonlyMap<Block, ImportDrawing>
  /** Schemas and values of blocks of type `collection`. */
  collections: ReadonlyMap<Block, ImportCollection>
}

/** Everything in a content except its blocks, while it is being built. */
export interface ContentMaps {
  ids: Map<Block, number>
  files: Map<Block, ImportFile>
  comments: Map<Block, ImportComment[]>
  reminders: Map<Block, ImportReminder>
  drawings: Map<Block, ImportDrawing>
  collections: Map<Block, ImportCollection>
}

export const contentMaps = (): ContentMaps => ({
  ...{ ids: new Map(), files: new Map(), comments: new Map(), reminders: new Map() },
  ...{ drawings: new Map(), collections: new Map() },
})

/** Adds the maps of one content to another. */
export function mergeContent(into: ContentMaps, from: ImportContent): void {
  for (const key of ['ids', 'files', 'comments', 'reminders', 'drawings', 'collections'] as const) {
    for (const [block, value] of from[key]) (into[key] as Map<Block, unknown>).set(block, value)
  }
}

/** Returns a content that consists only of blocks. */
export const plainContent = (blocks: readonly Block[]): ImportContent => ({ blocks, ...contentMaps() })

/** The text that a document was made from, which an export can write again. */
export interface ImportSourceText {
  /** The path of the file in its source. */
  path: string
  /** True if it was read as a note of a vault. */
  isVault: boolean
  /** The text, compressed, in base64. */
  packed: string
}

/** A document with its content. */
export interface ImportDocument extends ImportContent {
  title: string
  /** Missing if an export has to write it in our own spelling. */
  source?: ImportSourceText
  place: ImportPlace
  /** Milliseconds since 1970. If the source has none, the time of the import is used. */
  createdAt?: number
  modifiedAt?: number
}
