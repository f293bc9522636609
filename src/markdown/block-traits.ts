/** What the code needs to know about each type of blocks. A new type does not compile without its line here. */
import type { BlockType } from './block.ts'

export interface BlockTraits {
  /** What its `text` is. Blocks without a text have an empty inline text. */
  text: 'inline' | 'title' | 'table' | 'code'
  /** What its `url` is for: a file that is shown in place, a file that is opened, or a link. */
  url: 'shown' | 'file' | 'link'
  /** What can be added into it. */
  holds: 'blocks' | 'items' | 'nothing'
  /** True if answers have its `content` even if it is empty. */
  showsEmptyContent: boolean
  /** True if its text can contain the tag of a comment. */
  marksComments: boolean
  /** How its Markdown begins if it is nothing but an address: `![label](url)`, `[label](url)`. */
  written: '![' | '[' | 'otherwise'
  /** The field with the label of that Markdown. */
  label: 'altText' | 'fileName' | 'title' | undefined
}

/** Blocks that are text, or are written with text of their own. */
const OWN_TEXT = { showsEmptyContent: false, marksComments: false, written: 'otherwise', label: undefined } as const
/** Blocks that are an address. */
const MEDIA = { holds: 'nothing', showsEmptyContent: false, marksComments: false } as const

const BLOCK_TRAITS: Readonly<Record<BlockType, BlockTraits>> = {
  // A text block that receives children becomes a page.
  text: { text: 'inline', url: 'link', holds: 'blocks', ...OWN_TEXT, marksComments: true },
  page: { text: 'title', url: 'link', holds: 'blocks', ...OWN_TEXT, marksComments: true, showsEmptyContent: true },
  collectionItem: { text: 'title', url: 'link', holds: 'blocks', ...OWN_TEXT, marksComments: true },
  collection: { text: 'title', url: 'link', holds: 'items', ...OWN_TEXT, showsEmptyContent: true },
  image: { text: 'inline', url: 'shown', ...MEDIA, written: '![', label: 'altText' },
  video: { text: 'inline', url: 'shown', ...MEDIA, written: '![', label: 'altText' },
  file: { text: 'inline', url: 'file', ...MEDIA, written: '[', label: 'fileName' },
  drawing: { text: 'inline', url: 'link', ...MEDIA, written: '![', label: undefined },
  whiteboard: { text: 'inline', url: 'link', holds: 'nothing', ...OWN_TEXT },
  table: { text: 'table', url: 'link', holds: 'nothing', ...OWN_TEXT },
  code: { text: 'code', url: 'link', holds: 'nothing', ...OWN_TEXT },
  richUrl: { text: 'inline', url: 'link', ...MEDIA, written: '[', label: 'title' },
  line: { text: 'inline', url: 'link', holds: 'nothing', ...OWN_TEXT },
}

/** @param type  of a block, also as rows have it: a CHECK of the table allows no others */
export function traitsOf(type: string): BlockTraits {
  const traits = TRAITS.get(type)
  if (traits === undefined) throw new Error(`Expected a type of blocks, found ${type}.`)
  return traits
}

const TRAITS: ReadonlyMap<string, BlockTraits> = new Map(Object.entries(BLOCK_TRAITS))

/** True for types whose text is a title: the name of a page, an item or a collection. */
export const hasTitle = (type: string): boolean => traitsOf(type).text === 'title'

/** True for types whose text is a table in Markdown. */
export const isTableText = (type: string): boolean => traitsOf(type).text === 'table'

/** True for types whose text is code: nothing in it is Markdown. */
export const isCodeText = (type: string): boolean => traitsOf(type).text === 'code'
