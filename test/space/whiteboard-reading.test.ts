import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WHITEBOARD_DESCRIPTION_LENGTH, WHITEBOARD_DESCRIPTION_LINES } from '../../src/base/limits.ts'
import { describeWhiteboard } from '../../src/space/whiteboards/describe-whiteboard.ts'
import { DRAWINGS } from '../drawings.ts'
import { oddElement } from '../odd-elements.ts'
import { runs } from '../support/runs.ts'

const HEAD = /^A reading of (.*) \(change them with elements_update\):\n?/
const read = (...elements: object[]): string =>
  describeWhiteboard(elements as Record<string, unknown>[], elements.length).replace(HEAD, '')

const at = (x: number, y: number, width = 100, height = 50) => ({ x, y, width, height })
const box = (id: string, x: number, y = 0, more: object = {}) => ({ id, type: 'rectangle', ...at(x, y), ...more })
const words = (text: string, containerId?: string, more: object = {}) => {
  return { id: `text ${text}`, type: 'text', text, containerId, ...at(0, 0, 20, 20), ...more }
}
const arrow = (from?: string, to?: string, more: object = {}) => ({
  ...{
    id: `${from} ${to}`,
    type: 'arrow',
    x: 400,
    y: 400,
    points: [
      [0, 0],
      [50, 0],
    ],
  },
  ...{ startBinding: from && { elementId: from }, endBinding: to && { elementId: to }, ...more },
})

test('real drawings', async () => {
  const readings = DRAWINGS.map(({ name, elements }) => `# ${name}\n${describeWhiteboard(elements, elements.length)}\n`)
  await expect(readings.join('\n')).toMatchFileSnapshot('../snapshots/whiteboard-readings.txt')
})

describe('a description', () => {
  test('should have the text of shapes and the arrows between them', () => {
    const web = [box('web', 0), words('Web\nshop', 'web')]
    const server = [box('server', 300, 0, { type: 'ellipse' }), words('Server', 'server')]
    expect(read(...web, ...server, arrow('web', 'server'), words('HTTP', 'web server'))).toBe(
      '- rectangle "Web shop"\n- ellipse "Server"\n- arrow "Web shop" → "Server": "HTTP"',
    )
  })
  test('should distinguish arrows by their heads', () => {
    const shapes = [box('a', 0), words('A', 'a'), box('b', 300), words('B', 'b')]
    const joined = (more: object) =>
      read(...shapes, arrow('a', 'b', more))
        .split('\n')
        .at(-1)
    expect(joined({})).toBe('- arrow "A" → "B"')
    expect(joined({ endArrowhead: null })).toBe('- arrow "A" — "B"')
    expect(joined({ startArrowhead: 'dot' })).toBe('- arrow "A" ↔ "B"')
    expect(joined({ startArrowhead: 'bar', endArrowhead: null })).toBe('- arrow "A" ← "B"')
  })
  test('should find what the ends of an arrow touch, and report loose ends', () => {
    const touching = {
      x: 105,
      y: 25,
      points: [
        [0, 0],
        [190, 0],
      ],
    }
    const loose = arrow(undefined, undefined, touching)
    expect(read(box('a', 0), box('b', 300), loose)).toBe('- arrow rectangle → rectangle\n- 2 rectangles')
    expect(read(box('a', 0), words('A', 'a'), loose)).toBe('- rectangle "A"\n- arrow "A" → (open)')
    expect(read(loose)).toBe('- 1 arrow pointing right')
    expect(read(arrow('a', 'gone'), box('a', 0))).toBe('- arrow rectangle → (open)\n- 1 rectangle')
  })
  test('should name arrows that connect nothing by their text or direction', () => {
    const pointing = (x: number, y: number) =>
      arrow(undefined, undefined, {
        points: [
          [0, 0],
          [x, y],
        ],
      })
    expect(read(pointing(-5, 0))).toBe('- 1 arrow pointing left')
    expect(read(pointing(5, -5), pointing(6, -5))).toBe('- 2 arrows pointing up and right')
    expect(read(pointing(0, 0))).toBe('- 1 arrow pointing nowhere')
    expect(read(arrow(), words('why', 'undefined undefined'))).toBe('- arrow pointing right: "why"')
  })
  test('should treat a few texts inside a shape as its own', () => {
    const inside = (text: string, y: number) => words(text, undefined, at(10, y, 20, 10))
    expect(read(box('a', 0), inside('one', 5), inside('two', 20))).toBe('- rectangle "one / two"')
    const four = ['a', 'b', 'c', 'd'].map((text, index) => inside(text, index * 10))
    expect(read(box('a', 0), ...four)).toMatch(/^- text "a"\n.*\n.*\n- text "d"\n- 1 rectangle$/)
  })
  test('should contain frames and groups', () => {
    const inFrame = { frameId: 'f', groupIds: ['in', 'out'] }
    const frame = { id: 'f', type: 'frame', name: 'Login', ...at(0, 0, 500, 500) }
    expect(
      read(
        box('a', 0, 0, inFrame),
        words('A', 'a', inFrame),
        box('b', 200, 0, inFrame),
        box('c', 0, 200, { frameId: 'f' }),
        frame,
      ),
    ).toBe('- frame "Login":\n  - group:\n    - rectangle "A"\n    - 1 rectangle\n  - 1 rectangle')
    expect(read(box('a', 0, 0, { frameId: 'gone' }), { ...frame, name: null })).toBe('- frame:\n- 1 rectangle')
  })
  test('should mention images, links and unknown elements', () => {
    expect(read({ id: 'i', type: 'image', ...at(0, 0, 300.4, 200) })).toBe('- picture 300×200')
    expect(read(box('a', 0, 0, { link: 'https://a.b' }))).toBe('- rectangle, link https://a.b')
    expect(read({ id: 'e', type: 'embeddable', link: 'https://a.b' })).toBe('- embedded page, link https://a.b')
    expect(read({ id: 'n', type: 'neon' }, { id: 'm', type: 'neon' }, { id: 'd', type: 'draw' })).toBe(
      '- 2 neons, 1 stroke',
    )
  })
  test('should go from top to bottom in rows', () => {
    const texts = [
      words('4', undefined, at(0, 300)),
      words('2', undefined, at(90, 0)),
      words('1', undefined, at(0, 30)),
    ]
    expect(read(...texts, words('3', undefined, at(50, 90)))).toBe('- text "1"\n- text "2"\n- text "3"\n- text "4"')
  })
  test('should omit deleted elements, and be empty for an empty board', () => {
    expect(describeWhiteboard([], 0)).toBe('')
    expect(read(box('a', 0, 0, { isDeleted: true }))).toBe('')
  })
  test('should be truncated if it is long, and say so', () => {
    const many = Array.from({ length: 300 }, (_, index) => words(`word ${index}`, undefined, at(0, index * 100)))
    const lines = describeWhiteboard(many, 20_000).split('\n')
    expect(lines[0]).toBe('A reading of the first 300 of 20,000 elements (change them with elements_update):')
    expect(lines).toHaveLength(WHITEBOARD_DESCRIPTION_LINES + 2)
    expect(lines.at(-1)).toBe('- … 200 lines more; elements_list has every element')
  })
  test('should be short and valid for any elements', () => {
    fc.assert(
      fc.property(fc.array(oddElement, { maxLength: 60 }), (elements) => {
        const reading = describeWhiteboard(elements, elements.length)
        expect(reading.isWellFormed()).toBe(true)
        expect(reading.length).toBeLessThan(WHITEBOARD_DESCRIPTION_LENGTH + 1_000)
        expect(reading.split('\n').length).toBeLessThanOrEqual(WHITEBOARD_DESCRIPTION_LINES + 2)
        for (const line of reading.split('\n').slice(1)) expect(line).toMatch(/^ *- \S/)
      }),
      { numRuns: runs(50, 500) },
    )
  })
})
