/** Lists documents for the choice of what a selected connection exposes. */

import { listDocumentChoices as pick } from '../../../storage/document-lists.ts'
import { DOCUMENTS_PER_CONSENT_PAGE } from '../../base/limits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import type { Space } from '../model/space.ts'

export interface SelectableDocuments {
  documents: { id: string; title: string }[]
  /** How many more documents match by their titles. */
  more: number
}

/**
 * Returns the selected documents first, then the most recently changed ones whose titles contain all of the words.
 * Daily notes are left out.
 */
export async function listSelectableDocuments(
  space: Space,
  words: string,
  selectedIds: readonly string[],
): Promise<SelectableDocuments> {
  const { documents, more } = await pick(space.tx, {
    words,
    chosen: [...(await space.readIds(selectedIds)).values()],
    limit: DOCUMENTS_PER_CONSENT_PAGE,
  })
  return {
    documents: documents.map(({ id, title }) => ({ id: space.spellId(id), title: shownTitle(plainTitle(title)) })),
    more,
  }
}
