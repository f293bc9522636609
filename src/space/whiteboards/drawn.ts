/**
 * Elements as a reader of the board needs them: whatever a client gave is brought within bounds, so that no number or
 * text of it can cost much or stand for nothing.
 */
import type { Json } from './input.ts'

export type Point = readonly [x: number, y: number]

/** A box whose width and height are not negative. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What is known of any element; keys that only some types have are empty on the others. */
export interface Drawn extends Box {
  id: string
  type: string
  /** Radians, clockwise, about the middle of the box. */
  angle: number
  text: string
  /** Of lines, arrows and strokes: relative to {@link Drawn.origin}. */
  points: readonly Point[]
  origin: Point
  /** From the innermost to the outermost. */
  groupIds: readonly string[]
  frameId: string | undefined
  containerId: string | undefined
  /** The elements that an arrow leads from and to. */
  start: string | undefined
  end: string | undefined
  startArrowhead: string | undefined
  endArrowhead: string | undefined
  link: string | undefined
  given: Json
}

/** No drawing is as large; numbers beyond are brought to it. */
const FAR = 1e6
/** Points of one line or stroke, and characters of one text, that are looked at. */
const POINTS = 5_000
const CHARACTERS = 2_000
/** Groups inside each other. */
const GROUPS = 20

/** What is drawn through points. */
const LINEAR: ReadonlySet<string> = new Set(['line', 'arrow', 'freedraw', 'draw'])

/** The elements that can be seen, in their order. */
export function readDrawn(elements: readonly Json[]): Drawn[] {
  return elements.filter(({ isDeleted }) => isDeleted !== true).map(drawnOf)
}

function drawnOf(given: Json): Drawn {
  const type = stringOf(given.type) ?? ''
  const origin: Point = [numberOf(given.x, 0), numberOf(given.y, 0)]
  const size: Point = [numberOf(given.width, 0), numberOf(given.height, 0)]
  const found = LINEAR.has(type) ? pointsOf(given.points) : []
  const points = found.length === 0 && (type === 'arrow' || type === 'line') ? [[0, 0] as const, size] : found
  const box = points.length > 0 ? around(points.map(([x, y]) => [origin[0] + x, origin[1] + y])) : boxOf(origin, size)
  return {
    ...box,
    id: String(given.id),
    // What Excalidraw called strokes at first.
    type: type === 'draw' ? 'freedraw' : type,
    angle: numberOf(given.angle, 0),
    text: type === 'text' ? (stringOf(given.text) ?? '') : isFrame(type) ? (stringOf(given.name) ?? '') : '',
    points,
    origin,
    groupIds: listOf(given.groupIds).slice(0, GROUPS).filter(isString),
    frameId: stringOf(given.frameId),
    containerId: stringOf(given.containerId),
    start: boundTo(given.startBinding),
    end: boundTo(given.endBinding),
    startArrowhead: stringOf(given.startArrowhead),
    endArrowhead: given.endArrowhead === undefined && type === 'arrow' ? 'arrow' : stringOf(given.endArrowhead),
    link: stringOf(given.link),
    given,
  }
}

export const isFrame = (type: string): boolean => type === 'frame' || type === 'magicframe'

/** The smallest box around points, of which there is one at least. */
export function around(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** A number within bounds, or what stands in for what is none. */
export function numberOf(value: unknown, otherwise: number, least = -FAR, most = FAR): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return otherwise
  return Math.min(most, Math.max(least, value))
}

const isString = (value: unknown): value is string => typeof value === 'string'

export const stringOf = (value: unknown): string | undefined =>
  isString(value) && value !== '' ? value.slice(0, CHARACTERS) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function boxOf([x, y]: Point, [width, height]: Point): Box {
  return {
    ...{ x: width < 0 ? x + width : x, y: height < 0 ? y + height : y },
    ...{ width: Math.abs(width), height: Math.abs(height) },
  }
}

function pointsOf(value: unknown): Point[] {
  const points: Point[] = []
  for (const point of listOf(value).slice(0, POINTS)) {
    if (Array.isArray(point)) points.push([numberOf(point[0], 0), numberOf(point[1], 0)])
  }
  return points
}

const boundTo = (binding: unknown): string | undefined =>
  typeof binding === 'object' && binding !== null ? stringOf((binding as Json).elementId) : undefined
