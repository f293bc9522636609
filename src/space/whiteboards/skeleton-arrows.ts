/** Arrows between shapes: computes their bindings and their points. */
import type { JsonObject } from './element-input.ts'
import { addBoundElement, type PlacedElement } from './skeleton-labels.ts'

export type Point = readonly [x: number, y: number]

/** The points of a line or an arrow; undefined if it has fewer than two, or what it has are none. */
export function pointsOf({ points }: JsonObject): readonly Point[] | undefined {
  return Array.isArray(points) && points.length > 1 && points.every(isPoint) ? points : undefined
}

const isPoint = (point: unknown): boolean =>
  Array.isArray(point) && point.length > 1 && point.every((value) => typeof value === 'number')

/** The size of the box around points, of which there can be very many. */
export function extentOf(points: readonly Point[]): { width: number; height: number } {
  const extent = (axis: 0 | 1): number => {
    let [least, most] = [Infinity, -Infinity]
    for (const point of points) [least, most] = [Math.min(least, point[axis]), Math.max(most, point[axis])]
    return most - least
  }
  return { width: extent(0), height: extent(1) }
}

const centerOf = ({ x, y, width, height }: PlacedElement): Point => [x + width / 2, y + height / 2]

/** Draws an arrow without points from the edge of one shape to the edge of another. */
export function connectShapes(arrow: PlacedElement, from: PlacedElement, to: PlacedElement): void {
  const [start, end] = [edgeToward(from, centerOf(to)), edgeToward(to, centerOf(from))]
  const [width, height] = [end[0] - start[0], end[1] - start[1]]
  Object.assign(arrow, { x: start[0], y: start[1], width: Math.abs(width), height: Math.abs(height) })
  arrow.points = [
    [0, 0],
    [width, height],
  ]
}

/** Returns the point where the line from the center of a shape to the given point crosses its edge. */
function edgeToward(shape: PlacedElement, [x, y]: Point): Point {
  const [centerX, centerY] = centerOf(shape)
  const [dx, dy] = [x - centerX, y - centerY]
  const reach = reachOf(shape, dx, dy)
  return reach === 0 ? [centerX, centerY] : [centerX + dx / reach, centerY + dy / reach]
}

/** Returns the distance from the center of a shape, scaled so that its edge is at 1. */
function reachOf({ type, width, height }: PlacedElement, dx: number, dy: number): number {
  const [x, y] = [Math.abs(dx) / Math.max(width / 2, 1), Math.abs(dy) / Math.max(height / 2, 1)]
  if (type === 'ellipse') return Math.hypot(x, y)
  return type === 'diamond' ? x + y : Math.max(x, y)
}

/** Pixels from a point to the edge of a shape; 0 inside the shape. */
function distanceToEdge(shape: PlacedElement, [x, y]: Point): number {
  const [centerX, centerY] = centerOf(shape)
  const [dx, dy] = [x - centerX, y - centerY]
  const reach = reachOf(shape, dx, dy)
  if (reach <= 1) return 0
  if (shape.type === 'ellipse' || shape.type === 'diamond') return Math.hypot(dx, dy) * (1 - 1 / reach)
  return Math.hypot(Math.max(Math.abs(dx) - shape.width / 2, 0), Math.max(Math.abs(dy) - shape.height / 2, 0))
}

/** Binds one end of an arrow to a shape. Both elements record the binding, as in Excalidraw. */
export function bindEnd(arrow: PlacedElement, end: 'start' | 'end', shape: PlacedElement): void {
  const points = arrow.points as readonly Point[]
  const [edge, adjacent] = end === 'start' ? [points[0], points[1]] : [points.at(-1), points.at(-2)]
  const from = absolute(arrow, adjacent)
  const to = absolute(arrow, edge)
  arrow[`${end}Binding`] = {
    elementId: shape.id,
    focus: focusOf(shape, from, to),
    gap: Math.max(1, distanceToEdge(shape, to)),
  }
  addBoundElement(shape, { type: 'arrow', id: arrow.id })
}

const absolute = ({ x, y }: PlacedElement, point: Point = [0, 0]): Point => [x + point[0], y + point[1]]

/**
 * Computes Excalidraw's `focus`: how far the line passes from the center of a shape, relative to half its extent. 0 is
 * through the center, 1 and -1 are along the edges.
 *
 * @param from  the point before the end of the arrow
 */
function focusOf(shape: PlacedElement, from: Point, to: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const [x, y] = centerOf(shape)
  const offset = dx * (y - to[1]) - dy * (x - to[0])
  const extent = (Math.abs(dx) * shape.height) / 2 + (Math.abs(dy) * shape.width) / 2
  return extent === 0 ? 0 : Math.min(1, Math.max(-1, offset / extent))
}

/** Shortens an arrow a little at both ends, so that they do not touch the edges of shapes. */
export function shrinkArrow(arrow: JsonObject): void {
  const points = arrow.points as readonly Point[]
  const [last, before] = [points.at(-1), points.at(-2)]
  if (last === undefined || before === undefined) return
  const [x, y] = [Math.sign(last[0] - before[0]) * DRAWN_BACK, Math.sign(last[1] - before[1]) * DRAWN_BACK]
  arrow.points = [[x, y], ...points.slice(1, -1), [last[0] - x, last[1] - y]]
}

/** In pixels. */
const DRAWN_BACK = 0.5
