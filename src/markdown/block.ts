/**
 * A block: one paragraph, heading, task, image, page … as a value.
 *
 * It is what Markdown is read to and written from, and what a space stores. Source: the interface's
 * "Resources and their fields" and the shapes it leaves open, 1.
 */

export const BLOCK_TYPES = [
  'text',
  'page',
  'collectionItem',
  'image',
  'video',
  'file',
  'drawing',
  'whiteboard',
  'table',
  'collection',
  'code',
  'richUrl',
  'line',
] as const
export type BlockType = (typeof BLOCK_TYPES)[number]

export const LIST_STYLES = ['none', 'bullet', 'numbered', 'toggle', 'task'] as const
export const TEXT_STYLES = ['card', 'page', 'h1', 'h2', 'h3', 'h4', 'caption', 'body'] as const
export const TEXT_ALIGNMENTS = ['left', 'center', 'right', 'justify'] as const
export const FONTS = ['system', 'serif', 'rounded', 'mono'] as const
export const CARD_LAYOUTS = ['small', 'square', 'regular', 'large'] as const
export const LINE_STYLES = ['strong', 'regular', 'light', 'extraLight', 'pageBreak'] as const
export const TASK_STATES = ['todo', 'done', 'canceled'] as const
export const DECORATIONS = ['callout', 'quote'] as const
export const MEDIA_SIZES = ['fit', 'fill'] as const
export const MEDIA_WIDTHS = ['auto', 'fullWidth'] as const
export const BLOCK_LAYOUTS = ['small', 'regular', 'card'] as const
/** Levels of list nesting inside a page: 0 to 5. */
export const MAX_INDENTATION = 5

export const HIGHLIGHT_COLORS = [
  'yellow',
  'green',
  'mint',
  'cyan',
  'blue',
  'purple',
  'pink',
  'red',
  'gray',
  'gradient-blue',
  'gradient-purple',
  'gradient-red',
  'gradient-yellow',
  'gradient-brown',
] as const

export const CODE_LANGUAGES = [
  ...['ada', 'bash', 'cpp', 'cs', 'css', 'dart', 'dockerfile', 'matlab', 'go', 'groovy', 'haskell', 'html', 'java'],
  ...['javascript', 'json', 'julia', 'kotlin', 'lua', 'markdown', 'mermaid', 'objectivec', 'perl', 'php', 'prolog'],
  ...['plaintext', 'python', 'r', 'ruby', 'rust', 'scala', 'shell', 'sql', 'swift', 'typescript', 'vbnet', 'xml'],
  ...['yaml', 'math_formula', 'other'],
] as const

export type TextStyle = (typeof TEXT_STYLES)[number]
export type ListStyle = (typeof LIST_STYLES)[number]
export type LineStyle = (typeof LINE_STYLES)[number]
export type CardLayout = (typeof CARD_LAYOUTS)[number]
export type TaskState = (typeof TASK_STATES)[number]
export type HighlightColor = (typeof HIGHLIGHT_COLORS)[number]
export type CodeLanguage = string

export interface TaskInfo {
  state: TaskState
  scheduleDate?: string
  deadlineDate?: string
  completedAt?: string
  canceledAt?: string
  repeat?: object
}

export interface Decorations {
  callout?: true
  quote?: true
}

/** Everything of a block but its identity, its place and its children. Absent means the default. */
export interface BlockFields {
  type: BlockType
  /**
   * What it says: for `text` its inline Markdown, normalised, without the prefix of its line (`a **b**`, never
   * `- a **b**`); for `page`, `collectionItem` and `collection` the title as inline Markdown on one line; for `code` the
   * source itself; for `table` a normalised GFM table; for all others the empty string.
   */
  text: string
  indentationLevel?: number
  listStyle?: Exclude<ListStyle, 'none'>
  decorations?: Decorations
  color?: string
  colorDark?: string
  taskInfo?: TaskInfo
  textStyle?: Exclude<TextStyle, 'body'>
  textAlignment?: Exclude<(typeof TEXT_ALIGNMENTS)[number], 'left'>
  font?: (typeof FONTS)[number]
  cardLayout?: CardLayout
  styling?: object
  /** image, video, file, drawing, whiteboard, richUrl */
  url?: string
  /** image, video */
  altText?: string
  size?: (typeof MEDIA_SIZES)[number]
  width?: (typeof MEDIA_WIDTHS)[number]
  /** image, video, file */
  uploaded?: boolean
  fileSize?: number
  mimeType?: string
  /** image */
  aspectRatio?: number
  previewImageWidth?: number
  isPreviewImageUploaded?: boolean
  /** file */
  fileName?: string
  blockLayout?: (typeof BLOCK_LAYOUTS)[number]
  /** richUrl */
  title?: string
  description?: string
  layout?: (typeof BLOCK_LAYOUTS)[number]
  /** line; absent is `regular` */
  lineStyle?: Exclude<LineStyle, 'regular'>
  separatorStyle?: string
  /** code; absent is `plaintext`, and a formula is `math_formula` */
  language?: CodeLanguage
}

/** A block with what it holds. `id` is there when the block exists already, or when the text named it. */
export interface Block extends BlockFields {
  id?: string
  content?: Block[]
  /** Input only: what the caller says of the file that the block shows, to be compared with the file. */
  statedFacts?: Readonly<Record<string, unknown>>
  /** Output only: the first lines of the content, where a depth limit left the content itself out. */
  contentPreview?: string
  /** Output only, of a collection: the keys of its properties. */
  propertyKeys?: readonly string[]
  /** Output only, of an item: what it says on its properties, in words. */
  propertyTexts?: readonly (readonly [key: string, text: string])[]
  /** Output only, of a whiteboard: what is drawn on it, in words. */
  reading?: string
}
