/** Escapes text that has a special meaning in an Obsidian vault but not in our Markdown. */
import { replaceText } from '../../import/markdown/note-lines.ts'
import { BLOCK_ID, WIKI_LINK } from '../../import/markdown/note-links.ts'
import { readTaskDates } from '../../import/markdown/task-dates.ts'
import { tableCellPlaces } from '../../markdown/table-cells.ts'

/** Escapes everything in inline Markdown that would be read as a wiki link, a comment or a block ID. */
export function escapeForVault(text: string): string {
  if (!NEEDS.test(text)) return text
  const lines = escapeWords(text)
    .split('\n')
    .map((line) => (BLOCK_ID.test(line) ? line.replace(/\^(?=[A-Za-z0-9-]+[ \t]*$)/, '\\^') : line))
  return lines.join('\n')
}

const escapeWords = (text: string): string =>
  replaceText(text, (part) => part.replace(WIKI_LINK, '$1[\\[$2\\]]').replaceAll('%%', '\\%\\%'))

/** Like {@link escapeForVault}, for the cells of a table. */
export function escapeTableForVault(text: string): string {
  if (!NEEDS.test(text)) return text
  let [escaped, done] = ['', 0]
  for (const { cell, at } of tableCellPlaces(text)) {
    escaped += text.slice(done, at) + escapeWords(cell)
    done = at + cell.length
  }
  return escaped + text.slice(done)
}

const NEEDS = /\[\[|%%|\^[A-Za-z0-9-]+[ \t]*(?:\n|$)/

/** Escapes the beginning of a quote that would be read as a callout. */
export const escapeQuoteStart = (text: string): string =>
  /^\[![A-Za-z][\w-]*(?:\|[^\]]*)?\]/.test(text) ? `\\${text}` : text

/**
 * Escapes dates in the text of a task that would be read as dates of the task: a hyphen of the date, a colon of the
 * field, or, for a rule without either, an empty comment before it.
 */
export function escapeTaskDates(text: string): string {
  const [first = '', ...others] = text.split('\n')
  if (readTaskDates(first, { state: 'todo' }) === undefined) return text
  const escaped = replaceText(first, (words) =>
    words
      .replace(/([📅📆🗓⏳⌛🛫✅❌]\uFE0F?[ \t]*\d{4})(?=-\d\d-\d\d)/gu, '$1\\')
      .replace(/((?:due|scheduled|start|completion|cancelled|repeat):)(?=:[ \t]*(?:\d{4}-\d\d-\d\d|every))/g, '$1\\')
      .replace(/(🔁\uFE0F?[ \t]*)(?=every )/gu, '$1<!-- -->')
      .replace(/(👤\uFE0F?[ \t]*)(?=\[@)/gu, '$1<!-- -->'),
  )
  return [escaped, ...others].join('\n')
}
