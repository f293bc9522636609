/** Documents to choose from: what a selected connection is to expose. */
import { listDocumentChoices as pick } from '../../../storage/document-lists.ts'
import { DOCUMENTS_PER_CONSENT_PAGE } from '../../base/limits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { Space } from '../model/space.ts'

export interface SelectableDocuments {
  documents: { id: string; title: string }[]
  /** How many more have the words in their titles. */
  more: number
}

/** Those that are chosen first, then those last changed whose titles have all of the words; no daily notes. */
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
    documents: documents.map(({ id, title }) => ({ id: space.spellId(id), title: plainTitle(title) || 'Untitled' })),
    more,
  }
}
