/**
 * Expands element skeletons, the short form that programs and models write: shapes without sizes, `label` for the text
 * of a shape, `start` and `end` for what an arrow connects, and `children` of a frame. The result matches that of
 * Excalidraw's own `convertToExcalidrawElements`, but elements keep the given IDs. Elements that Excalidraw exported
 * contain no short forms and stay unchanged.
 */

import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { ELEMENT_ID_LENGTH } from '../../base/limits.ts'
import type { ElementInput, JsonObject } from './element-input.ts'
import { isShape } from './element-types.ts'
import { bindEnd, connectShapes, extentOf, type Point, pointsOf, shrinkArrow } from './skeleton-arrows.ts'
import { bindLabel, boundTextId, completeText, numberOr, type PlacedElement } from './skeleton-labels.ts'

/** Default size of a shape and length of a line, in pixels. */
const DEFAULT_SIZE = 100
/** Pixels between a frame and its content. */
const FRAME_PADDING = 10

const ENDS = ['start', 'end'] as const

export interface ExpandedElements {
  /** The given elements, followed by the texts and shapes that they define. */
  added: ElementInput[]
  /** Existing elements of the whiteboard that changed because arrows or frames refer to them. */
  changed: ElementInput[]
}

/**
 * Returns the IDs that skeletons refer to but that are not among the given elements. They should be on the whiteboard.
 */
export function namedElements(elements: readonly ElementInput[]): string[] {
  const given = new Set(elements.map(({ id }) => id))
  const named = elements.flatMap((element) => [
    ...ENDS.flatMap((end) => endsOf(element)[end]?.id ?? []),
    ...childrenOf(element),
    ...(element.type === 'text' && isSkeleton(element) ? [element.containerId] : []),
  ])
  return [...new Set(named.filter((id): id is string => typeof id === 'string' && !given.has(id)))]
}

/**
 * @param onBoard  the elements from {@link namedElements} that exist on the whiteboard; they are not modified
 * @throws VALIDATION_ERROR if an arrow or frame refers to an element that does not exist
 */
export function expandSkeletons(elements: readonly ElementInput[], onBoard: readonly ElementInput[]): ExpandedElements {
  if (!elements.some(isSkeleton)) return { added: [...elements], changed: [] }
  const expanding = new SkeletonExpander(elements, onBoard)
  for (const element of elements) if (isSkeleton(element)) expanding.label(element)
  for (const element of elements) if (isSkeleton(element)) expanding.connect(element)
  for (const element of elements) expanding.frame(element)
  return expanding.result()
}

const labelOf = ({ label }: ElementInput): JsonObject | undefined =>
  isObject(label) && typeof label.text === 'string' && label.text !== '' ? label : undefined

const endsOf = ({ type, start, end }: JsonObject): { start?: JsonObject; end?: JsonObject } =>
  type !== 'arrow' ? {} : { ...(isObject(start) && { start }), ...(isObject(end) && { end }) }

const childrenOf = ({ type, children }: JsonObject): readonly unknown[] =>
  isFrame(type) && Array.isArray(children) ? children : []

const isFrame = (type: unknown): boolean => type === 'frame' || type === 'magicframe'
const isLinear = (type: unknown): boolean => type === 'line' || type === 'arrow'

/**
 * True for elements that must be expanded: they have a label, ends or children, or lack points or a size that their
 * type needs.
 */
function isSkeleton(element: ElementInput): boolean {
  const { type, width, height, points } = element
  const hasSize = width !== undefined && height !== undefined
  if (labelOf(element) !== undefined || Object.keys(endsOf(element)).length > 0) return true
  if (childrenOf(element).length > 0) return true
  if (isLinear(type)) return points === undefined || (pointsOf(element) !== undefined && !hasSize)
  return (isShape(type) || type === 'text' || type === 'image') && !hasSize
}

class SkeletonExpander {
  /** The elements of the call, followed by new ones. */
  readonly #ofCall = new Map<string, PlacedElement>()
  readonly #onBoard = new Map<string, PlacedElement>()
  /** IDs that new elements must not use. */
  readonly #taken: Set<string>
  /** Complete elements in their original form. They are written unchanged if nothing was bound to them. */
  readonly #whole = new Map<PlacedElement, { element: ElementInput; json: string }>()

  constructor(elements: readonly ElementInput[], onBoard: readonly ElementInput[]) {
    for (const element of elements) {
      this.#ofCall.set(element.id, isSkeleton(element) ? complete(element) : this.#place(element))
    }
    for (const element of onBoard) this.#onBoard.set(element.id, this.#place(element))
    this.#taken = new Set([...this.#ofCall.keys(), ...this.#onBoard.keys()])
  }

  /** Registers an element that is already complete. */
  #place(element: ElementInput): PlacedElement {
    const placed = { x: 0, y: 0, width: 0, height: 0, ...structuredClone(element) } as PlacedElement
    this.#whole.set(placed, { element, json: JSON.stringify(placed) })
    return placed
  }

  #hasChanged(placed: PlacedElement): boolean {
    return this.#whole.get(placed)?.json !== JSON.stringify(placed)
  }

  label(given: ElementInput): void {
    if (given.type === 'text') {
      // A text that names its container but has no size is placed like a label.
      const container = this.#find(given.containerId)
      if (!isShape(container?.type) || container === undefined) return
      const text = this.#get(given.id)
      Object.assign(text, bindLabel(container, given, given.id))
      return
    }
    const label = labelOf(given)
    if (label === undefined || !(isShape(given.type) || given.type === 'arrow')) return
    const id = typeof label.id === 'string' && label.id !== '' ? label.id : newElementId(given.id, 'label', this.#taken)
    this.#add(bindLabel(this.#get(given.id), label, id))
  }

  connect(given: ElementInput): void {
    if (given.type !== 'arrow') return
    const arrow = this.#get(given.id)
    const ends = endsOf(given)
    const [start, end] = ENDS.map((name) => this.#find(ends[name]?.id))
    // Without points and size, the arrow runs from one shape to the other.
    const isFree = given.points === undefined && given.width === undefined && given.height === undefined
    if (isFree && start !== undefined && end !== undefined && start !== end) connectShapes(arrow, start, end)
    for (const name of ENDS) {
      const named = ends[name]
      if (named !== undefined) bindEnd(arrow, name, this.#find(named.id) ?? this.#makeEnd(arrow, name, named))
    }
    shrinkArrow(arrow)
    this.#centerLabel(arrow)
  }

  /** Creates the shape or text that an arrow defines at one of its ends. */
  #makeEnd(arrow: PlacedElement, name: 'start' | 'end', named: JsonObject): PlacedElement {
    const { type } = named
    if (!isShape(type) && !(type === 'text' && typeof named.text === 'string'))
      throw missingElementError(arrow.id, name, named)
    const id = typeof named.id === 'string' && named.id !== '' ? named.id : newElementId(arrow.id, name, this.#taken)
    const made = complete({ ...named, id })
    const tip = (arrow.points as readonly Point[]).at(name === 'start' ? 0 : -1) ?? [0, 0]
    made.x = numberOr(named.x, arrow.x + tip[0] - (name === 'start' ? made.width : 0))
    made.y = numberOr(named.y, arrow.y + tip[1] - made.height / 2)
    return this.#add(made)
  }

  /** Moves the label to the middle of an arrow whose points were set after the label was bound. */
  #centerLabel(arrow: PlacedElement): void {
    const text = this.#find(boundTextId(arrow))
    if (text?.containerId !== arrow.id) return
    const { x, y } = bindLabel(structuredClone(arrow), text, text.id)
    Object.assign(text, { x, y })
  }

  frame(given: ElementInput): void {
    const children = childrenOf(given)
    if (children.length === 0) return
    const frame = this.#get(given.id)
    const inside = children.flatMap((id) => {
      const child = this.#find(id)
      if (child === undefined) throw missingElementError(given.id, 'children', { id })
      return [child, this.#find(boundTextId(child)) ?? []].flat()
    })
    for (const element of inside) element.frameId = frame.id
    const [left, top] = [Math.min(...inside.map(({ x }) => x)), Math.min(...inside.map(({ y }) => y))]
    const right = Math.max(...inside.map(({ x, width }) => x + width))
    const bottom = Math.max(...inside.map(({ y, height }) => y + height))
    Object.assign(frame, {
      x: left - FRAME_PADDING,
      y: top - FRAME_PADDING,
      width: Math.max(frame.width, right - left + 2 * FRAME_PADDING),
      height: Math.max(frame.height, bottom - top + 2 * FRAME_PADDING),
    })
  }

  result(): ExpandedElements {
    return {
      added: [...this.#ofCall.values()].map((placed) =>
        this.#hasChanged(placed) ? placed : (this.#whole.get(placed)?.element ?? placed),
      ),
      changed: [...this.#onBoard.values()].filter((placed) => this.#hasChanged(placed)),
    }
  }

  #get(id: string): PlacedElement {
    return this.#ofCall.get(id) as PlacedElement
  }

  #find(id: unknown): PlacedElement | undefined {
    return typeof id === 'string' ? (this.#ofCall.get(id) ?? this.#onBoard.get(id)) : undefined
  }

  #add(element: PlacedElement): PlacedElement {
    if (this.#find(element.id) !== undefined) {
      throw invalid(`Expected an ID that no other element has, found ${element.id} twice; give each element one ID.`)
    }
    this.#ofCall.set(element.id, element)
    this.#taken.add(element.id)
    return element
  }
}

/**
 * Creates the ID of an element that another element defines. It is derived from the ID of that element, so that a
 * repeated call fails and does not draw anything twice.
 */
export function newElementId(owner: string, suffix: string, taken: ReadonlySet<string>): string {
  const base = `${owner.slice(0, ELEMENT_ID_LENGTH - suffix.length - COUNT_LENGTH)}-${suffix}`
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!taken.has(id)) return id
  }
}

/** Room for the dash and the number at the end of an ID, in characters. */
const COUNT_LENGTH = 8

/** Adds everything that Excalidraw needs to draw a skeleton, and removes the keys that only skeletons have. */
function complete(given: ElementInput): PlacedElement {
  const { label, start, end, children, ...rest } = structuredClone(given)
  const element = { ...rest, x: numberOr(rest.x, 0), y: numberOr(rest.y, 0) } as ElementInput
  const { type } = element
  if (type === 'text') return completeText(element)
  if (isLinear(type)) return completeLine(element)
  const least = isFrame(type) || labelOf(given) !== undefined ? 0 : DEFAULT_SIZE
  const sizeOf = (value: unknown) => (value === undefined ? least : numberOr(value, DEFAULT_SIZE))
  return { ...element, width: sizeOf(element.width), height: sizeOf(element.height) } as PlacedElement
}

function completeLine(element: ElementInput): PlacedElement {
  const given = pointsOf(element)
  const [width, height] = [numberOr(element.width, DEFAULT_SIZE), numberOr(element.height, 0)]
  const points: readonly Point[] = given ?? [
    [0, 0],
    [width, height],
  ]
  const arrowhead = element.type === 'arrow' ? { endArrowhead: 'arrow' } : undefined
  return { ...arrowhead, ...element, ...extentOf(points), points } as ElementInput as PlacedElement
}

const missingElementError = (id: string, key: string, { id: named, type }: JsonObject) =>
  invalid(
    `Expected \`${key}\` of ${id} to name an element of this call or of the board, found ${JSON.stringify(named ?? type ?? null)}; add that element in the same call, or name one of elements_list. Nothing was written.`,
  )
