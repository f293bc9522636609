/** Formats a list of comments as Markdown: one line each, with the document above those in it. */
import { formatMarkdownList, idAndTitle, inBrackets, type MarkdownAnswer } from '../model/markdown-answer.ts'
import type { ListedComment } from './list-comments.ts'

export async function commentsToMarkdown({
  items,
  pagination,
}: {
  items: readonly ListedComment[]
  pagination?: { cursor: string } | undefined
}): Promise<MarkdownAnswer> {
  const note = pagination && `There are more: call again with cursor ${JSON.stringify(pagination.cursor)}.`
  const list = await formatMarkdownList(items, formatComment, { emptyText: 'No open comments.', note })
  return { ...list, ...(note !== undefined && { rest: note }) }
}

/** `ID on block://ID, 2026-11-20T09:00:00Z, Anna, about "words": "content"` */
function formatComment({ id, blockId, documentId, title = '', author, createdAt, content, ...about }: ListedComment) {
  const { words = '', areWordsGone, confirmed } = about
  const details = inBrackets([areWordsGone && 'words gone', confirmed === false && 'not confirmed'])
  const line = `- ${id} on block://${blockId}, ${createdAt}, ${author}, about ${JSON.stringify(words)}${details}: ${JSON.stringify(content)}`
  return { heading: idAndTitle(documentId, title), lines: [line] }
}
