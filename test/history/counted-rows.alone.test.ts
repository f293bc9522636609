/**
 * What a call did is counted up to a limit, and over a connection that reaches a part of the space, only what is within
 * its reach. The limit is low here.
 */
import { describe, expect, test, vi } from 'vitest'
import type { Answer } from '../connect.ts'
import { page, withoutCursors } from '../feed/reading-feed.ts'
import { BLOCKS, costOf, FEW, MANY, type Made, madeByOneCall } from './made-by-one-call.ts'

/** Rows of one call that are counted and named. */
const COUNTED = vi.hoisted(() => 60)

vi.mock(import('../../src/base/limits.ts'), async (original) => ({
  ...(await original()),
  CHANGED_ROWS_PER_ANSWER: COUNTED as never,
}))

const WORKS: Record<string, (made: Made) => Promise<Answer>> = {
  'an undo over a connection that reaches one document': ({ narrow, documentId, callId }) =>
    narrow.call('history_undo', { documentId, calls: [callId], skipConflicts: true, dryRun: true }),
  'the calls that one document shows': ({ narrow }) => narrow.call('history_list', {}),
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

test('of a call that changed more than is counted, the feed and the history name a part, and say so', async () => {
  const read = ({ asker }: Made) => page(asker.ask, 'cursor=start&limit=1')
  const [made, more] = [await madeByOneCall(MANY), await madeByOneCall(3 * MANY)]
  const [few, many] = [await costOf(made, read), await costOf(more, read)]
  // Of each document that the call changed, the log has a row.
  expect(few.rows).toBeGreaterThan(COUNTED)
  expect(many.rows).toBeLessThanOrEqual(few.rows + 2 * MANY)
  const [item] = withoutCursors(few.answer.items)
  expect(withoutCursors(many.answer.items)).toEqual([item])
  expect(item).toMatchObject({ isPartial: true, summary: expect.stringMatching(/; and more that is not counted$/) })
  expect(item.made).toHaveLength(COUNTED)
  const [, listed] = (await made.full.call('history_list', {})).items
  expect(listed).toMatchObject({ summary: item.summary, documents: item.documents })
  // A connection that sees less than that sees all of its part.
  const [, part] = (await made.narrow.call('history_list', {})).items
  expect(part.summary).toBe('"Friday, November 20, 2026": added, 4 blocks added')
})

test('of such a call, events are said to be incomplete', async () => {
  const { asker } = await madeByOneCall(MANY)
  const { json } = await asker.ask('GET /events?name=document.added&cursor=start')
  expect(json.truncated).toBe(true)
  expect((await asker.ask(`GET /events?name=document.added&cursor=${json.cursor}`)).json.truncated).toBe(false)
})
