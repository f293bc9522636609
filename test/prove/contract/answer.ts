/** What a connection answered, in one shape for all transports. */

/** An object in an answer: the fields that checks read, of all shapes of the contract. */
export interface Thing {
  [field: string]: unknown
  id: string
  type: string
  title: unknown
  name: string
  markdown: string
  items: Thing[]
  content: Thing[]
  views: Thing[]
  elements: Thing[]
  folders: Thing[]
  blocks: Thing[]
  beforeBlocks: Thing[]
  afterBlocks: Thing[]
  comments: Thing[]
  options: Thing[]
  properties: Thing
  location: Thing
  taskInfo: Thing
  metadata: Thing
  schema: Thing
  space: Thing
  utc: Thing
  urlTemplates: Thing
  destination: Thing
  pagination: Thing
  collectionBlockId: string
  whiteboardBlockId: string
  blockId: string
  documentId: string
  commentId: string
  assetUrl: string
  clickableLink: string
  activeViewId: string
}

export interface Answer {
  isRefused: boolean
  /** The HTTP status, over REST. */
  status?: number
  /** The code of a refusal. */
  code?: string
  /** The sentence of a refusal. */
  error: string
  /** The answer as an object; without fields if it is none. */
  body: Thing
  /** The answer as it was sent. */
  text: string
  /** HTTP headers, over REST. */
  headers: Record<string, string>
}

/** The JSON of a text, or an object without fields if the text is no JSON of an object. */
export function thingIn(text: string): Thing {
  try {
    const value: unknown = JSON.parse(text)
    return (typeof value === 'object' && value !== null ? value : {}) as Thing
  } catch {
    return {} as Thing
  }
}
