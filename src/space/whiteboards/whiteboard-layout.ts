/**
 * Finds out from positions on a whiteboard what belongs together: text in shapes, and what the ends of arrows touch.
 */
import { type Box, isFrame, type NormalizedElement, type Point } from '../../render/normalize-element.ts'

/** Shapes that can contain text. */
const CLOSED_SHAPES: ReadonlySet<string> = new Set(['rectangle', 'ellipse', 'diamond'])
/** Types that an arrow can lead to. */
const ARROW_TARGET_TYPES: ReadonlySet<string> = new Set([...CLOSED_SHAPES, 'text', 'image', 'embeddable', 'iframe'])
/** The largest distance, in whiteboard units, between the end of an arrow and a shape that it points to. */
const ARROW_TOLERANCE = 20
/** A shape that contains more texts than this is treated as a background, not as labeled by them. */
const MAX_LABELS_PER_SHAPE = 3

/**
 * Returns the labels of elements by element ID: texts that are bound to the element, and texts inside a shape that are
 * not bound to it, as people often draw them.
 */
export function findLabels(elements: readonly NormalizedElement[]): Map<string, NormalizedElement[]> {
  const ids = new Map(elements.map((one) => [one.id, one]))
  const labels = new Map<string, NormalizedElement[]>()
  const unbound = new Map<string, NormalizedElement[]>()
  const shapes = sortBySize(elements.filter(({ type }) => CLOSED_SHAPES.has(type)))
  for (const text of elements) {
    if (text.type !== 'text') continue
    const container = text.containerId === undefined ? undefined : ids.get(text.containerId)
    if (container !== undefined) addToList(labels, container.id, text)
    else {
      const shape = shapes.find((one) => contains(one, center(text)) && text.width <= one.width * 1.2)
      if (shape !== undefined) addToList(unbound, shape.id, text)
    }
  }
  for (const [id, texts] of unbound)
    if (texts.length <= MAX_LABELS_PER_SHAPE) for (const text of texts) addToList(labels, id, text)
  return labels
}

/** Returns the elements at the two ends of an arrow: those that it is bound to, or those that it touches. */
export function findArrowEnds(
  arrow: NormalizedElement,
  ids: ReadonlyMap<string, NormalizedElement>,
  targets: readonly NormalizedElement[],
): [from: NormalizedElement | undefined, to: NormalizedElement | undefined] {
  const [first, last] = [arrow.points[0], arrow.points.at(-1)]
  const find = (bound: string | undefined, point: Point | undefined) => {
    const known = bound === undefined ? undefined : ids.get(bound)
    if (known !== undefined || point === undefined) return known
    const at: Point = [arrow.origin[0] + point[0], arrow.origin[1] + point[1]]
    return targets.find((one) => contains(one, at, ARROW_TOLERANCE))
  }
  const [from, to] = [find(arrow.start, first), find(arrow.end, last)]
  // An arrow inside a single shape connects nothing.
  return from === to ? [undefined, undefined] : [from, to]
}

/**
 * Returns the elements that arrows can lead to, smallest first, so that an element on top of a shape is preferred to
 * the shape.
 */
export const arrowTargets = (elements: readonly NormalizedElement[]): NormalizedElement[] =>
  sortBySize(elements.filter(({ type }) => ARROW_TARGET_TYPES.has(type) && !isFrame(type)))

/** Returns the direction of an arrow in words. */
export function arrowDirection({ points }: NormalizedElement): string {
  const [first = [0, 0], last = [0, 0]] = [points[0], points.at(-1)]
  const [x, y] = [last[0] - first[0], last[1] - first[1]]
  const across = x > 0 ? 'right' : 'left'
  const along = y > 0 ? 'down' : 'up'
  if (x === 0 && y === 0) return 'nowhere'
  if (Math.abs(x) > 2 * Math.abs(y)) return across
  return Math.abs(y) > 2 * Math.abs(x) ? along : `${along} and ${across}`
}

const sortBySize = (elements: readonly NormalizedElement[]): NormalizedElement[] =>
  [...elements].sort((a, b) => a.width * a.height - b.width * b.height)

const center = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2]

const contains = ({ x, y, width, height }: Box, [atX, atY]: Point, tolerance = 0): boolean =>
  atX >= x - tolerance && atX <= x + width + tolerance && atY >= y - tolerance && atY <= y + height + tolerance

function addToList<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
