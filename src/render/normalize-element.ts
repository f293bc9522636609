/**
 * Normalizes untrusted elements: clamps everything that a client sent, so that no number or text can be costly or
 * invalid.
 */
export type JsonObject = Record<string, unknown>

export type Point = readonly [x: number, y: number]

/** A box with non-negative width and height. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The fields of any element. Fields that only some types have are empty on the others. */
export interface NormalizedElement extends Box {
  id: string
  type: string
  /** Radians, clockwise, around the center of the box. */
  angle: number
  text: string
  /** For lines, arrows and strokes, relative to {@link NormalizedElement.origin}. */
  points: readonly Point[]
  origin: Point
  /** From the innermost to the outermost. */
  groupIds: readonly string[]
  frameId: string | undefined
  containerId: string | undefined
  /** IDs of the elements that an arrow connects. */
  start: string | undefined
  end: string | undefined
  startArrowhead: string | undefined
  endArrowhead: string | undefined
  link: string | undefined
  source: JsonObject
}

/** Larger than any real drawing. Numbers beyond it are clamped. */
const MAX_COORDINATE = 1e6
/** Points of one line or stroke, and characters of one text, that are read. */
const MAX_POINTS = 5_000
const MAX_CHARACTERS = 2_000
/** Levels of nested groups. */
const MAX_GROUPS = 20

/** Types that are drawn through points. */
const LINEAR_TYPES: ReadonlySet<string> = new Set(['line', 'arrow', 'freedraw', 'draw'])

/** The visible elements, in order. */
export function normalizeElements(elements: readonly JsonObject[]): NormalizedElement[] {
  return elements.filter(({ isDeleted }) => isDeleted !== true).map(normalizeElement)
}

function normalizeElement(source: JsonObject): NormalizedElement {
  const type = boundedString(source.type) ?? ''
  const origin: Point = [clampNumber(source.x, 0), clampNumber(source.y, 0)]
  const size: Point = [clampNumber(source.width, 0), clampNumber(source.height, 0)]
  const parsed = LINEAR_TYPES.has(type) ? parsePoints(source.points) : []
  const points = parsed.length === 0 && (type === 'arrow' || type === 'line') ? [[0, 0] as const, size] : parsed
  const box =
    points.length > 0
      ? boundingBox(points.map(([x, y]) => [origin[0] + x, origin[1] + y]))
      : toPositiveBox(origin, size)
  return {
    ...box,
    id: String(source.id),
    // Excalidraw's original name for strokes.
    type: type === 'draw' ? 'freedraw' : type,
    angle: clampNumber(source.angle, 0),
    text:
      type === 'text' ? (boundedString(source.text) ?? '') : isFrame(type) ? (boundedString(source.name) ?? '') : '',
    points,
    origin,
    groupIds: toArray(source.groupIds).slice(0, MAX_GROUPS).filter(isString),
    frameId: boundedString(source.frameId),
    containerId: boundedString(source.containerId),
    start: boundElementId(source.startBinding),
    end: boundElementId(source.endBinding),
    startArrowhead: boundedString(source.startArrowhead),
    endArrowhead: source.endArrowhead === undefined && type === 'arrow' ? 'arrow' : boundedString(source.endArrowhead),
    link: boundedString(source.link),
    source,
  }
}

export const isFrame = (type: string): boolean => type === 'frame' || type === 'magicframe'

/** The bounding box of one or more points. */
export function boundingBox(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** Clamps a number to the bounds; the fallback if it is not a number. */
export function clampNumber(value: unknown, fallback: number, min = -MAX_COORDINATE, max = MAX_COORDINATE): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return fallback
  return Math.min(max, Math.max(min, value))
}

const isString = (value: unknown): value is string => typeof value === 'string'

export const boundedString = (value: unknown): string | undefined =>
  isString(value) && value !== '' ? value.slice(0, MAX_CHARACTERS) : undefined

export const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function toPositiveBox([x, y]: Point, [width, height]: Point): Box {
  return {
    ...{ x: width < 0 ? x + width : x, y: height < 0 ? y + height : y },
    ...{ width: Math.abs(width), height: Math.abs(height) },
  }
}

function parsePoints(value: unknown): Point[] {
  const points: Point[] = []
  for (const point of toArray(value).slice(0, MAX_POINTS)) {
    if (Array.isArray(point)) points.push([clampNumber(point[0], 0), clampNumber(point[1], 0)])
  }
  return points
}

const boundElementId = (binding: unknown): string | undefined =>
  typeof binding === 'object' && binding !== null ? boundedString((binding as JsonObject).elementId) : undefined
