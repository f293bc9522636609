/** What a connection does not reach changes nothing of an answer: not a score, not an order, not a count, not a note. */
import { test } from 'vitest'
import { HIDDEN_DOCUMENTS_TIME, searchBesideHiddenDocuments } from './hidden-documents.ts'

test('on a daily connection hidden documents change no answer', { timeout: HIDDEN_DOCUMENTS_TIME }, () =>
  searchBesideHiddenDocuments('daily', 'daily_notes_search'),
)
