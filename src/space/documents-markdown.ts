/** A list of documents as Markdown: a link a line, and after it what sets the document apart. */

import { restInWords } from './cursors.ts'
import type { DocumentAnswer, DocumentList } from './documents-list.ts'
import { type InMarkdown, inLines, titleLink } from './in-markdown.ts'

export const documentsInMarkdown = ({ items, pagination }: DocumentList): Promise<InMarkdown> =>
  inLines(items, (document) => ({ lines: [lineOf(document)] }), {
    none: 'No documents.',
    note: restInWords(pagination),
  })

/** Unsorted is where documents are that nobody put anywhere: it is not said. */
function lineOf(document: DocumentAnswer): string {
  const { id, title, isDeleted, location, folderId, dailyNoteDate, lastModifiedAt, createdAt, clickableLink } = document
  const place = isDeleted ? 'trash' : location === 'templates' ? 'template' : undefined
  const about = [
    place,
    folderId && `folder ${folderId}`,
    dailyNoteDate,
    createdAt && `made ${createdAt}`,
    lastModifiedAt && `changed ${lastModifiedAt}`,
    clickableLink && `<${clickableLink}>`,
  ].filter((one) => one !== undefined)
  return [`- ${titleLink(title, id)}`, ...about].join(', ')
}
