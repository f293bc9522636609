/** The SVG of a whiteboard, which is what its picture is drawn from. */
import { describe, expect, test } from 'vitest'
import { RENDER_HEIGHT, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../src/base/limits.ts'
import { renderWhiteboardSvg } from '../../src/render/whiteboard-svg.ts'
import { box, png } from './board-parts.ts'

const svg = (elements: readonly object[], assets: object = {}, background: unknown = undefined): string =>
  renderWhiteboardSvg(elements as Record<string, unknown>[], assets as Record<string, unknown>, {
    maxWidth: 1_200,
    maxHeight: RENDER_HEIGHT,
    maxPathLength: RENDER_PATH_LENGTH,
    maxImagePixels: RENDER_PIXELS,
    background,
  })

const picture = { id: 'p', type: 'image', x: 0, y: 0, width: 50, height: 50, fileId: 'f' }

describe('the SVG of a whiteboard', () => {
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
