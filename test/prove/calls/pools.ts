/** What calls can refer to: IDs by kind. */
export interface Pools {
  /** True if no one else changes the space in the meantime. */
  isAlone: boolean
  /** The IDs of root blocks. */
  documents: string[]
  templates: string[]
  folders: string[]
  /** Blocks that can contain blocks. */
  holders: string[]
  texts: string[]
  pages: string[]
  codes: string[]
  /** Pages whose blocks are one line each. */
  linePages: string[]
  /** All blocks inside of documents, of any type. */
  blocks: string[]
  tasks: string[]
  collections: CollectionPool[]
  reminders: string[]
  comments: string[]
  boards: { id: string; elements: string[] }[]
  /** IDs that no longer exist or never existed. */
  gone: string[]
}

export interface CollectionPool {
  id: string
  properties: PropertyPool[]
  items: string[]
  views: string[]
}

/** A property as it appears in responses. */
export interface PropertyPool {
  key: string
  name: string
  type: string
  options?: { name: string; color?: string }[]
  targetCollectionId?: string
  isBackReference?: boolean
}

export const emptyPools = (): Pools => ({
  isAlone: false,
  ...{
    documents: [],
    templates: [],
    folders: [],
    holders: [],
    texts: [],
    pages: [],
    codes: [],
    linePages: [],
    blocks: [],
    tasks: [],
  },
  ...{ collections: [], reminders: [], comments: [], boards: [], gone: ['199999999999'] },
})
