/** Arrows between shapes: which of them they are bound to, and from where to where they are drawn. */
import type { JsonObject } from './element-input.ts'
import { addBoundElement, type PlacedElement } from './skeleton-labels.ts'

export type Point = readonly [x: number, y: number]

const centerOf = ({ x, y, width, height }: PlacedElement): Point => [x + width / 2, y + height / 2]

/** Draws an arrow that has no points of its own from the edge of one shape to that of another. */
export function connectShapes(arrow: PlacedElement, from: PlacedElement, to: PlacedElement): void {
  const [start, end] = [edgeToward(from, centerOf(to)), edgeToward(to, centerOf(from))]
  const [width, height] = [end[0] - start[0], end[1] - start[1]]
  Object.assign(arrow, { x: start[0], y: start[1], width: Math.abs(width), height: Math.abs(height) })
  arrow.points = [
    [0, 0],
    [width, height],
  ]
}

/** Where the line from the center of a shape to a point leaves the shape. */
function edgeToward(shape: PlacedElement, [x, y]: Point): Point {
  const [centerX, centerY] = centerOf(shape)
  const [dx, dy] = [x - centerX, y - centerY]
  const reach = reachOf(shape, dx, dy)
  return reach === 0 ? [centerX, centerY] : [centerX + dx / reach, centerY + dy / reach]
}

/** How far a point is from the center of a shape, where 1 is at the edge. */
function reachOf({ type, width, height }: PlacedElement, dx: number, dy: number): number {
  const [x, y] = [Math.abs(dx) / Math.max(width / 2, 1), Math.abs(dy) / Math.max(height / 2, 1)]
  if (type === 'ellipse') return Math.hypot(x, y)
  return type === 'diamond' ? x + y : Math.max(x, y)
}

/** Pixels from a point to the edge of a shape; 0 within it. */
function distanceToEdge(shape: PlacedElement, [x, y]: Point): number {
  const [centerX, centerY] = centerOf(shape)
  const [dx, dy] = [x - centerX, y - centerY]
  const reach = reachOf(shape, dx, dy)
  if (reach <= 1) return 0
  if (shape.type === 'ellipse' || shape.type === 'diamond') return Math.hypot(dx, dy) * (1 - 1 / reach)
  return Math.hypot(Math.max(Math.abs(dx) - shape.width / 2, 0), Math.max(Math.abs(dy) - shape.height / 2, 0))
}

/** Binds one end of an arrow to a shape, as both name it to Excalidraw. */
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
 * By how much of half its extent a line passes the center of a shape: 0 through the center, 1 and -1 along the edges.
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

/** Draws back both ends of an arrow a little, so that they do not lie on the edges of shapes. */
export function shrinkArrow(arrow: JsonObject): void {
  const points = arrow.points as readonly Point[]
  const [last, before] = [points.at(-1), points.at(-2)]
  if (last === undefined || before === undefined) return
  const [x, y] = [Math.sign(last[0] - before[0]) * DRAWN_BACK, Math.sign(last[1] - before[1]) * DRAWN_BACK]
  arrow.points = [[x, y], ...points.slice(1, -1), [last[0] - x, last[1] - y]]
}

/** Pixels. */
const DRAWN_BACK = 0.5
