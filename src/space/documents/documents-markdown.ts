/** Formats a list of documents as Markdown: a line each with ID, title and details. */

import { formatMarkdownList, idAndTitle, inBrackets, type MarkdownAnswer } from '../model/markdown-answer.ts'
import type { DocumentAnswer, DocumentList } from './document-list.ts'

export const documentsToMarkdown = ({ items, pagination }: DocumentList): Promise<MarkdownAnswer> =>
  formatMarkdownList(items, (document) => ({ lines: [formatDocument(document)] }), {
    emptyText: 'No documents.',
    pagination,
  })

/** Unsorted is the default location, so it is not shown. */
function formatDocument(document: DocumentAnswer): string {
  const { id, title, isDeleted, location, folderId, dailyNoteDate, lockedBy, lastModifiedAt, createdAt } = document
  const { clickableLink, webLink = clickableLink } = document
  const place = isDeleted ? 'trash' : location === 'templates' ? 'template' : undefined
  return `${idAndTitle(id, title)}${inBrackets([
    place,
    folderId && `folder ${folderId}`,
    dailyNoteDate,
    lockedBy && `locked by ${lockedBy}`,
    createdAt && `made ${createdAt}`,
    lastModifiedAt && `changed ${lastModifiedAt}`,
    webLink && `<${webLink}>`,
  ])}`
}
