/**
 * A board as SVG: its elements in their order, each turned about its middle, those in a frame cut by it, and words
 * above the arrows that they stand on.
 */
import { PICTURE_HEIGHT, PICTURE_PATHS } from '../../limits.ts'
import { around, type Box, type Drawn, isFrame, numberOf, type Point, readDrawn } from './drawn.ts'
import type { Json } from './input.ts'
import { headTags, lengthOf } from './svg-arrows.ts'
import { crossed, Images } from './svg-images.ts'
import { linePaths, shapePaths, strokePaths } from './svg-shapes.ts'
import { sizeOfText, textTags } from './svg-text.ts'
import { colorOf, escaped, paint, round } from './svg-values.ts'

/** Around what is drawn, in the units of the board. */
const MARGIN = 20
/** A small drawing is shown larger, but no more than this. */
const ZOOM = 2
const FRAME_FONT = 14

/**
 * @param maxWidth  pixels of the picture; its height is bounded too
 * @param background  what the board is painted with
 */
export function boardSvg(elements: readonly Json[], assets: Json, maxWidth: number, background: unknown): string {
  const board = new Board(readDrawn(elements), assets, colorOf(background, '#ffffff'))
  const body = board.tags()
  const box = board.box
  const zoom = Math.min(ZOOM, maxWidth / box.width, PICTURE_HEIGHT / box.height)
  const [width, height] = [Math.max(1, Math.round(box.width * zoom)), Math.max(1, Math.round(box.height * zoom))]
  const view = [box.x, box.y, box.width, box.height].map(round).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view}" preserveAspectRatio="xMidYMid">`,
    `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" ${paint('fill', board.ground)}/>`,
    body,
    '</svg>',
  ].join('')
}

class Board {
  /** A colour that is not transparent: words on arrows stand on it. */
  readonly ground: string
  readonly #drawn: readonly Drawn[]
  readonly #ids: ReadonlyMap<string, Drawn>
  readonly #images: Images

  constructor(drawn: readonly Drawn[], assets: Json, ground: string) {
    this.ground = ground === 'transparent' ? '#ffffff' : ground
    this.#drawn = drawn
    this.#ids = new Map(drawn.map((one) => [one.id, one]))
    this.#images = new Images(assets)
  }

  get box(): Box {
    const corners = this.#drawn.flatMap(cornersOf)
    const { x, y, width, height } = corners.length > 0 ? around(corners) : { x: 0, y: 0, width: 0, height: 0 }
    return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }
  }

  tags(): string {
    const frames = this.#drawn.filter(({ type }) => isFrame(type))
    const names = new Map(frames.map(({ id }, index) => [id, `frame-${index}`]))
    const tags = frames.map(({ id, x, y, width, height }) => {
      return `<clipPath id="${names.get(id)}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/></clipPath>`
    })
    let left = PICTURE_PATHS
    for (const one of this.#drawn) {
      const tag = isFrame(one.type) ? '' : this.#placed(one)
      left -= tag.length
      if (left < 0) break
      const name = one.frameId === undefined ? undefined : names.get(one.frameId)
      tags.push(name === undefined ? tag : `<g clip-path="url(#${name})">${tag}</g>`)
    }
    // Frames lie above what they hold.
    return [...tags, ...frames.map(frameTags)].join('')
  }

  /** An element at its place, turned and as opaque as it is. */
  #placed(one: Drawn): string {
    const container = one.type === 'text' ? this.#containerOf(one) : undefined
    const place =
      container === undefined
        ? one
        : isLine(container)
          ? boxAround(middleOf(container.origin, this.#pointsOf(container)), one)
          : container
    const isAtOrigin = one.points.length > 0
    const [x, y] = isAtOrigin ? one.origin : [place.x, place.y]
    const opacity = numberOf(one.given.opacity, 100, 0, 100) / 100
    if (opacity === 0) return ''
    // A layer of no size is what the rasteriser cannot bear.
    const hasSize = place.width > 0.01 || place.height > 0.01
    const faint = opacity < 1 && hasSize ? ` opacity="${round(opacity)}"` : ''
    const angle = container !== undefined && !isLine(container) ? container.angle : one.angle
    const turn = angle % (2 * Math.PI)
    const middle = `${round(place.x + place.width / 2 - x)} ${round(place.y + place.height / 2 - y)}`
    const turned = turn === 0 ? '' : ` rotate(${round((turn * 180) / Math.PI)} ${middle})`
    return `<g transform="translate(${round(x)} ${round(y)})${turned}"${faint}>${this.#tagsOf(one, container)}</g>`
  }

  #containerOf({ containerId }: Drawn): Drawn | undefined {
    const container = containerId === undefined ? undefined : this.#ids.get(containerId)
    return container !== undefined && (isLine(container) || SHAPES.has(container.type)) ? container : undefined
  }

  #tagsOf(one: Drawn, container: Drawn | undefined): string {
    switch (one.type) {
      case 'text':
        return container !== undefined && isLine(container) ? this.#wordsOnLine(one) : textTags(one, container)
      case 'arrow':
      case 'line':
        return this.#line(one)
      case 'freedraw':
        // Before it was a stroke of a pen, it was a line.
        return one.given.type === 'draw' ? this.#line(one) : strokePaths(one)
      case 'image':
        return this.#images.tags(one)
      case 'rectangle':
      case 'diamond':
      case 'ellipse':
        return shapePaths(one)
      case 'embeddable':
      case 'iframe':
        return shapePaths(one) + linkTag(one)
      default:
        return one.type === 'selection' ? '' : crossed(one.width, one.height)
    }
  }

  #line(one: Drawn): string {
    const points = this.#pointsOf(one)
    const { paths, start, end } = linePaths(one, points)
    const [first, last] = [points[0], points.at(-1)]
    if (first === undefined || last === undefined) return paths
    const length = lengthOf(points)
    const head = (kind: string | undefined, from: Point, tip: Point) =>
      kind === undefined ? '' : headTags(one, kind, from, tip, length, this.ground)
    return paths + head(one.startArrowhead, start, first) + head(one.endArrowhead, end, last)
  }

  /** An arrow that says what it joins, and not how, goes straight from one edge to the other. */
  #pointsOf(one: Drawn): readonly Point[] {
    if (Array.isArray(one.given.points) && one.given.points.length > 1) return one.points
    const [from, to] = [one.start, one.end].map((id) => (id === undefined ? undefined : this.#ids.get(id)))
    if (from === undefined || to === undefined) return one.points
    const ends = [edgeOf(from, to), edgeOf(to, from)]
    return ends.map(([x, y]): Point => [x - one.origin[0], y - one.origin[1]])
  }

  #wordsOnLine(one: Drawn): string {
    const { width, height } = sizeOfText(one)
    const back = `<rect width="${round(width)}" height="${round(height)}" ${paint('fill', this.ground)}/>`
    return back + textTags({ ...one, width, height, given: { textAlign: 'center', ...one.given } })
  }
}

const SHAPES: ReadonlySet<string> = new Set(['rectangle', 'diamond', 'ellipse'])

const isLine = ({ type }: Drawn): boolean => type === 'arrow' || type === 'line'

/** Half way along a line. */
function middleOf(origin: Point, points: readonly Point[]): Point {
  let left = lengthOf(points) / 2
  for (const [index, [x, y]] of points.entries()) {
    const [beforeX, beforeY] = points[index - 1] ?? [x, y]
    const step = Math.hypot(x - beforeX, y - beforeY)
    if (step > 0 && step >= left) {
      const part = left / step
      return [origin[0] + beforeX + (x - beforeX) * part, origin[1] + beforeY + (y - beforeY) * part]
    }
    left -= step
  }
  return origin
}

/** The box of words whose middle is at a point. */
function boxAround([x, y]: Point, one: Drawn): Box {
  const { width, height } = sizeOfText(one)
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** Where the line from the middle of one box to that of another leaves the first, and a little beyond. */
function edgeOf(from: Box, to: Box): Point {
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  const [acrossX, acrossY] = [to.x + to.width / 2 - x, to.y + to.height / 2 - y]
  const [roomX, roomY] = [from.width / 2 + 5, from.height / 2 + 5]
  const part = Math.min(1, roomX / Math.abs(acrossX || 1e-9), roomY / Math.abs(acrossY || 1e-9))
  return [x + acrossX * part, y + acrossY * part]
}

/** The corners of an element, turned as it is. */
function cornersOf(one: Drawn): Point[] {
  const size = one.type === 'text' ? sizeOfText(one) : one
  const { x, y } = one
  const [width, height] = [Math.max(one.width, size.width), Math.max(one.height, size.height)]
  const above = isFrame(one.type) ? FRAME_FONT * 1.5 : 0
  const corners: Point[] = [
    [x, y - above],
    [x + width, y - above],
    [x, y + height],
    [x + width, y + height],
  ]
  if (one.angle === 0) return corners
  const [middleX, middleY] = [x + one.width / 2, y + one.height / 2]
  const [cos, sin] = [Math.cos(one.angle), Math.sin(one.angle)]
  return corners.map(([atX, atY]): Point => {
    const [fromX, fromY] = [atX - middleX, atY - middleY]
    return [middleX + fromX * cos - fromY * sin, middleY + fromX * sin + fromY * cos]
  })
}

function frameTags({ x, y, width, height, text }: Drawn): string {
  const name = escaped(text.replace(/\s+/g, ' ').slice(0, 100))
  return [
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="8" fill="none" stroke="#bbbbbb" stroke-width="2"/>`,
    `<text x="${round(x)}" y="${round(y - 6)}" font-family="DejaVu Sans" font-size="${FRAME_FONT}" fill="#999999">${name}</text>`,
  ].join('')
}

function linkTag({ link = '', width, height }: Drawn): string {
  const words = escaped(link.slice(0, 100))
  return `<text x="${round(width / 2)}" y="${round(height / 2)}" text-anchor="middle" font-family="DejaVu Sans" font-size="14" fill="#495057">${words}</text>`
}
