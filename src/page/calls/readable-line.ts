/**
 * A line of a difference as people read it: without the tags of our Markdown that only structure a document, and with
 * boxes and bullets in place of the marks of tasks and lists. Nothing that an author can choose is left out: a tag goes
 * only if it is alone on its line, has no attribute but an ID, and does not stand in code.
 */
import { markUnseen } from '../../base/unseen-characters.ts'
import type { DiffLine } from '../../difference/read-diff.ts'
import { unescapePlainText } from '../../markdown/blocks/collection-tags.ts'
import { linkNames } from '../link-names.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

const ID = '(?: id="[0-9a-f-]{12,36}")'
/** Lines that only begin or end what a document holds. The title of a page has a line of its own. */
const STRUCTURE = new RegExp(`^\\s*(?:</?content>|</(?:page|collection|collectionItem|whiteboard)>|<page${ID}/?>)$`)
/** Lines that begin something that may have no words. */
const HOLDER = new RegExp(`^(\\s*)<(collection|collectionItem|whiteboard)${ID}/?>$`)
const HOLDER_LABELS: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    collection: textKey('Collection'),
    collectionItem: textKey('Item'),
    whiteboard: textKey('Whiteboard'),
  }),
)
/** Lines with one value between tags, and the words for it. */
const VALUES: readonly (readonly [pattern: RegExp, rewrite: (...found: string[]) => string])[] = [
  [HOLDER, (_, indent, holder = '') => `${indent}${HOLDER_LABELS.get(holder)}`],
  [/^(\s*)<pageTitle>(.*)<\/pageTitle>$/, (_, indent, title = '') => `${indent}${text('Page: {title}', { title })}`],
  [
    /^(\s*)<title>(.*)<\/title>$/,
    (_, indent, title = '') => `${indent}${text('Title: {title}', { title: unescapePlainText(title) })}`,
  ],
  [/^(\s*)<properties>(.*)<\/properties>$/, (_, indent, keys = '') => `${indent}${text('Columns: {keys}', { keys })}`],
  [
    /^(\s*)<property name="([^"<>]*)">(.*)<\/property>$/,
    (_, indent, key, value = '') => `${indent}${key}: ${unescapePlainText(value)}`,
  ],
]
const BOXES: ReadonlyMap<string, string> = new Map(Object.entries({ ' ': '☐', x: '☑', '-': '☒' }))

/** True if the line stands in code, before or after. */
export const isCode = ({ sign, fences: [before, after] }: DiffLine): boolean =>
  (sign !== '+' && before !== '') || (sign !== '-' && after !== '')

const COMMENTED = /<comment id="[\w-]{1,40}">((?:(?!<\/?comment\b).)*)<\/comment>/g
/** The mark of a comment, as texts have it that are read. */
const MARKED = new RegExp(`<comment${ID}>((?:(?!</?comment\\b).)*)</comment>`, 'g')

/** What separates the head of a table from its body, and how columns are aligned. A row of hyphens looks the same. */
const RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+$/
const TABLE_ROW = /^\s*\|.*\|$/

/** True if a line is the rule below the head of a table. @param above  the lines before it, the nearest first */
export const isTableRule = (line: string, [head, before]: readonly string[]): boolean =>
  RULE.test(line) && head !== undefined && TABLE_ROW.test(head) && before !== undefined && !TABLE_ROW.test(before)
const OWN_FILE = /!\[((?:[^[\]\\\n]|\\.){0,500})\]\(scriptorium:\/\/files\/[\w-]{1,40}\)/g

/** Comments around the words of others that are read. */
const COMMENTS_DEEP = 8

function withoutCommentTags(line: string, mark: RegExp): string {
  let shown = line
  for (let deep = 0; deep < COMMENTS_DEEP; deep++) {
    const next = shown.replace(mark, (_, words: string) => text('{words} (with a comment)', { words }))
    if (next === shown) break
    shown = next
  }
  return shown
}

/** Words with a comment without its tag, and links as their words. Where a line has code in it, these may be parts of it. */
export function withoutAddresses(line: string): string {
  if (line.includes('`')) return line
  return linkNames(
    withoutCommentTags(line, COMMENTED).replace(OWN_FILE, (_, name: string) =>
      name === '' ? text('Picture') : text('Picture: {name}', { name }),
    ),
  )
}

/** Lines of a paragraph or of a cell of a table are one line of Markdown, with breaks. */
const withBreaks = (line: string): string =>
  !line.includes('`') ? line.replace(/(?<!\\)<br ?\/?>/g, ' \u21b5 ') : line

/**
 * Empty for a line that says nothing.
 *
 * @param isPast  true for what has been decided: of links, the words are shown. Before, addresses say what they lead to
 */
export function readableLine(line: DiffLine, isPast = false): string {
  const shown = markUnseen(line.text)
  // A blank line of code is a line.
  if (isCode(line)) return shown === '' ? ' ' : shown
  if (STRUCTURE.test(shown)) return ''
  const words = isPast
    ? withBreaks(withoutAddresses(shown))
    : shown.includes('`')
      ? shown
      : withoutCommentTags(shown, MARKED)
  const [pattern, rewrite] = VALUES.find(([pattern]) => pattern.test(words)) ?? []
  if (pattern !== undefined && rewrite !== undefined) return words.replace(pattern, rewrite)
  return words
    .replace(/^(\s*)- \[([ x-])\] /, (_, indent: string, state: string) => `${indent}${BOXES.get(state) ?? '☐'} `)
    .replace(/^(\s*)- /, '$1• ')
    .replace(/^(\s*)\+ /, '$1▸ ')
    .trimEnd()
}
