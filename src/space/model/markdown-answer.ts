/** Answers as Markdown: what lists of documents, of tasks and of matches have in common. */
import { iterateCooperatively } from '../../base/scheduling.ts'
import { formatLink } from '../../markdown/inline-title.ts'
import { BLOCK_LINK } from '../../markdown/text-addresses.ts'
import { type Pagination, paginationText } from './cursors.ts'

/** What a reader wants of an answer, and a sentence that the text itself cannot carry. */
export interface MarkdownAnswer {
  body: string
  note?: string
  /** What of the note says how the rest follows, where the text is not all. */
  rest?: string
}

/** How an entry of a list is shown: its lines, below a heading that consecutive entries share. */
export interface MarkdownEntry {
  heading?: string
  lines: readonly string[]
}

interface MarkdownListOptions {
  /** The text when there are no entries: hosts reject an empty text. */
  emptyText: string
  note?: string | undefined
  /** How the list goes on: part of the note. */
  pagination?: Pagination | undefined
  /** Whether an empty line stands between two entries. */
  isSpaced?: boolean
}

/** A list in lines. Titles may have to be rewritten, so this yields to the event loop. */
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

/** A title that leads to what it is of. */
export const titleMarkdownLink = (title: string, id: string): string =>
  formatLink(BLOCK_LINK + id, title.trim() || 'Untitled')

/** A text of any number of lines, set off from what stands beside it. */
export const indentLines = (text: string): string => text.replace(/^(?=.)/gm, '  ')
