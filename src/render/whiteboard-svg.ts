/**
 * Renders a whiteboard as SVG: elements in order, each rotated around its center, clipped to its frame, with labels
 * above their arrows.
 */
import {
  type Box,
  boundingBox,
  clampNumber,
  isFrame,
  type JsonObject,
  type NormalizedElement,
  normalizeElements,
  type Point,
} from './normalize-element.ts'
import { arrowheadSvg, lineLength } from './svg-arrows.ts'
import { ImageRenderer, placeholderSvg } from './svg-images.ts'
import { linePaths, shapePaths, strokePaths } from './svg-shapes.ts'
import { estimateTextSize, textSvg } from './svg-text.ts'
import { escapeXml, paintAttributes, round, toColor } from './svg-values.ts'

/** Space around the drawing, in board units. */
const MARGIN = 20
/** A small drawing is enlarged by at most this factor. */
const MAX_ZOOM = 2
const FRAME_FONT = 14

export interface SvgOptions {
  /** Pixels. */
  maxWidth: number
  /** Pixels. */
  maxHeight: number
  /** Characters of all elements. Elements beyond it are left out. */
  maxPathLength: number
  /** Pixels of all images together. Images beyond them become placeholders. */
  maxImagePixels: number
  /** Background color; white if it is not a valid color. */
  background?: unknown
  /** Whether the group of each element is named after it: {@link elementName}. */
  namesElements?: boolean | undefined
}

/** @param assets  Excalidraw's `files` */
export function renderWhiteboardSvg(elements: readonly JsonObject[], assets: JsonObject, options: SvgOptions): string {
  const { maxWidth, maxHeight, background } = options
  const board = new WhiteboardRenderer(normalizeElements(elements), assets, toColor(background, '#ffffff'), options)
  const body = board.render()
  const box = board.box
  const zoom = Math.min(MAX_ZOOM, maxWidth / box.width, maxHeight / box.height)
  const [width, height] = [Math.max(1, Math.round(box.width * zoom)), Math.max(1, Math.round(box.height * zoom))]
  const view = [box.x, box.y, box.width, box.height].map(round).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view}" preserveAspectRatio="xMidYMid">`,
    `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" ${paintAttributes('fill', board.background)}/>`,
    body,
    '</svg>',
  ].join('')
}

/** The `id` of the group that an element is drawn as. */
export const elementName = (id: string): string => `element-${encodeURIComponent(id.toWellFormed())}`

class WhiteboardRenderer {
  /** Never transparent, since labels on arrows are drawn on it. */
  readonly background: string
  readonly #elements: readonly NormalizedElement[]
  readonly #ids: ReadonlyMap<string, NormalizedElement>
  readonly #images: ImageRenderer
  readonly #maxPathLength: number
  readonly #namesElements: boolean

  constructor(
    elements: readonly NormalizedElement[],
    assets: JsonObject,
    background: string,
    { maxPathLength, maxImagePixels, namesElements = false }: SvgOptions,
  ) {
    this.#namesElements = namesElements
    this.#maxPathLength = maxPathLength
    this.background = background === 'transparent' ? '#ffffff' : background
    this.#elements = elements
    this.#ids = new Map(elements.map((element) => [element.id, element]))
    this.#images = new ImageRenderer(assets, maxImagePixels)
  }

  get box(): Box {
    const corners = this.#elements.flatMap(rotatedCorners)
    const { x, y, width, height } = corners.length > 0 ? boundingBox(corners) : { x: 0, y: 0, width: 0, height: 0 }
    return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }
  }

  render(): string {
    const frames = this.#elements.filter(({ type }) => isFrame(type))
    const names = new Map(frames.map(({ id }, index) => [id, `frame-${index}`]))
    const tags = frames.map(({ id, x, y, width, height }) => {
      return `<clipPath id="${names.get(id)}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/></clipPath>`
    })
    let remaining = this.#maxPathLength
    for (const element of this.#elements) {
      const tag = isFrame(element.type) ? '' : this.#renderPlaced(element)
      remaining -= tag.length
      if (remaining < 0) break
      const name = element.frameId === undefined ? undefined : names.get(element.frameId)
      tags.push(name === undefined ? tag : `<g clip-path="url(#${name})">${tag}</g>`)
    }
    // Frames are drawn above their content.
    return [...tags, ...frames.map((frame) => this.#renderFrame(frame))].join('')
  }

  /** An element with its position, rotation and opacity. */
  #renderPlaced(element: NormalizedElement): string {
    const container = element.type === 'text' ? this.#findContainer(element) : undefined
    const place =
      container === undefined
        ? element
        : isLine(container)
          ? textBoxAt(lineMidpoint(container.origin, this.#linePoints(container)), element)
          : container
    const isAtOrigin = element.points.length > 0
    const [x, y] = isAtOrigin ? element.origin : [place.x, place.y]
    const opacity = clampNumber(element.source.opacity, 100, 0, 100) / 100
    if (opacity === 0) return ''
    // The rasterizer cannot handle a layer of zero size.
    const hasSize = place.width > 0.01 || place.height > 0.01
    const opacityAttribute = opacity < 1 && hasSize ? ` opacity="${round(opacity)}"` : ''
    const angle = container !== undefined && !isLine(container) ? container.angle : element.angle
    const rotation = angle % (2 * Math.PI)
    const middle = `${round(place.x + place.width / 2 - x)} ${round(place.y + place.height / 2 - y)}`
    const rotate = rotation === 0 ? '' : ` rotate(${round((rotation * 180) / Math.PI)} ${middle})`
    const name = this.#namesElements ? ` id="${escapeXml(elementName(element.id))}"` : ''
    return `<g${name} transform="translate(${round(x)} ${round(y)})${rotate}"${opacityAttribute}>${this.#renderElement(element, container)}</g>`
  }

  #findContainer({ containerId }: NormalizedElement): NormalizedElement | undefined {
    const container = containerId === undefined ? undefined : this.#ids.get(containerId)
    return container !== undefined && (isLine(container) || SHAPES.has(container.type)) ? container : undefined
  }

  #renderElement(element: NormalizedElement, container: NormalizedElement | undefined): string {
    switch (element.type) {
      case 'text':
        return container !== undefined && isLine(container)
          ? this.#renderLineLabel(element)
          : textSvg(element, container)
      case 'arrow':
      case 'line':
        return this.#renderLine(element)
      case 'freedraw':
        // The old `draw` type was a line, not a freehand stroke.
        return element.source.type === 'draw' ? this.#renderLine(element) : strokePaths(element)
      case 'image':
        return this.#images.render(element)
      case 'rectangle':
      case 'diamond':
      case 'ellipse':
        return shapePaths(element)
      case 'embeddable':
      case 'iframe':
        return shapePaths(element) + linkSvg(element)
      default:
        return element.type === 'selection' ? '' : placeholderSvg(element.width, element.height)
    }
  }

  #renderFrame(frame: NormalizedElement): string {
    const content = frameSvg(frame)
    return this.#namesElements ? `<g id="${escapeXml(elementName(frame.id))}">${content}</g>` : content
  }

  #renderLine(element: NormalizedElement): string {
    const points = this.#linePoints(element)
    const { paths, start, end } = linePaths(element, points)
    const [first, last] = [points[0], points.at(-1)]
    if (first === undefined || last === undefined) return paths
    const length = lineLength(points)
    const head = (kind: string | undefined, from: Point, tip: Point) =>
      kind === undefined ? '' : arrowheadSvg(element, kind, from, tip, length, this.background)
    return paths + head(element.startArrowhead, start, first) + head(element.endArrowhead, end, last)
  }

  /** An arrow with bindings but no points goes straight from one edge to the other. */
  #linePoints(element: NormalizedElement): readonly Point[] {
    if (Array.isArray(element.source.points) && element.source.points.length > 1) return element.points
    const [from, to] = [element.start, element.end].map((id) => (id === undefined ? undefined : this.#ids.get(id)))
    if (from === undefined || to === undefined) return element.points
    const ends = [edgePoint(from, to), edgePoint(to, from)]
    return ends.map(([x, y]): Point => [x - element.origin[0], y - element.origin[1]])
  }

  #renderLineLabel(element: NormalizedElement): string {
    const { width, height } = estimateTextSize(element)
    const back = `<rect width="${round(width)}" height="${round(height)}" ${paintAttributes('fill', this.background)}/>`
    return back + textSvg({ ...element, width, height, source: { textAlign: 'center', ...element.source } })
  }
}

const SHAPES: ReadonlySet<string> = new Set(['rectangle', 'diamond', 'ellipse'])

const isLine = ({ type }: NormalizedElement): boolean => type === 'arrow' || type === 'line'

/** The point halfway along a line. */
function lineMidpoint(origin: Point, points: readonly Point[]): Point {
  let remaining = lineLength(points) / 2
  for (const [index, [x, y]] of points.entries()) {
    const [beforeX, beforeY] = points[index - 1] ?? [x, y]
    const step = Math.hypot(x - beforeX, y - beforeY)
    if (step > 0 && step >= remaining) {
      const ratio = remaining / step
      return [origin[0] + beforeX + (x - beforeX) * ratio, origin[1] + beforeY + (y - beforeY) * ratio]
    }
    remaining -= step
  }
  return origin
}

/** The box of text centered at a point. */
function textBoxAt([x, y]: Point, element: NormalizedElement): Box {
  const { width, height } = estimateTextSize(element)
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** The point where the line between the centers of two boxes leaves the first, plus a small gap. */
function edgePoint(from: Box, to: Box): Point {
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  const [deltaX, deltaY] = [to.x + to.width / 2 - x, to.y + to.height / 2 - y]
  const [maxX, maxY] = [from.width / 2 + 5, from.height / 2 + 5]
  const ratio = Math.min(1, maxX / Math.abs(deltaX || 1e-9), maxY / Math.abs(deltaY || 1e-9))
  return [x + deltaX * ratio, y + deltaY * ratio]
}

/** The corners of an element after rotation. */
function rotatedCorners(element: NormalizedElement): Point[] {
  const size = element.type === 'text' ? estimateTextSize(element) : element
  const { x, y } = element
  const [width, height] = [Math.max(element.width, size.width), Math.max(element.height, size.height)]
  const above = isFrame(element.type) ? FRAME_FONT * 1.5 : 0
  const corners: Point[] = [
    [x, y - above],
    [x + width, y - above],
    [x, y + height],
    [x + width, y + height],
  ]
  if (element.angle === 0) return corners
  const [middleX, middleY] = [x + element.width / 2, y + element.height / 2]
  const [cos, sin] = [Math.cos(element.angle), Math.sin(element.angle)]
  return corners.map(([atX, atY]): Point => {
    const [fromX, fromY] = [atX - middleX, atY - middleY]
    return [middleX + fromX * cos - fromY * sin, middleY + fromX * sin + fromY * cos]
  })
}

function frameSvg({ x, y, width, height, text }: NormalizedElement): string {
  const name = escapeXml(text.replace(/\s+/g, ' ').slice(0, 100))
  return [
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="8" fill="none" stroke="#bbbbbb" stroke-width="2"/>`,
    `<text x="${round(x)}" y="${round(y - 6)}" font-family="DejaVu Sans" font-size="${FRAME_FONT}" fill="#999999">${name}</text>`,
  ].join('')
}

function linkSvg({ link = '', width, height }: NormalizedElement): string {
  const shown = escapeXml(link.slice(0, 100))
  return `<text x="${round(width / 2)}" y="${round(height / 2)}" text-anchor="middle" font-family="DejaVu Sans" font-size="14" fill="#495057">${shown}</text>`
}
