/** Formats a list of documents as Markdown: one line each, with a link followed by details of the document. */

import { formatMarkdownList, type MarkdownAnswer, titleMarkdownLink } from '../model/markdown-answer.ts'
import type { DocumentAnswer, DocumentList } from './document-list.ts'

export const documentsToMarkdown = ({ items, pagination }: DocumentList): Promise<MarkdownAnswer> =>
  formatMarkdownList(items, (document) => ({ lines: [formatDocument(document)] }), {
    emptyText: 'No documents.',
    pagination,
  })

/** Unsorted is the default location, so it is not shown. */
function formatDocument(document: DocumentAnswer): string {
  const { id, title, isDeleted, location, folderId, dailyNoteDate, lastModifiedAt, createdAt } = document
  const { clickableLink, webLink = clickableLink } = document
  const place = isDeleted ? 'trash' : location === 'templates' ? 'template' : undefined
  const details = [
    place,
    folderId && `folder ${folderId}`,
    dailyNoteDate,
    createdAt && `made ${createdAt}`,
    lastModifiedAt && `changed ${lastModifiedAt}`,
    webLink && `<${webLink}>`,
  ].filter((one) => one !== undefined)
  return [`- ${titleMarkdownLink(title, id)}`, ...details].join(', ')
}
