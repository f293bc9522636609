/** Labels and arrows follow what they belong to, and are freed from what is deleted. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { boardOf } from '../../drawings.ts'
import { runs } from '../../support/runs.ts'

let connected: Connected
let whiteboardBlockId: string

const DRAWN = [
  { id: 'a', type: 'rectangle', x: 0, y: 0, width: 100, height: 50, label: { text: 'A' } },
  { id: 'b', type: 'rectangle', x: 300, y: 0, width: 100, height: 50, label: { text: 'B' } },
  { id: 'ar', type: 'arrow', start: { id: 'a' }, end: { id: 'b' }, label: { text: 'calls' } },
]

beforeEach(async () => {
  connected = await connect()
  whiteboardBlockId = (await boardOf(connected, DRAWN)).whiteboardBlockId
})

async function drawn(): Promise<Record<string, Answer>> {
  const { elements } = await connected.call('elements_list', { whiteboardBlockId })
  return Object.fromEntries(elements.map((one: Answer) => [one.id, one]))
}
const update = (elements: object[], answer = 'changed') =>
  connected.call('elements_update', { whiteboardBlockId, elements, answer })
const ends = ({ x, y, points }: Answer) => [points[0], points.at(-1)].map(([px, py]: number[]) => [x + px, y + py])

describe('a shape that is moved', () => {
  test('takes its label and the ends of its arrows along, and the answer has them', async () => {
    const before = await drawn()
    const { elements } = await update([{ id: 'b', y: 400 }])
    const after = await drawn()
    expect(after['b-label'].y - before['b-label'].y).toBe(400)
    expect(after['b-label'].x).toBe(before['b-label'].x)
    const [[start, end], [newStart, newEnd]] = [ends(before.ar), ends(after.ar)]
    expect(newStart).toEqual(start)
    expect(newEnd).toEqual([end?.[0], (end?.[1] ?? 0) + 400])
    expect(after.ar.height).toBeCloseTo(400)
    expect(after['ar-label'].y).toBeGreaterThan(before['ar-label'].y + 100)
    expect(after['a-label']).toEqual(before['a-label'])
    expect(elements.map(({ id }: Answer) => id).sort()).toEqual(['ar', 'ar-label', 'b', 'b-label'])
    for (const id of ['ar', 'ar-label', 'b', 'b-label'])
      expect(after[id].version).toBeGreaterThan(before[id].version ?? 1)
  })

  test('keeps the ends of its arrows at its edge when it is resized, and its label in the middle', async () => {
    const before = await drawn()
    await update([{ id: 'a', width: 200 }])
    const after = await drawn()
    expect(ends(after.ar)[0]?.[0]).toBeCloseTo((ends(before.ar)[0]?.[0] ?? 0) * 2)
    expect(after['a-label'].x + after['a-label'].width / 2).toBeCloseTo(100)
  })

  test('leaves what the call changes itself as the call says', async () => {
    const before = await drawn()
    await update([
      { id: 'b', y: 400 },
      { id: 'b-label', y: 7 },
      { id: 'ar', strokeColor: '#e03131' },
    ])
    const after = await drawn()
    expect(after['b-label'].y).toBe(7)
    expect(ends(after.ar)).toEqual(ends(before.ar))
  })

  test('is one call with what follows, which undo takes back', async () => {
    const before = await drawn()
    await update([{ id: 'a', x: 50, y: 90 }])
    const { items } = await connected.call('history_list', { limit: 1 })
    await connected.call('history_undo', { calls: [items[0].callId] })
    expect(await drawn()).toEqual(before)
  })

  test('with all shapes moved alike, the drawing is the same elsewhere', async () => {
    const before = await drawn()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }), async (dx, dy) => {
        const [a, b] = [(await drawn()).a, (await drawn()).b]
        await update([
          { id: 'a', x: dx, y: dy },
          { id: 'b', x: dx + 300, y: dy },
        ])
        const after = await drawn()
        expect([a.type, b.type]).toEqual(['rectangle', 'rectangle'])
        for (const [id, { x, y }] of Object.entries(before)) {
          expect(after[id].x).toBeCloseTo(x + dx)
          expect(after[id].y).toBeCloseTo(y + dy)
        }
        for (const [index, point] of before.ar.points.entries()) {
          for (const axis of [0, 1]) expect(after.ar.points[index][axis]).toBeCloseTo(point[axis])
        }
      }),
      { numRuns: runs(5, 100) },
    )
  })
})

describe('a shape that is deleted', () => {
  test.each([
    ['with elements_delete', () => connected.call('elements_delete', { whiteboardBlockId, elementIds: ['b'] })],
    ['as deleted in an update', () => update([{ id: 'b', isDeleted: true }])],
  ])('takes its label along, and frees its arrows: %s', async (_how, remove) => {
    await remove()
    const all = await drawn()
    const left = Object.values(all).filter(({ isDeleted }) => isDeleted !== true)
    expect(left.map(({ id }) => id).sort()).toEqual(['a', 'a-label', 'ar', 'ar-label'])
    expect(all.ar).toMatchObject({ startBinding: { elementId: 'a' }, endBinding: null })
  })

  test('is counted with its label', async () => {
    const answer = await connected.call('elements_delete', { whiteboardBlockId, elementIds: ['b', 'gone'] })
    expect(answer).toEqual({ deletedCount: 2, remainingCount: 4 })
  })
})

test('an arrow or a label that is deleted is named by no shape', async () => {
  await connected.call('elements_delete', { whiteboardBlockId, elementIds: ['ar', 'a-label'] })
  const all = await drawn()
  expect(Object.keys(all).sort()).toEqual(['a', 'b', 'b-label'])
  expect(all.a.boundElements).toEqual([])
  expect(all.b.boundElements).toEqual([{ type: 'text', id: 'b-label' }])
})

/** Keys of an arrow that is bound to `a`, and what its points are. */
const ODD: Readonly<Record<string, object>> = {
  'an arrow without points': {},
  'an arrow with points that are none': { points: [null, 'x'] },
  'an arrow with very many points': { points: Array.from({ length: 200_000 }, (_, at) => [at, at]) },
}

test.each(Object.entries(ODD))('%s is no fault of the server, and nothing becomes null', async (_what, points) => {
  const bound = [{ type: 'arrow', id: 'odd' }, { type: 'text', id: 'word' }, null, 'x']
  const place = { x: 0, y: 0, width: 10, height: 10 }
  await connected.call('elements_add', {
    whiteboardBlockId,
    elements: [
      { id: 'box', type: 'rectangle', ...place, boundElements: bound },
      { id: 'odd', type: 'arrow', ...place, startBinding: { elementId: 'box' }, endBinding: 'x', ...points },
      { id: 'word', type: 'text', text: 'Word', containerId: 'box', x: 1, y: 1 },
    ],
    answer: 'ids',
  })
  for (const change of [{ x: 50 }, { width: 'wide' }, { x: 'far', width: 20 }, { x: 7 }]) {
    await update([{ id: 'box', ...change }], 'ids')
  }
  const { box, odd, word } = await drawn()
  expect(box.x).toBe(7)
  for (const { x, y, width, height } of [odd, word]) {
    for (const value of [x, y, width, height]) expect(value).toEqual(expect.any(Number))
  }
  await connected.call('elements_delete', { whiteboardBlockId, elementIds: ['box'] })
  expect((await drawn()).odd).toMatchObject({ startBinding: null })
})
