/**
 * What is connected with an element: the text inside a shape or on an arrow, and the arrows that lead to a shape.
 * Connected elements follow a shape that is moved or resized, and lose their connection when it is deleted, as in
 * Excalidraw.
 */
import type { ElementInput, JsonObject } from './element-input.ts'
import { isShape } from './element-types.ts'
import { extentOf, type Point, pointsOf } from './skeleton-arrows.ts'
import { labelPlace, type PlacedElement } from './skeleton-labels.ts'

type ElementsById = ReadonlyMap<string, ElementInput>
/** Reads elements of the board by their IDs. Those that are not there are left out. */
type ReadElements = (ids: readonly string[]) => Promise<readonly ElementInput[]>

const ENDS = ['start', 'end'] as const

/**
 * Returns the labels and arrows that follow elements which were moved or resized, in their new state. Elements that the
 * call changes itself stay as it says.
 *
 * @param before  the changed elements as they were
 */
export async function followersOf(
  before: ElementsById,
  changed: readonly ElementInput[],
  read: ReadElements,
): Promise<ElementInput[]> {
  const own = new Set(changed.map(({ id }) => id))
  const moved = new Map(
    changed.filter((element) => hasMoved(before.get(element.id), element)).map((element) => [element.id, element]),
  )
  const arrows = (await read(boundIds([...moved.values()], 'arrow', own))).flatMap((arrow) => {
    const bent = followEnds(arrow, before, moved)
    return bent === undefined ? [] : [bent]
  })
  const carriers = new Map([...moved, ...arrows.map((arrow) => [arrow.id, arrow] as const)])
  const texts = await read(boundIds([...carriers.values()], 'text', own))
  const labels = texts.flatMap((text) => {
    const carrier = carriers.get(String(text.containerId))
    return carrier === undefined || !isPlaced(text) ? [] : { ...text, ...labelPlace(carrier as PlacedElement, text) }
  })
  return [...arrows, ...labels]
}

const PLACE_KEYS = ['x', 'y', 'width', 'height', 'points'] as const

/** True if an element that may carry others has another place or size. Without one, nothing can follow it. */
function hasMoved(before: ElementInput | undefined, now: ElementInput): boolean {
  if (before === undefined || before === now || now.isDeleted === true) return false
  if (!isPlaced(before) || !isPlaced(now)) return false
  const isCarrier = now.type === 'arrow' ? pointsOf(now) !== undefined : isShape(now.type) || 'boundElements' in now
  return isCarrier && PLACE_KEYS.some((key) => before[key] !== now[key])
}

/** Clients may send anything as a place. */
const isPlaced = (element: ElementInput): element is PlacedElement =>
  [element.x, element.y, element.width, element.height].every((value) => typeof value === 'number')

/** The IDs of elements of a type that these elements name as bound to them, each once. */
function boundIds(elements: readonly ElementInput[], type: 'arrow' | 'text', own: ReadonlySet<string>): string[] {
  const ids = elements.flatMap(boundElementsOf).flatMap((one) => (one.type === type ? [String(one.id)] : []))
  return [...new Set(ids)].filter((id) => !own.has(id))
}

const boundElementsOf = ({ boundElements }: JsonObject): JsonObject[] =>
  Array.isArray(boundElements) ? boundElements.filter((one) => typeof one === 'object' && one !== null) : []

const boundTo = (arrow: ElementInput, end: (typeof ENDS)[number]): string | undefined => {
  const id = (arrow[`${end}Binding`] as JsonObject | null | undefined)?.elementId
  return typeof id === 'string' ? id : undefined
}

/** Moves the ends of an arrow with the shapes that they are bound to. The points between stay where they are. */
function followEnds(arrow: ElementInput, before: ElementsById, moved: ElementsById): ElementInput | undefined {
  const points = pointsOf(arrow)
  if (points === undefined || !isPlaced(arrow)) return undefined
  const { x, y } = arrow
  const absolute = points.map(([px, py]): Point => [x + px, y + py])
  const movesBoth = ENDS.every((end) => moved.has(boundTo(arrow, end) ?? ''))
  let isBound = false
  for (const end of ENDS) {
    const id = boundTo(arrow, end) ?? ''
    const [old, now] = [before.get(id), moved.get(id)]
    if (old === undefined || now === undefined) continue
    isBound = true
    const at = end === 'start' ? 0 : absolute.length - 1
    absolute[at] = mapPoint(absolute[at] as Point, old as PlacedElement, now as PlacedElement)
    // The corners of an arrow whose two shapes move go with its start.
    if (movesBoth && end === 'start') {
      for (let index = 1; index < absolute.length - 1; index++) {
        absolute[index] = mapPoint(absolute[index] as Point, old as PlacedElement, now as PlacedElement)
      }
    }
  }
  if (!isBound) return undefined
  const [[firstX, firstY], [startX, startY]] = [points[0] as Point, absolute[0] as Point]
  const [left, top] = [startX - firstX, startY - firstY]
  const relative = absolute.map(([px, py]): Point => [px - left, py - top])
  return { ...arrow, x: left, y: top, points: relative, ...extentOf(relative) }
}

/** The place that a point beside or in a box has after the box was moved or resized. */
const mapPoint = ([x, y]: Point, old: PlacedElement, now: PlacedElement): Point => [
  mapCoordinate(x, old.x, old.width, now.x, now.width),
  mapCoordinate(y, old.y, old.height, now.y, now.height),
]

const mapCoordinate = (at: number, from: number, size: number, to: number, newSize: number): number =>
  to + (size > 0 && newSize > 0 ? ((at - from) * newSize) / size : at - from)

/** What deleting elements means for others. */
interface Release {
  /** The labels that are deleted with their shape or arrow. */
  labels: ElementInput[]
  /** Elements that lose a connection, in their new state. */
  freed: ElementInput[]
}

/** @param deleted  the elements that the call names */
export async function releaseConnected(deleted: readonly ElementInput[], read: ReadElements): Promise<Release> {
  const own = new Set(deleted.map(({ id }) => id))
  const texts = await read(boundIds(deleted, 'text', own))
  const labels = texts.filter(({ containerId }) => own.has(String(containerId)))
  const gone = new Set([...own, ...labels.map(({ id }) => id)])
  const named = deleted.flatMap((element) => [
    ...boundElementsOf(element).flatMap(({ type, id }) => (type === 'arrow' ? [String(id)] : [])),
    ...ENDS.flatMap((end) => boundTo(element, end) ?? []),
    ...(typeof element.containerId === 'string' ? [element.containerId] : []),
  ])
  const others = await read([...new Set(named)].filter((id) => !gone.has(id)))
  const freed = others.map((element) => freeFrom(element, gone)).filter((element, index) => element !== others[index])
  return { labels, freed }
}

/** Removes the bindings of an element to others that are gone. Returns the element itself if it has none. */
function freeFrom(element: ElementInput, gone: ReadonlySet<string>): ElementInput {
  const bound = boundElementsOf(element)
  const left = bound.filter(({ id }) => !gone.has(String(id)))
  const ends = ENDS.filter((end) => gone.has(boundTo(element, end) ?? ''))
  if (left.length === bound.length && ends.length === 0) return element
  return {
    ...element,
    ...(left.length < bound.length && { boundElements: left }),
    ...Object.fromEntries(ends.map((end) => [`${end}Binding`, null])),
  }
}
