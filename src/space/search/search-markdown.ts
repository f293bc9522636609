/** Formats search results as Markdown. */
import {
  formatMarkdownList,
  idAndTitle,
  inBrackets,
  indentLines,
  type MarkdownAnswer,
  type MarkdownEntry,
} from '../model/markdown-answer.ts'
import type { BlockAnswer } from '../reading/block-answer.ts'
import type { BlockMatch, BlockSearchResult } from './search-blocks.ts'
import type { DocumentMatch, DocumentSearchResult } from './search-documents.ts'

const NOTHING_FOUND = 'Nothing found.'

/** Formats documents: one line each, with ID, title and a snippet, followed by the matching blocks if requested. */
export const documentMatchesToMarkdown = ({ items, note, pagination }: DocumentSearchResult): Promise<MarkdownAnswer> =>
  // If there are no matches, the note says everything.
  formatMarkdownList(items, documentEntry, {
    emptyText: note ?? NOTHING_FOUND,
    note: items.length > 0 ? note : undefined,
    pagination,
  })

const documentEntry = (match: DocumentMatch): MarkdownEntry => ({
  lines: [
    `${matchName(match)}: ${match.markdown}${inBrackets([unseenReasons(match)])}`,
    ...(match.blocks ?? []).map(indentedBlock),
  ],
})

/** Why the document matches, without the words that stand in bold in the snippet. */
function unseenReasons({ why, markdown }: DocumentMatch): string | undefined {
  const bold = new Set((markdown.match(BOLD_TEXTS) ?? []).flatMap((text) => text.toLowerCase().match(WORDS) ?? []))
  const unseen = why.split('; ').filter((reason) => {
    const words = /^(.+) in (?:the title|\d)/.exec(reason)?.[1]?.toLowerCase().match(WORDS)
    return words === undefined || words === null || !words.every((word) => bold.has(word))
  })
  return unseen.length === 0 ? undefined : unseen.join('; ')
}

const BOLD_TEXTS = /\*\*.+?\*\*/g
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/**
 * A document by its ID, or a date. The inbox and the logbook, which cannot be listed as documents, are named by title.
 */
function matchName({ documentId, dailyNoteDate, title }: DocumentMatch): string {
  const id = documentId ?? dailyNoteDate
  return id === undefined || id === title ? title : idAndTitle(id, title)
}

/** `ID markdown`. Further lines are indented once more, so that each ID stands at the same place. */
const withId = (id: string, markdown: string): string => indentLines(`${id} ${markdown}`).slice('  '.length)

const indentedBlock = ({ id, markdown }: BlockAnswer): string => indentLines(withId(id, markdown))

/** Formats blocks, each after its ID and between its neighbors, which are indented. The pages around it come first. */
export const blockMatchesToMarkdown = ({ items, pagination }: BlockSearchResult): Promise<MarkdownAnswer> =>
  formatMarkdownList(items, blockEntry, { emptyText: NOTHING_FOUND, pagination, isSpaced: true })

const blockEntry = ({ blockId, markdown, pageBlockPath, beforeBlocks, afterBlocks }: BlockMatch): MarkdownEntry => ({
  heading: pageBlockPath.map(({ id, content }) => idAndTitle(id, content)).join(' › '),
  lines: [
    ...beforeBlocks.map((block) => indentLines(block.markdown)),
    withId(blockId, markdown),
    ...afterBlocks.map((block) => indentLines(block.markdown)),
  ],
})
