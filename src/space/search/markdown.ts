/** What searches found, as Markdown. */

import { DATE_LINK } from '../../markdown/links.ts'
import { linkTo } from '../../markdown/title.ts'
import type { BlockAnswer } from '../blocks/answer.ts'
import { restInWords } from '../cursors.ts'
import { type Entry, type InMarkdown, indented, inLines, titleLink } from '../in-markdown.ts'
import type { BlockMatch, FoundBlocks } from './blocks.ts'
import type { DocumentMatch, Found } from './documents.ts'

const NONE = 'Nothing found.'

/** Documents: a link a line with its snippet, and below it the blocks, where they are asked for. */
export async function matchesInMarkdown({ items, note: said, pagination }: Found): Promise<InMarkdown> {
  const notes = [said, restInWords(pagination)].filter((one) => one !== undefined)
  const note = notes.length === 0 ? undefined : notes.join(' ')
  return items.length === 0 && note !== undefined ? { body: note } : inLines(items, entryOf, { none: NONE, note })
}

const entryOf = (match: DocumentMatch): Entry => ({
  lines: [`- ${placeOf(match)}: ${match.markdown}`, ...(match.blocks ?? []).map(blockBelow)],
})

/** A document, or a day; the inbox and the logbook, which no list of documents has, by their title. */
function placeOf({ documentId, dailyNoteDate, title }: DocumentMatch): string {
  if (documentId !== undefined) return titleLink(title, documentId)
  return dailyNoteDate === undefined ? title : linkTo(DATE_LINK + dailyNoteDate, title)
}

const blockBelow = ({ id, markdown }: BlockAnswer): string => indented(`block://${id}\n${markdown}`)

/** Blocks, each below its ID and between its neighbours, which are indented; before them the pages around them. */
export const blocksInMarkdown = ({ items, pagination }: FoundBlocks): Promise<InMarkdown> =>
  inLines(items, blockEntry, { none: NONE, note: restInWords(pagination), apart: true })

const blockEntry = ({ blockId, markdown, pageBlockPath, beforeBlocks, afterBlocks }: BlockMatch): Entry => ({
  below: pageBlockPath.map(({ id, content }) => titleLink(content, id)).join(' › '),
  lines: [
    ...beforeBlocks.map((block) => indented(block.markdown)),
    `block://${blockId}`,
    markdown,
    ...afterBlocks.map((block) => indented(block.markdown)),
  ],
})
