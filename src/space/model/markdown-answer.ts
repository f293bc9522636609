/** Answers as Markdown: the shared parts of lists of documents, tasks and matches. */

import { iterateCooperatively } from '../../base/scheduling.ts'
import { formatLink } from '../../markdown/inline-title.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { BLOCK_LINK } from '../../markdown/text-addresses.ts'
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

/** A title as a link to the thing that it belongs to. */
export const titleMarkdownLink = (title: string, id: string): string =>
  formatLink(BLOCK_LINK + id, shownTitle(title.trim()))

/** Indents all lines of a text, to set it off from the lines around it. */
export const indentLines = (text: string): string => text.replace(/^(?=.)/gm, '  ')
