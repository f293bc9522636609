/** What belongs together on a board by where it stands: words in shapes, and what the ends of arrows touch. */
import { type Box, type Drawn, isFrame, type Point } from './drawn.ts'

/** Shapes that words can stand in. */
const CLOSED: ReadonlySet<string> = new Set(['rectangle', 'ellipse', 'diamond'])
/** What an arrow can lead to. */
const TOUCHED: ReadonlySet<string> = new Set([...CLOSED, 'text', 'image', 'embeddable', 'iframe'])
/** How far from a shape an arrow may end that means it, in the units of the board. */
const NEAR = 20
/** A shape with more words in it than this is the ground that they stand on. */
const WORDS_IN_SHAPE = 3

/**
 * The texts that name other elements, by the ID of what they name: those that are bound to it, and those that stand in
 * a shape without being bound, as people draw them by hand.
 */
export function labelsOf(drawn: readonly Drawn[]): Map<string, Drawn[]> {
  const ids = new Map(drawn.map((one) => [one.id, one]))
  const labels = new Map<string, Drawn[]>()
  const loose = new Map<string, Drawn[]>()
  const shapes = bySize(drawn.filter(({ type }) => CLOSED.has(type)))
  for (const text of drawn) {
    if (text.type !== 'text') continue
    const container = text.containerId === undefined ? undefined : ids.get(text.containerId)
    if (container !== undefined) push(labels, container.id, text)
    else {
      const shape = shapes.find((one) => holds(one, middle(text)) && text.width <= one.width * 1.2)
      if (shape !== undefined) push(loose, shape.id, text)
    }
  }
  for (const [id, texts] of loose) if (texts.length <= WORDS_IN_SHAPE) for (const text of texts) push(labels, id, text)
  return labels
}

/** What the two ends of an arrow lead to: what they are bound to, or what they touch. */
export function endsOf(
  arrow: Drawn,
  ids: ReadonlyMap<string, Drawn>,
  touched: readonly Drawn[],
): [from: Drawn | undefined, to: Drawn | undefined] {
  const [first, last] = [arrow.points[0], arrow.points.at(-1)]
  const find = (bound: string | undefined, point: Point | undefined) => {
    const known = bound === undefined ? undefined : ids.get(bound)
    if (known !== undefined || point === undefined) return known
    const at: Point = [arrow.origin[0] + point[0], arrow.origin[1] + point[1]]
    return touched.find((one) => holds(one, at, NEAR))
  }
  const [from, to] = [find(arrow.start, first), find(arrow.end, last)]
  // An arrow inside one shape joins nothing.
  return from === to ? [undefined, undefined] : [from, to]
}

/** What arrows can lead to, the smallest first: what lies on a shape comes before the shape. */
export const touchable = (drawn: readonly Drawn[]): Drawn[] =>
  bySize(drawn.filter(({ type }) => TOUCHED.has(type) && !isFrame(type)))

/** Where an arrow points, in words. */
export function directionOf({ points }: Drawn): string {
  const [first = [0, 0], last = [0, 0]] = [points[0], points.at(-1)]
  const [x, y] = [last[0] - first[0], last[1] - first[1]]
  const across = x > 0 ? 'right' : 'left'
  const along = y > 0 ? 'down' : 'up'
  if (x === 0 && y === 0) return 'nowhere'
  if (Math.abs(x) > 2 * Math.abs(y)) return across
  return Math.abs(y) > 2 * Math.abs(x) ? along : `${along} and ${across}`
}

const bySize = (drawn: readonly Drawn[]): Drawn[] => [...drawn].sort((a, b) => a.width * a.height - b.width * b.height)

const middle = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2]

const holds = ({ x, y, width, height }: Box, [atX, atY]: Point, around = 0): boolean =>
  atX >= x - around && atX <= x + width + around && atY >= y - around && atY <= y + height + around

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
