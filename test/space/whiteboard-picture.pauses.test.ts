import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { imageSize } from 'image-size'
import { describe, expect, test } from 'vitest'
import { RENDER_HEIGHT, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../src/base/limits.ts'
import { renderWhiteboardSvg } from '../../src/render/whiteboard-svg.ts'
import { pngInput, renderWhiteboardPng } from '../../src/space/whiteboards/whiteboard-png.ts'
import { DRAWINGS } from '../drawings.ts'
import { MADE, MADE_ASSETS } from '../made-board.ts'
import { oddElement } from '../odd-elements.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

const svg = (elements: readonly object[], assets: object = {}, background: unknown = undefined): string =>
  renderWhiteboardSvg(elements as Record<string, unknown>[], assets as Record<string, unknown>, {
    maxWidth: 1_200,
    maxHeight: RENDER_HEIGHT,
    maxPathLength: RENDER_PATH_LENGTH,
    maxImagePixels: RENDER_PIXELS,
    background,
  })

const box = (more: object = {}) => ({
  id: 'a',
  type: 'rectangle',
  x: 0,
  y: 0,
  width: 100,
  height: 50,
  seed: 1,
  ...more,
})
const png = (width: number, height: number): string => {
  const bytes = Buffer.from(MADE_ASSETS.file.dataURL.split(',')[1] ?? '', 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}
const picture = { id: 'p', type: 'image', x: 0, y: 0, width: 50, height: 50, fileId: 'f' }

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

  test('does not block the event loop', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => {
      return box({ id: `e${at}`, x: (at % 70) * 120, y: Math.floor(at / 70) * 70, backgroundColor: '#ff0000' })
    })
    expect(await longestPause(() => pngOf(many, {}))).toBeLessThan(LONGEST_PAUSE)
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

describe('its SVG', () => {
  test('should contain only text and colors from a client', () => {
    const given = '"/><image href="/etc/passwd"/><x y="'
    const all = Object.fromEntries(
      [
        'strokeColor',
        'backgroundColor',
        'fillStyle',
        'strokeStyle',
        'fontFamily',
        'textAlign',
        'endArrowhead',
        'link',
      ].map((key) => [key, given]),
    )
    for (const type of ['rectangle', 'text', 'arrow', 'frame', 'embeddable', 'image', 'freedraw', given]) {
      const one = {
        ...box({
          type,
          text: given,
          name: given,
          points: [
            [0, 0],
            [9, 9],
          ],
        }),
        ...all,
        id: given,
        fileId: given,
      }
      const text = svg([one], { [given]: { dataURL: given, mimeType: given } }, given)
      expect(text).not.toContain('<image')
      expect(text).not.toContain('<x')
    }
  })
  test('should show images from data only, of types without code', () => {
    const shown = (dataURL: unknown) => svg([picture], { f: { dataURL } }).includes('<image')
    expect(shown(png(2, 2))).toBe(true)
    expect(shown('https://example.org/a.png')).toBe(false)
    expect(shown('file:///etc/passwd')).toBe(false)
    expect(shown(`data:image/svg+xml;base64,${Buffer.from('<svg width="1" height="1"/>').toString('base64')}`)).toBe(
      false,
    )
    expect(shown(`data:image/png;base64,${Buffer.from('no picture').toString('base64')}`)).toBe(false)
    expect(shown('data:image/png;base64,')).toBe(false)
    expect(shown(5)).toBe(false)
  })
  test('should not decode more pixels than allowed', () => {
    const side = Math.ceil(Math.sqrt(RENDER_PIXELS))
    expect(svg([picture], { f: { dataURL: png(side + 1, side) } })).not.toContain('<image')
    expect(svg([picture], { f: { dataURL: png(60_000, 60_000) } })).not.toContain('<image')
    const half = { dataURL: png(side, Math.floor(side / 2)) }
    const three = ['f', 'g', 'h'].map((fileId, at) => ({ ...picture, id: fileId, fileId, x: at * 60 }))
    expect(svg(three, { f: half, g: half, h: half }).match(/<image/g)).toHaveLength(2)
  })
  test('should break words that are too long for their shape', () => {
    const words = { id: 't', type: 'text', containerId: 'a', text: 'one two three four five six', fontSize: 20 }
    const lines = [...svg([box(), words]).matchAll(/<text [^>]*>([^<]*)</g)].map(([, line]) => line)
    expect(lines).toEqual(['one two', 'three', 'four', 'five six'])
  })
  test('should rotate elements and apply their opacity', () => {
    expect(svg([box({ angle: Math.PI / 2, opacity: 50 })])).toContain(
      '<g transform="translate(0 0) rotate(90 50 25)" opacity="0.5">',
    )
  })
})

/** Red, green and blue of the top left pixel. */
function firstPixel(file: Buffer): number[] {
  const at = file.indexOf('IDAT')
  const data = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)))
  return [...data.subarray(1, 4)]
}
