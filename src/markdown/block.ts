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
/** The greatest `indentationLevel` in JSON, where `depth` says how deep a block really is. See `LIST_LEVELS`. */
export const MAX_INDENTATION = 5
/** The greatest level of a block in lists. */
export const LIST_LEVELS = 32
/** The greatest number of a list item: nine digits, as in CommonMark. */
export const MAX_LIST_NUMBER = 999_999_999

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
  assignee?: Assignee
}

/** Who does a task: the digits of the ID of a member, or a name. What is read has both. */
export type Assignee = string | { readonly id?: string | undefined; readonly name: string }

/** One of the callouts that a block is in. The properties are those of a callout that begins at the block. */
export interface CalloutLevel {
  /** True if the callout begins at this block. Otherwise it goes on from the block before, if that has one as deep. */
  starts?: true
  title?: string
  /** Six hex digits after `#`. */
  color?: string
  /** One character, such as an emoji, or the name of a kind, such as `tip`. */
  icon?: string
  folded?: true
}

export type Callout = true | readonly CalloutLevel[]

export interface Decorations {
  callout?: Callout
  quote?: true
}

/** All fields of a block except its identity, position and children. Absent fields have their default. */
export interface BlockFields {
  type: BlockType
  /**
   * The content. For `text`, normalized inline Markdown without the prefix of its line (`a **b**`, never `- a **b**`).
   * For `page`, `collectionItem` and `collection`, the title as inline Markdown on one line. For `code`, the source.
   * For `table`, a normalized GFM table. For all other types, the empty string.
   */
  text: string
  /** The level in lists: 0 to `LIST_LEVELS`. In JSON it ends at `MAX_INDENTATION`. */
  indentationLevel?: number
  listStyle?: Exclude<ListStyle, 'none'>
  /** numbered: the number of the item, if counting its list would give another one. From 0 to 999,999,999. */
  number?: number
  decorations?: Decorations
  /** As it was sent: `#` and six hex digits in either case. */
  color?: string
  taskInfo?: TaskInfo
  /** task: the IDs of the tasks that it waits for. Some may not exist any more. */
  blockedBy?: readonly number[]
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
  /** line; absent means `regular` */
  lineStyle?: Exclude<LineStyle, 'regular'>
  separatorStyle?: string
  /** code; absent means `plaintext`, and `math_formula` is a formula */
  language?: CodeLanguage
  /**
   * code: the info string of the fence as it was written, on one line (`js title="x"`), if `language` alone says less.
   * `language` follows from its first word.
   */
  info?: string
}

/** What a caller states about the file of a block, by field. */
export interface StatedFacts {
  path: string
  facts: Readonly<Record<string, unknown>>
}

/** A block with its children. `id` is set if the block exists already, or if the text names it. */
export interface Block extends BlockFields {
  id?: string
  content?: Block[]
  /** Input only: what a caller states about the displayed file, and the path of the block in the call. */
  statedFacts?: StatedFacts
  /** Input only: the path of the block in the call, if it has `taskInfo` and is no task. */
  ignoredTaskInfo?: string
  /**
   * Input only: the number that the text begins with. Alone it is text, as in `24. Dezember`; where a list or the caller
   * asks for an item, it is the number of that item. See `asListItem`.
   */
  leadingNumber?: number
  /**
   * Input only, for tables: rows that were written with fewer cells than the table has columns, by number (0 is the
   * header row), and how many cells they have. The table has empty cells in place of the others.
   */
  shortRows?: ReadonlyMap<number, number>
  /** Input only: standard Markdown reads what was written as code, since it is indented by four spaces or more. */
  isIndentedCode?: true
  /** Input only, for collections in the edited text of a page: their source. They keep all that they hold. */
  asRead?: string
  /** Output only: the first lines of the content, if a depth limit cut off the content. */
  contentPreview?: string
  /** Output only, for collections: the keys of the properties. */
  propertyKeys?: readonly string[]
  /** Output only, for items: the values of the properties as text. */
  propertyTexts?: readonly (readonly [key: string, text: string])[]
  /** Output only, for whiteboards: a description of the drawing. */
  reading?: string
}

/**
 * Stands for the info string in a block of code that is an HTML comment of several lines. Such a comment is code
 * because nothing in it is Markdown. One that ends on its line is part of a text.
 */
export const COMMENT_INFO = '<!---->'

export const isCommentBlock = ({ type, info }: Pick<BlockFields, 'type' | 'info'>): boolean =>
  type === 'code' && info === COMMENT_INFO
