/** The names of tags that stand for blocks. From `collection` on, they are output only. */
export const BLOCK_TAG_NAMES = [
  ...['page', 'card', 'pageTitle', 'content', 'callout', 'caption', 'whiteboard', 'drawing'],
  ...['collection', 'collectionItem', 'properties', 'property', 'contentPreview', 'itemsPreview'],
] as const
export type TagName = (typeof BLOCK_TAG_NAMES)[number]

const ANY = new RegExp(`</?(?:${BLOCK_TAG_NAMES.join('|')})\\b`)

/** True if a text contains anything like one of this program's tags. */
export const mayHoldTags = (text: string): boolean => ANY.test(text)
