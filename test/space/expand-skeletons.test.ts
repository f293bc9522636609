import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ElementInput, JsonObject } from '../../src/space/whiteboards/element-input.ts'
import { expandSkeletons, namedElements } from '../../src/space/whiteboards/expand-skeletons.ts'

/** The output of `convertToExcalidrawElements` of Excalidraw 0.18.1 in Chromium, with its own fonts. */
const recorded = JSON.parse(
  readFileSync(new URL('../data/excalidraw-skeletons.json', import.meta.url), 'utf8'),
) as readonly { name: string; skeletons: ElementInput[]; elements: ElementInput[] }[]

/** Widths of texts are added up letter by letter here; a browser also applies kerning. */
const TOLERANCE = 12

/** Replaces random IDs of Excalidraw by ours. */
function renamed(elements: readonly ElementInput[], skeletons: readonly ElementInput[]): ElementInput[] {
  const names = new Map<unknown, string>()
  for (const { id, type, containerId } of elements)
    if (type === 'text' && containerId) names.set(id, `${containerId}-label`)
  for (const [end, key] of [
    ['start', 'startBinding'],
    ['end', 'endBinding'],
  ] as const) {
    for (const skeleton of skeletons) {
      const named = (skeleton[end] as JsonObject | undefined)?.id
      const bound = elements.find(({ id }) => id === skeleton.id)?.[key] as JsonObject | undefined
      if (typeof named === 'string') names.set(bound?.elementId, named)
    }
  }
  const json = JSON.stringify(elements, (_, value) => names.get(value) ?? value)
  return (JSON.parse(json) as ElementInput[]).sort(byId)
}

const byId = (one: ElementInput, other: ElementInput) => (one.id < other.id ? -1 : 1)

/** Numbers may differ by a few pixels, and everything else must be equal. */
function expectAlike(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number') expect(Math.abs((actual as number) - expected), path).toBeLessThan(TOLERANCE)
  else if (typeof expected === 'object' && expected !== null) {
    for (const [key, value] of Object.entries(expected))
      expectAlike((actual as JsonObject)?.[key], value, `${path}.${key}`)
  } else expect(actual, path).toEqual(expected)
}

test.each(recorded)('$name become what Excalidraw makes of them', ({ skeletons, elements }) => {
  const { added, changed } = expandSkeletons(skeletons, [])
  const expected = renamed(elements, skeletons)
  expect(changed).toEqual([])
  expect(added.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id))
  for (const [index, element] of [...added].sort(byId).entries()) expectAlike(element, expected[index], element.id)
  for (const key of ['label', 'start', 'end', 'children']) expect(added.filter((element) => key in element)).toEqual([])
})

test('complete elements are unchanged, and expanding twice changes nothing more', () => {
  for (const { elements, skeletons } of recorded) {
    const whole = elements.map((element) => ({ x: 0, y: 0, ...element }))
    expect(expandSkeletons(whole, []).added).toEqual(whole)
    const { added } = expandSkeletons(skeletons, [])
    expect(expandSkeletons(added, []).added).toEqual(added)
  }
})

const box = (id: string, x: number, y: number, more: object = {}): ElementInput => ({
  ...{ id, type: 'rectangle', x, y, width: 100, height: 100 },
  ...more,
})

test('an arrow between two shapes runs from edge to edge by default', () => {
  const arrow = { id: 'to', type: 'arrow', start: { id: 'a' }, end: { id: 'b' }, label: { text: 'yes' } }
  const { added } = expandSkeletons([box('a', 0, 0), box('b', 300, 0, { type: 'diamond' }), arrow], [])
  const [, , to, label] = added
  expect(to).toMatchObject({ x: 100, y: 50, width: 200, height: 0 })
  expect(to?.points).toEqual([
    [0.5, 0],
    [199.5, 0],
  ])
  expect(to?.startBinding).toEqual({ elementId: 'a', focus: 0, gap: 1 })
  expect(to?.endBinding).toEqual({ elementId: 'b', focus: 0, gap: 1 })
  expect(Number(label?.x) + Number(label?.width) / 2).toBe(200)
  expect(Number(label?.y) + Number(label?.height) / 2).toBe(50)
})

test('arrows are bound to existing shapes, which then reference them', () => {
  const arrow = { id: 'to', type: 'arrow', start: { id: 'old' }, end: { id: 'new' } }
  const onBoard = [box('old', 0, 0, { boundElements: [{ type: 'text', id: 't' }], customData: { a: 1 } })]
  expect(namedElements([arrow, box('new', 0, 300)])).toEqual(['old'])
  const { added, changed } = expandSkeletons([arrow, box('new', 0, 300)], onBoard)
  expect(added.map(({ id }) => id)).toEqual(['to', 'new'])
  expect(added[0]).toMatchObject({ x: 50, y: 100, height: 200 })
  const bound = [
    { type: 'text', id: 't' },
    { type: 'arrow', id: 'to' },
  ]
  expect(changed).toEqual([{ ...onBoard[0], boundElements: bound }])
})

test('a text that names its shape is centered in it', () => {
  const text = { id: 't', type: 'text', text: 'In', containerId: 'a' }
  const { added } = expandSkeletons([box('a', 0, 0), text], [])
  expect(added[0]).toEqual(box('a', 0, 0, { boundElements: [{ type: 'text', id: 't' }] }))
  expect(added[1]).toMatchObject({ y: 37.5, height: 25, textAlign: 'center', originalText: 'In' })
  expect(Number(added[1]?.x) + Number(added[1]?.width) / 2).toBe(50)
})

test.each([
  [
    { id: 'to', type: 'arrow', start: { id: 'nowhere' } },
    'Expected `start` of to to name an element of this call or of the board, found "nowhere"; add that element in the same call, or name one of elements_list. Nothing was written.',
  ],
  [
    { id: 'f', type: 'frame', children: ['nowhere'] },
    'Expected `children` of f to name an element of this call or of the board, found "nowhere"; add that element in the same call, or name one of elements_list. Nothing was written.',
  ],
  [
    { id: 'w', type: 'ellipse', label: { text: 'a', id: 'w' } },
    'Expected an ID that no other element has, found w twice; give each element one ID.',
  ],
])('%j is rejected', (element, message) => {
  expect(() => expandSkeletons([element], [])).toThrow(message)
})

test('invalid forms neither throw nor produce invalid numbers', () => {
  const odd = [null, 'text', -1, [], {}, [null], [[1]], [['a', 'b'], 1], { id: 7 }, { text: 7 }]
  const keys = [
    'x',
    'y',
    'width',
    'height',
    'points',
    'label',
    'start',
    'end',
    'children',
    'boundElements',
    'text',
    'fontSize',
  ]
  for (const type of ['rectangle', 'arrow', 'line', 'text', 'frame', 'freedraw']) {
    for (const key of keys) {
      for (const value of odd) {
        const given = { id: 'odd', type, [key]: value }
        let added: ElementInput[]
        try {
          added = expandSkeletons([given], []).added
        } catch (error) {
          expect(String(error)).toMatch(/Expected `(start|end|children)` of odd to name an element/)
          continue
        }
        for (const element of added) {
          const numbers = Object.values(element).filter((one) => typeof one === 'number')
          expect(numbers.every(Number.isFinite), JSON.stringify(given)).toBe(true)
        }
      }
    }
  }
})
