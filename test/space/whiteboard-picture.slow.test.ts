/** Whiteboards as pictures, drawn in a worker thread. */
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { imageSize } from 'image-size'
import { describe, expect, test } from 'vitest'
import { RENDER_HEIGHT } from '../../src/base/limits.ts'
import { pngInput, renderWhiteboardPng } from '../../src/space/whiteboards/whiteboard-png.ts'
import { DRAWINGS } from '../drawings.ts'
import { MADE, MADE_ASSETS } from '../made-board.ts'
import { oddElement } from '../odd-elements.ts'
import { counted, longestRun } from '../support/steps.ts'
import { box, png } from './board-parts.ts'

const pngOf = async (...args: Parameters<typeof pngInput>): Promise<Buffer> =>
  (await renderWhiteboardPng(pngInput(...args))).png

describe('a rendered whiteboard', () => {
  test.each(DRAWINGS)('of $name is a PNG within the maximum width', async ({ elements }) => {
    const { width, height, type } = imageSize(await pngOf(elements, {}, { maxWidth: 300 }))
    expect(type).toBe('png')
    expect(width).toBeLessThanOrEqual(300)
    expect(height).toBeLessThanOrEqual(RENDER_HEIGHT)
  })

  test('is reproducible', async () => {
    const [first, second] = [await pngOf(MADE, MADE_ASSETS), await pngOf(MADE, MADE_ASSETS)]
    expect(first.equals(second)).toBe(true)
  })

  test('has the background color of the board', async () => {
    const small = { ...box(), strokeColor: 'transparent', width: 10, height: 10 }
    expect(firstPixel(await pngOf([small], {}, { background: '#102030' }))).toEqual([0x10, 0x20, 0x30])
    expect(firstPixel(await pngOf([small], {}, { background: 'url(x)' }))).toEqual([255, 255, 255])
    expect(firstPixel(await pngOf([], {}))).toEqual([255, 255, 255])
  })

  test('works with any elements', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(oddElement, { maxLength: 30 }), async (elements) => {
        const { width = 0, height = 0 } = imageSize(await pngOf(elements, { a: { dataURL: png(2, 2) } }))
        expect(width).toBeGreaterThan(0)
        expect(width).toBeLessThanOrEqual(1_200)
        expect(height).toBeLessThanOrEqual(RENDER_HEIGHT)
      }),
      { numRuns: 25 },
    )
  })

  test('works with very many and very large elements', async () => {
    const huge = {
      x: -1e308,
      y: 1e308,
      width: 1e308,
      height: Number.MAX_VALUE,
      backgroundColor: '#ff0',
      strokeWidth: 0,
    }
    const points = Array.from({ length: 100_000 }, (_, at) => [at, at % 7])
    const shapes = ['rectangle', 'ellipse', 'diamond', 'line', 'arrow', 'freedraw'].map((type) => {
      return box({ ...huge, id: type, type, points, roundness: { type: 3 }, fillStyle: 'zigzag' })
    })
    expect(imageSize(await pngOf(shapes, {}))).toMatchObject({ type: 'png' })
    const many = Array.from({ length: 20_000 }, (_, at) => box({ id: `e${at}`, x: at }))
    expect(imageSize(await pngOf(many, {}))).toMatchObject({ type: 'png', width: 1_200 })
  })
})

/** Red, green and blue of the top left pixel. */
function firstPixel(file: Buffer): number[] {
  const at = file.indexOf('IDAT')
  const data = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)))
  return [...data.subarray(1, 4)]
}

test('a picture is drawn in a thread: each field is read at most twice to send it there', async () => {
  const elements = Array.from({ length: 500 }, (_, at) => ({
    id: `e${at}`,
    type: 'rectangle',
    x: at,
    y: 0,
    width: 9,
    height: 9,
    seed: 1,
  }))
  const fields = 500 * 8
  expect(await longestRun(() => renderWhiteboardPng(pngInput(counted(elements), {})))).toBeLessThanOrEqual(2 * fields)
})
