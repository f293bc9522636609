/**
 * What reading and undoing history costs follows from what is answered, not from how much the same calls changed
 * elsewhere. Counts the rows that statements return.
 */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { BLOCKS, costOf, FEW, MANY, type Made, madeByOneCall } from './made-by-one-call.ts'

const WORKS: Record<string, (made: Made) => Promise<Answer>> = {
  'an undo in one document, of all that was done': ({ full, documentId }) =>
    full.call('history_undo', { documentId, since: '2000-01-01T00:00:00Z', participant: 'tester', dryRun: true }),
  'an undo in one document, of a call': ({ full, documentId, callId }) =>
    full.call('history_undo', { documentId, calls: [callId], skipConflicts: true, dryRun: true }),
  'a document as it was': ({ full, documentId, callId }) => full.call('blocks_get', { id: documentId, at: callId }),
}

describe.each(Object.entries(WORKS))('%s', (_, work) => {
  test('reads no more if the same call made three times as much elsewhere', async () => {
    const [few, many] = [await costOf(await madeByOneCall(FEW), work), await costOf(await madeByOneCall(MANY), work)]
    expect(few.rows).toBeGreaterThan(BLOCKS)
    expect(many.rows).toBeLessThanOrEqual(few.rows + BLOCKS)
    // The same was answered.
    expect(JSON.stringify(many.answer).length).toBe(JSON.stringify(few.answer).length)
  })
})
