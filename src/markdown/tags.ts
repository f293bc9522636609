/**
 * Finds tags in texts: `#tag`, nested as `#project/alpha`.
 *
 *     See #project/alpha, not a#b or `#code`
 *         ^^^^^^^^^^^^^^
 *
 * A tag stands at the start of a text or after white space, and has at least one letter, of any script. Code, formulas,
 * links and addresses contain none. Upper and lower case are the same tag. Tags are written as in Obsidian, whose notes
 * keep theirs when they are imported and exported.
 */

import { TAG_LENGTH } from '../base/limits.ts'
import { isLineBreak } from './inline/html-tags.ts'
import { type InlineNode, isContainer } from './inline/inline-node.ts'

/** A tag in a text. */
export interface TagPlace {
  /** As it is written, without the `#`. */
  name: string
  /** The place of the `#`, and the end, in UTF-16 code units. */
  start: number
  end: number
}

const LETTER = /\p{L}/u
/** Letters, digits and emoji with what joins them, `_` and `-`. */
const PART = '[\\p{L}\\p{M}\\p{N}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\u200c\\u200d\\ufe0f_-]+'
const TAG = new RegExp(`(?<!\\S)#(${PART}(?:\\/${PART})*)`, 'gu')
const WHOLE = new RegExp(`^${PART}(?:\\/${PART})*$`, 'u')

/**
 * The tags of a text without markup.
 *
 * @param isAfterSpace  false if the text follows something other than white space on its line
 */
export function tagsInPlainText(text: string, isAfterSpace = true): TagPlace[] {
  if (!text.includes('#')) return []
  return [...text.matchAll(TAG)].flatMap(({ 0: { length }, 1: name = '', index }) =>
    (index > 0 || isAfterSpace) && isTagName(name) ? [{ name, start: index, end: index + length }] : [],
  )
}

/** True if `#` with this name is a tag. */
export const isWrittenTag = (name: string): boolean => isTagName(name) && WHOLE.test(name)

/** True for what can be the name of a tag. In front matter a name may also have spaces, as tags of Evernote have. */
export const isTagName = (name: string): boolean =>
  name.length <= TAG_LENGTH && LETTER.test(name) && name.split('/').every((part) => part.trim() !== '')

/** The form in which tags are compared: the same for upper and lower case. */
export const tagKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** A tag with those that contain it: `a/b/c` is also found by `a/b` and by `a`. */
export function tagWithAncestors(name: string): string[] {
  const parts = name.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/**
 * The tags of inline content, by the node whose text contains them.
 *
 * @param isAfterSpace  false if the content follows something other than white space on its line
 */
export function findTags(spans: readonly InlineNode[], isAfterSpace = true): Map<InlineNode, TagPlace[]> {
  const found = new Map<InlineNode, TagPlace[]>()
  let isAtStart = isAfterSpace
  const visit = (nodes: readonly InlineNode[]): void => {
    for (const node of nodes) {
      if (node.kind === 'link') isAtStart = false
      else if (isContainer(node)) visit(node.spans)
      else if (node.kind === 'break') isAtStart = true
      else if (node.kind === 'html') isAtStart ||= isLineBreak(node.source)
      else if (node.kind === 'text' || node.kind === 'encoded') {
        const places = tagsInPlainText(node.text, isAtStart)
        if (places.length > 0) found.set(node, places)
        if (node.text !== '') isAtStart = /\s$/.test(node.text)
      } else isAtStart = false
    }
  }
  visit(spans)
  return found
}
