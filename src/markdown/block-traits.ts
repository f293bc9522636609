/** What the code needs to know about each type of blocks. A new type does not compile without its line here. */
import type { BlockType } from './block.ts'

export interface BlockTraits {
  /** What its `text` is. Blocks without a text have an empty inline text. */
  text: 'inline' | 'title' | 'table' | 'code'
  /** What its `url` is for: a file that is shown in place, a file that is opened, or a link. */
  url: 'shown' | 'file' | 'link'
  /** What can be added into it. */
  holds: 'blocks' | 'items' | 'nothing'
}

const BLOCK_TRAITS: Readonly<Record<BlockType, BlockTraits>> = {
  // A text block that receives children becomes a page.
  text: { text: 'inline', url: 'link', holds: 'blocks' },
  page: { text: 'title', url: 'link', holds: 'blocks' },
  collectionItem: { text: 'title', url: 'link', holds: 'blocks' },
  collection: { text: 'title', url: 'link', holds: 'items' },
  image: { text: 'inline', url: 'shown', holds: 'nothing' },
  video: { text: 'inline', url: 'shown', holds: 'nothing' },
  file: { text: 'inline', url: 'file', holds: 'nothing' },
  drawing: { text: 'inline', url: 'link', holds: 'nothing' },
  whiteboard: { text: 'inline', url: 'link', holds: 'nothing' },
  table: { text: 'table', url: 'link', holds: 'nothing' },
  code: { text: 'code', url: 'link', holds: 'nothing' },
  richUrl: { text: 'inline', url: 'link', holds: 'nothing' },
  line: { text: 'inline', url: 'link', holds: 'nothing' },
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
