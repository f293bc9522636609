/** What a connection does not reach changes nothing of an answer: not a score, not an order, not a count, not a note. */
import { test } from 'vitest'
import { HIDDEN_DOCUMENTS_TIME, searchBesideHiddenDocuments } from './hidden-documents.ts'

test('on a selected connection hidden documents change no answer', { timeout: HIDDEN_DOCUMENTS_TIME }, () =>
  searchBesideHiddenDocuments('selected', 'documents_search'),
)
