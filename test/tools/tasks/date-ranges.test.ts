import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'

/** Creates a collection with a date property, and items with these dates by title. */
async function planOf(dates: Readonly<Record<string, unknown>>) {
  const connected = await connect()
  const collectionId = await collectionOf(connected, [{ type: 'date', name: 'When' }])
  const items = Object.entries(dates).map(([title, when]) => ({ title, properties: { when } }))
  const ids = await itemsOf(connected, collectionId, items)
  const list = (input: object = {}): Promise<Answer> => connected.call('items_list', { collectionId, ...input })
  const read = async () => (await list()).items.map(({ properties }: Answer) => properties.when)
  const titles = async (filterType: string, filterValue?: string) => {
    const filters = [{ property: 'when', filterType, ...(filterValue !== undefined && { filterValue }) }]
    return (await list({ filters, maxDepth: 0 })).items.map(({ title }: Answer) => title.value ?? title)
  }
  return { ...connected, connected, collectionId, ids, list, read, titles }
}

const SUMMER = { start: '2026-07-01', end: '2026-07-04' }

describe('a range of days', () => {
  test('is read as written, and can be written back', async () => {
    const { call, collectionId, ids, read } = await planOf({
      range: SUMMER,
      interval: '2026-07-01/2026-07-04',
      day: '2026-07-01',
      start: { start: '2026-07-01' },
      open: { start: '2026-07-01', end: null },
      one: { start: '2026-07-01', end: '2026-07-01' },
      words: { start: 'today', end: 'tomorrow' },
    })
    const expected = [SUMMER, SUMMER, ...Array(4).fill('2026-07-01'), { start: '2026-11-20', end: '2026-11-21' }]
    expect(await read()).toEqual(expected)
    const itemsToUpdate = ids.map((id, index) => ({ id, properties: { when: expected[index] } }))
    await call('items_update', { collectionId, itemsToUpdate })
    expect(await read()).toEqual(expected)
    await call('items_update', { collectionId, itemsToUpdate: [{ id: ids[0], properties: { when: null } }] })
    expect((await read())[0]).toBeUndefined()
  })

  test('is an interval in Markdown, and found by its days', async () => {
    const { call, list } = await planOf({ range: SUMMER })
    expect(await list({ format: 'markdown' })).toContain('2026-07-01/2026-07-04')
    for (const day of ['2026-07-01', '2026-07-04']) {
      expect((await call('documents_search', { include: [`"${day}"`] })).items, day).toHaveLength(1)
    }
  })

  test.each([
    [
      { start: '2026-07-04', end: '2026-07-01' },
      'Expected a range that ends on 2026-07-04 or later, found 2026-07-01; swap start and end.',
    ],
    [{ end: '2026-07-01' }, 'Expected a date, or a range as { "start", "end" }, found {"end":"2026-07-01"}.'],
    [
      { start: '2026-07-01', until: '2026-07-04' },
      'Expected a date, or a range as { "start", "end" }, found {"start":"2026-07-01","until":"2026-07-04"}.',
    ],
    [
      { start: '2026-07-01', end: 'soon' },
      'Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, found "soon".',
    ],
  ])('is rejected as %j', async (when, message) => {
    const { refused, collectionId } = await planOf({ day: '2026-07-01' })
    expect(await refused('items_add', { collectionId, items: [{ title: 'x', properties: { when } }] })).toBe(
      `At items[0].properties.when: ${message}`,
    )
  })

  test('equals each of its days, and is before or after the others', async () => {
    const { titles } = await planOf({
      past: { start: '2026-06-01', end: '2026-06-30' },
      running: SUMMER,
      day: '2026-07-02',
      coming: { start: '2026-07-03', end: '2026-08-01' },
      none: null,
    })
    expect(await titles('equals', '2026-07-02')).toEqual(['running', 'day'])
    expect(await titles('doesNotEqual', '2026-07-02')).toEqual(['past', 'coming', 'none'])
    expect(await titles('date_isBefore', '2026-07-02')).toEqual(['past'])
    expect(await titles('date_isAfter', '2026-07-02')).toEqual(['coming'])
    expect(await titles('isEmpty')).toEqual(['none'])
  })

  test('is sorted by start and end, grouped by its start, and calculated with both ends', async () => {
    const { list } = await planOf({
      long: { start: '2026-07-01', end: '2026-07-09' },
      day: '2026-07-01',
      early: { start: '2026-06-30', end: '2026-07-20' },
      short: SUMMER,
    })
    const rules = { sortBy: [{ property: 'when' }], groupBy: { property: 'when' }, maxDepth: 0 }
    const calculations = { when: 'date_range_days' }
    const answer = await list({ ...rules, calculations })
    expect(answer.items.map(({ title }: Answer) => title.value ?? title)).toEqual(['early', 'day', 'short', 'long'])
    expect(answer.groups).toEqual([
      { value: '2026-06-30', count: 1, calculations: { when: 20 } },
      { value: '2026-07-01', count: 3, calculations: { when: 8 } },
    ])
    expect(answer.calculations).toEqual({ when: 20 })
    expect((await list({ calculations: { when: 'date_max' }, limit: 0 })).calculations).toEqual({ when: '2026-07-20' })
    expect((await list({ calculations: { when: 'date_min' }, limit: 0 })).calculations).toEqual({ when: '2026-06-30' })
  })
})
