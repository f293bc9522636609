/** What searches found, as Markdown. */

import { formatLink } from '../../markdown/inline-title.ts'
import { DATE_LINK } from '../../markdown/text-addresses.ts'
import {
  formatMarkdownList,
  indentLines,
  type MarkdownAnswer,
  type MarkdownEntry,
  titleMarkdownLink,
} from '../model/markdown-answer.ts'
import type { BlockAnswer } from '../reading/block-answer.ts'
import type { BlockMatch, BlockSearchResult } from './search-blocks.ts'
import type { DocumentMatch, DocumentSearchResult } from './search-documents.ts'

const NOTHING_FOUND = 'Nothing found.'

/** Documents: a link a line with its snippet, and below it the blocks, where they are asked for. */
export const documentMatchesToMarkdown = ({ items, note, pagination }: DocumentSearchResult): Promise<MarkdownAnswer> =>
  // Where nothing is found, the note says all that there is to say.
  formatMarkdownList(items, documentEntry, {
    emptyText: note ?? NOTHING_FOUND,
    note: items.length > 0 ? note : undefined,
    pagination,
  })

const documentEntry = (match: DocumentMatch): MarkdownEntry => ({
  lines: [`- ${matchLink(match)}: ${match.markdown} (${match.why})`, ...(match.blocks ?? []).map(indentedBlock)],
})

/** A document, or a day; the inbox and the logbook, which no list of documents has, by their title. */
function matchLink({ documentId, dailyNoteDate, title }: DocumentMatch): string {
  if (documentId !== undefined) return titleMarkdownLink(title, documentId)
  return dailyNoteDate === undefined ? title : formatLink(DATE_LINK + dailyNoteDate, title)
}

const indentedBlock = ({ id, markdown }: BlockAnswer): string => indentLines(`block://${id}\n${markdown}`)

/** Blocks, each below its ID and between its neighbours, which are indented; before them the pages around them. */
export const blockMatchesToMarkdown = ({ items, pagination }: BlockSearchResult): Promise<MarkdownAnswer> =>
  formatMarkdownList(items, blockEntry, { emptyText: NOTHING_FOUND, pagination, isSpaced: true })

const blockEntry = ({ blockId, markdown, pageBlockPath, beforeBlocks, afterBlocks }: BlockMatch): MarkdownEntry => ({
  heading: pageBlockPath.map(({ id, content }) => titleMarkdownLink(content, id)).join(' › '),
  lines: [
    ...beforeBlocks.map((block) => indentLines(block.markdown)),
    `block://${blockId}`,
    markdown,
    ...afterBlocks.map((block) => indentLines(block.markdown)),
  ],
})
