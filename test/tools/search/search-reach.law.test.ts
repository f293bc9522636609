/** Documents out of reach change nothing in a response: no score, no order, no count, no note. */
import { test } from 'vitest'
import { HIDDEN_DOCUMENTS_TIME, searchWithHiddenDocuments } from './hidden-documents.ts'

test('on a selected connection hidden documents affect no result', { timeout: HIDDEN_DOCUMENTS_TIME }, () =>
  searchWithHiddenDocuments('selected', 'documents_search'),
)
