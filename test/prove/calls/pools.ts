/** What calls can be about: IDs by what they are of. */
export interface Pools {
  /** Whether nobody else changes the space meanwhile. */
  isAlone: boolean
  /** Root blocks. */
  documents: string[]
  templates: string[]
  folders: string[]
  /** What can hold blocks. */
  holders: string[]
  texts: string[]
  pages: string[]
  codes: string[]
  /** Pages with blocks, each of them one line. */
  linePages: string[]
  /** All that stand in a document, whatever they are. */
  blocks: string[]
  tasks: string[]
  collections: CollectionPool[]
  reminders: string[]
  comments: string[]
  boards: { id: string; elements: string[] }[]
  /** IDs of what is no more, if it ever was. */
  gone: string[]
}

export interface CollectionPool {
  id: string
  properties: PropertyPool[]
  items: string[]
  views: string[]
}

/** A property as answers show it. */
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
