/** A history of many rows is listed in parts, and other work goes on meanwhile. */
import { expect, test } from 'vitest'
import { CHANGED_ROWS_PER_ANSWER, DIFF_BLOCKS } from '../../src/base/limits.ts'
import type { FeedPosition } from '../../src/space/feed/feed-position.ts'
import { type FeedPage, readFeed } from '../../src/space/feed/read-feed.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'

const BLOCKS = 19_000
const CALLS = Math.ceil(CHANGED_ROWS_PER_ANSWER / BLOCKS)
const MARKDOWN = Array.from({ length: BLOCKS }, (_, index) => `line ${index}`).join('\n\n')

/** Milliseconds, for a busy machine. */
const PATIENCE = 120_000

test(
  'calls that changed many rows together are listed over several pages',
  async () => {
    const { call, space } = await connect()
    const add = (title: string, markdown: string) => call('documents_add', { documents: [{ title, markdown }] })
    await add('First', 'one')
    for (let count = 0; count < CALLS; count++) await add(`Long ${count}`, MARKDOWN)
    await add('Last', 'one')

    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const first = await call('history_list', { limit: 20 })
    isDone = true
    // In one go, it would take one or two.
    expect(turns).toBeGreaterThan(4)
    const long = (count: number) => `"Long ${count}": added, 19,000 blocks added`
    expect(first.items.map(({ summary }: { summary: string }) => summary)).toEqual([
      '"Last": added, 1 block added',
      ...Array.from({ length: CALLS }, (_, index) => long(CALLS - 1 - index)),
    ])
    const second = await call('history_list', { limit: 20, cursor: first.pagination.cursor })
    expect(second.items.map(({ summary }: { summary: string }) => summary)).toEqual(['"First": added, 1 block added'])
    expect(second.pagination).toBeUndefined()

    // The feed has the same calls in the order in which they happened.
    const read = (after: FeedPosition) => space.read(OPERATOR_LINK, (view) => readFeed(view, after, 20))
    const summariesOf = ({ entries }: FeedPage) => entries.map(({ item }) => 'summary' in item && item.summary)
    const before = await read({ call: 0, event: 0 })
    const rest = await read(before.position)
    expect([before.hasMore, rest.hasMore]).toEqual([true, false])
    expect(summariesOf(before)).toEqual([
      '"First": added, 1 block added',
      ...Array.from({ length: CALLS }, (_, index) => long(index)),
    ])
    expect(summariesOf(rest)).toEqual(['"Last": added, 1 block added'])
  },
  PATIENCE,
)

test(
  'a difference reads a limited number of blocks, and shows further changes by themselves',
  async () => {
    const { call } = await connect()
    // Each is read before and after the change.
    const compared = Math.ceil(DIFF_BLOCKS / (2 * BLOCKS))
    const pages: string[] = []
    for (let count = 0; count <= compared; count++) {
      const documents = [{ title: `Long ${count}`, markdown: MARKDOWN }]
      pages.push((await call('documents_add', { documents })).items[0].id)
    }
    await call('batch', {
      steps: pages.map((pageId) => ({
        tool: 'blocks_add',
        arguments: { markdown: 'new', position: { position: 'end', pageId } },
      })),
    })
    const { items } = await call('history_list', { limit: 1 })
    const { diff, isDiffComplete } = await call('history_list', { call: items[0].callId })
    expect(isDiffComplete).toBe(true)
    expect(diff.match(/^\+new$/gm)).toHaveLength(compared)
    expect(diff).toMatch(/^\+"new" \(\d{12}\): type: text, text: new, in: "Long 3"/m)
  },
  PATIENCE,
)
