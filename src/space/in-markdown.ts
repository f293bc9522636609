/** Answers as Markdown: what lists of documents, of tasks and of matches have in common. */
import { eachInTurn } from '../breathe.ts'
import { BLOCK_LINK } from '../markdown/links.ts'
import { linkTo } from '../markdown/title.ts'

/** What a reader wants of an answer, and a sentence that the text itself cannot carry. */
export interface InMarkdown {
  body: string
  note?: string
}

/** How an entry of a list is shown: its lines, below what is said once of all in a row that have it in common. */
export interface Entry {
  below?: string
  lines: readonly string[]
}

interface Shown {
  /** Said in place of entries where there are none: hosts refuse a text without characters. */
  none: string
  note?: string | undefined
  /** Whether an empty line stands between two entries. */
  apart?: boolean
}

/** A list in lines. Titles may have to be written anew, so that others get their turn meanwhile. */
export async function inLines<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => Entry,
  { none, note, apart = false }: Shown,
): Promise<InMarkdown> {
  const lines: string[] = []
  let last: string | undefined
  for await (const item of eachInTurn(items)) {
    const { below, lines: own } = entryOf(item)
    if (apart && lines.length > 0) lines.push('')
    if (below !== undefined && below !== last) lines.push(below)
    last = below
    lines.push(...own)
  }
  return { body: lines.length > 0 ? lines.join('\n') : none, ...(note !== undefined && { note }) }
}

/** A title that leads to what it is of. */
export const titleLink = (title: string, id: string): string => linkTo(BLOCK_LINK + id, title.trim() || 'Untitled')

/** A text of any number of lines, set off from what stands beside it. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')
