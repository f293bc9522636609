/** The names of the tags that stand for blocks; from `collection` on, those that are output only. */
export const BLOCK_TAG_NAMES = [
  ...['page', 'card', 'pageTitle', 'content', 'callout', 'caption', 'whiteboard', 'drawing'],
  ...['collection', 'collectionItem', 'properties', 'property', 'contentPreview', 'itemsPreview'],
] as const
export type TagName = (typeof BLOCK_TAG_NAMES)[number]
