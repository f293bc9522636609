/** Formats search results as Markdown. */

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

/** Formats documents: one line each, with a link and a snippet, followed by the matching blocks if requested. */
export const documentMatchesToMarkdown = ({ items, note, pagination }: DocumentSearchResult): Promise<MarkdownAnswer> =>
  // If there are no matches, the note says everything.
  formatMarkdownList(items, documentEntry, {
    emptyText: note ?? NOTHING_FOUND,
    note: items.length > 0 ? note : undefined,
    pagination,
  })

const documentEntry = (match: DocumentMatch): MarkdownEntry => ({
  lines: [`- ${matchLink(match)}: ${match.markdown} (${match.why})`, ...(match.blocks ?? []).map(indentedBlock)],
})

/**
 * A link to a document, or a date. The inbox and the logbook, which cannot be listed as documents, are named by title.
 */
function matchLink({ documentId, dailyNoteDate, title }: DocumentMatch): string {
  if (documentId !== undefined) return titleMarkdownLink(title, documentId)
  return dailyNoteDate === undefined ? title : formatLink(DATE_LINK + dailyNoteDate, title)
}

const indentedBlock = ({ id, markdown }: BlockAnswer): string => indentLines(`block://${id}\n${markdown}`)

/** Formats blocks, each under its ID and between its neighbors, which are indented. The pages around it come first. */
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
