/** Answers as Markdown: the shared parts of lists of documents, tasks and matches. */

import { iterateCooperatively } from '../../base/scheduling.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { type Pagination, paginationText } from './cursors.ts'

/** The text of an answer, and a note that the text itself cannot carry. */
export interface MarkdownAnswer {
  body: string
  note?: string
  /** The part of the note that says how to get the rest, if the text is incomplete. */
  rest?: string
}

/** How to format an entry of a list: its lines, under a heading that consecutive entries share. */
export interface MarkdownEntry {
  heading?: string
  lines: readonly string[]
}

interface MarkdownListOptions {
  /** The text if there are no entries, because hosts reject an empty text. */
  emptyText: string
  note?: string | undefined
  /** How the list continues. It becomes part of the note. */
  pagination?: Pagination | undefined
  /** True to put an empty line between entries. */
  isSpaced?: boolean
}

/** Formats a list as lines. Yields to the event loop, because titles may have to be rewritten. */
export async function formatMarkdownList<Item>(
  items: readonly Item[],
  formatEntry: (item: Item) => MarkdownEntry,
  { emptyText, note, pagination, isSpaced = false }: MarkdownListOptions,
): Promise<MarkdownAnswer> {
  const lines: string[] = []
  let lastHeading: string | undefined
  for await (const item of iterateCooperatively(items)) {
    const { heading, lines: entryLines } = formatEntry(item)
    if (isSpaced && lines.length > 0) lines.push('')
    if (heading !== undefined && heading !== lastHeading) lines.push(heading)
    lastHeading = heading
    lines.push(...entryLines)
  }
  const rest = paginationText(pagination)
  const notes = [note, rest].filter((one) => one !== undefined)
  return {
    body: lines.length > 0 ? lines.join('\n') : emptyText,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    ...(rest !== undefined && { rest }),
  }
}

/** A thing by its ID and title: `ID title`. */
export const idAndTitle = (id: string, title: string): string => `${id} ${shownTitle(title.trim())}`

/** Details in brackets after a line, or nothing. */
export function inBrackets(details: readonly (string | false | undefined)[]): string {
  const known = details.filter((one) => one !== undefined && one !== false)
  return known.length === 0 ? '' : ` (${known.join(', ')})`
}

/** Indents all lines of a text, to set it off from the lines around it. */
export const indentLines = (text: string): string => text.replace(/^(?=.)/gm, '  ')
