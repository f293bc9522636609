/** A document that a call changed, as people know it: the inbox and the logbook are lists of tasks. */
import { type Html, html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'
import { shownText } from '../shown-text.ts'
import { TASK_LISTS } from '../task-scopes.ts'

interface ChangedDocument {
  documentId: string
  title: string
}

export function changedTitle(links: PageLinks, { documentId, title }: ChangedDocument): string {
  const list = links.taskLists.get(documentId)
  return list === undefined ? title : `${TASK_LISTS[list]}`
}

export const documentLink = (links: PageLinks, document: ChangedDocument): Html =>
  html`<a href="${links.document(document.documentId)}"><b>${shownText(changedTitle(links, document))}</b></a>`
