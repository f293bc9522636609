/** Pure functions that change the elements of a whiteboard: move them with their dependents, and create new ones. */
import { text } from '../page-text.ts'

export type Point = readonly [x: number, y: number]

/** An element as `elements_list` returns it, with the fields that moving and editing need. */
export interface BoardElement {
  id: string
  type: string
  x: number
  y: number
  width?: number
  height?: number
  /** The text as drawn, with line breaks. `originalText` is the text as written. */
  text?: string
  originalText?: string
  points?: Point[]
  containerId?: string | null
  frameId?: string | null
  groupIds?: string[]
  startBinding?: { elementId: string } | null
  endBinding?: { elementId: string } | null
  isDeleted?: boolean
}

/** Board units between the content of a board and a drawing that is added to it. */
const IMPORT_GAP = 60

/** The changed keys of one element. */
export type ElementChange = { id: string } & Record<string, unknown>

const isLine = ({ type }: BoardElement): boolean => type === 'arrow' || type === 'line'

/** Shapes whose text is a separate label element. */
const LABELED: ReadonlySet<string> = new Set(['rectangle', 'ellipse', 'diamond', 'arrow'])

/** All elements that move with an element: its label, the elements of its groups, and the elements in a frame. */
export function withFollowers(elements: readonly BoardElement[], chosen: string): Set<string> {
  const all = new Set([chosen])
  const first = elements.find(({ id }) => id === chosen)
  const group = first?.groupIds?.at(-1)
  for (const { id, groupIds = [] } of elements) if (group !== undefined && groupIds.includes(group)) all.add(id)
  // Two rounds, since elements in a frame have labels too.
  for (let round = 0; round < 2; round++) {
    for (const { id, containerId, frameId } of elements) {
      if ((containerId && all.has(containerId)) || (frameId && all.has(frameId))) all.add(id)
    }
  }
  return all
}

/** Moves elements. Arrows that end at a moved element follow with that end. */
export function moveElements(
  elements: readonly BoardElement[],
  moving: ReadonlySet<string>,
  [dx, dy]: Point,
): ElementChange[] {
  return elements.flatMap((element): ElementChange[] => {
    const { id, x, y } = element
    const [start, end] = [element.startBinding?.elementId, element.endBinding?.elementId]
    const [startMoves, endMoves] = [start !== undefined && moving.has(start), end !== undefined && moving.has(end)]
    if (moving.has(id) || (startMoves && endMoves)) {
      const leaves = isLine(element) && !(startMoves && endMoves)
      return [
        {
          ...{ id, x: x + dx, y: y + dy },
          // An arrow that is moved on its own is detached from elements that stay.
          ...(leaves && start !== undefined && !startMoves && { startBinding: null }),
          ...(leaves && end !== undefined && !endMoves && { endBinding: null }),
        },
      ]
    }
    const { points } = element
    if (!isLine(element) || points === undefined || points.length < 2 || (!startMoves && !endMoves)) return []
    return [{ id, ...(startMoves ? moveStart(element, points, [dx, dy]) : moveEnd(points, [dx, dy])) }]
  })
}

/** All points except the first keep their place on the board. */
function moveStart({ x, y }: BoardElement, points: readonly Point[], [dx, dy]: Point): Record<string, unknown> {
  const moved = points.map(([px, py], index): Point => (index === 0 ? [px, py] : [px - dx, py - dy]))
  return { x: x + dx, y: y + dy, points: moved, ...sizeOf(moved) }
}

function moveEnd(points: readonly Point[], [dx, dy]: Point): Record<string, unknown> {
  const last = points.length - 1
  const moved = points.map(([px, py], index): Point => (index === last ? [px + dx, py + dy] : [px, py]))
  return { points: moved, ...sizeOf(moved) }
}

function sizeOf(points: readonly Point[]): { width: number; height: number } {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) }
}

/** The text of an element: its own, or that of its label. */
export function textOf(elements: readonly BoardElement[], element: BoardElement): string {
  const own = element.type === 'text' ? element : elements.find(({ containerId }) => containerId === element.id)
  return own?.originalText ?? own?.text ?? ''
}

/** Returns undefined for an element that cannot have text. */
export function changeText({ id, type }: BoardElement, text: string): ElementChange | undefined {
  if (type === 'text') return { id, text, originalText: text }
  return LABELED.has(type) ? { id, label: { text } } : undefined
}

export const hasText = ({ type }: BoardElement): boolean => type === 'text' || LABELED.has(type)

export type Shape = 'rectangle' | 'ellipse' | 'diamond' | 'text' | 'arrow'

/** The size of shapes that are drawn by a mere click, in board units. */
const DEFAULT_SIZE: Point = [180, 80]
const DEFAULT_ARROW: Point = [140, 0]
/** Shorter drags count as clicks. */
const CLICK_SIZE = 8

interface DrawnShape {
  id: string
  type: Shape
  from: Point
  to: Point
  /** The elements at the ends of an arrow. */
  start?: string | undefined
  end?: string | undefined
  text?: string
}

/** A new element between two points, for any direction of the drag. */
export function drawShape({ id, type, from, to, start, end, text = '' }: DrawnShape): ElementChange {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const isClick = Math.hypot(dx, dy) < CLICK_SIZE
  if (type === 'arrow') {
    const tip = isClick ? DEFAULT_ARROW : ([dx, dy] as const)
    const bound = start !== undefined && end !== undefined && start !== end
    return {
      ...{ id, type, x: from[0], y: from[1] },
      ...(start !== undefined && start !== end && { start: { id: start } }),
      ...(end !== undefined && start !== end && { end: { id: end } }),
      // An arrow between two elements goes from edge to edge.
      ...(!bound && { points: [[0, 0], tip], ...sizeOf([[0, 0], tip]) }),
    }
  }
  if (type === 'text') return { id, type, x: from[0], y: from[1], text }
  const [width, height] = isClick ? DEFAULT_SIZE : [Math.abs(dx), Math.abs(dy)]
  const [x, y] = isClick ? from : [Math.min(from[0], to[0]), Math.min(from[1], to[1])]
  return { id, type, x, y, width, height }
}

/** What elements are called. Others are rare, and have the names of Excalidraw. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['rectangle', text('rectangle')],
  ['ellipse', text('ellipse')],
  ['diamond', text('diamond')],
  ['arrow', text('arrow')],
  ['line', text('line')],
  ['text', text('text')],
  ['image', text('picture')],
  ['freedraw', text('drawing')],
])
const typeName = (type: string): string => TYPE_NAMES.get(type) ?? type

/** The description of an element for screen readers. */
export function describeElement(elements: readonly BoardElement[], element: BoardElement): string {
  const words = textOf(elements, element).replace(/\s+/g, ' ').slice(0, 80)
  const { startBinding, endBinding } = element
  const nameOf = (id: string | undefined): string => {
    const found = elements.find((one) => one.id === id)
    return found === undefined ? '' : textOf(elements, found) || typeName(found.type)
  }
  const [from, to] = [nameOf(startBinding?.elementId), nameOf(endBinding?.elementId)]
  return [
    typeName(element.type),
    words && `“${words}”`,
    from && text('from {from}', { from }),
    to && text('to {to}', { to }),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The elements after these changes. */
export function applyChanges(elements: readonly BoardElement[], changes: readonly ElementChange[]): BoardElement[] {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return elements.map((element) => ({ ...element, ...byId.get(element.id) }))
}

/** Moves a drawing below the content of a board, so that they do not overlap. */
export function placeBelow(drawing: readonly BoardElement[], board: readonly BoardElement[]): BoardElement[] {
  if (drawing.length === 0 || board.length === 0) return [...drawing]
  const left = (elements: readonly BoardElement[]) => Math.min(...elements.map(({ x }) => x))
  const top = Math.min(...drawing.map(({ y }) => y))
  const bottom = Math.max(...board.map(({ y, height = 0 }) => y + height))
  const [dx, dy] = [left(board) - left(drawing), bottom + IMPORT_GAP - top]
  return drawing.map((element) => ({ ...element, x: element.x + dx, y: element.y + dy }))
}

/** The elements of an Excalidraw file, with new IDs for those that the board already has. */
export function importElements(
  given: readonly BoardElement[],
  taken: ReadonlySet<string>,
  newId: () => string,
): BoardElement[] {
  const names = new Map(given.filter(({ id }) => taken.has(id)).map(({ id }) => [id, newId()] as const))
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, REFERENCES.has(key) ? renamed(inner) : inner]),
    )
  }
  return given.filter(({ isDeleted }) => isDeleted !== true).map((element) => renamed(element) as BoardElement)
}

/** Keys whose values are IDs of elements. */
const REFERENCES: ReadonlySet<string> = new Set([
  ...['id', 'containerId', 'frameId', 'boundElements', 'startBinding', 'endBinding', 'elementId', 'start', 'end'],
])
