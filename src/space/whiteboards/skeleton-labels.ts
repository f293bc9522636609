/** Labels of shapes and arrows: texts that are bound to them and placed as in Excalidraw. */
import type { ElementInput, JsonObject } from './element-input.ts'
import { FONT_FAMILY, FONT_SIZE, LINE_HEIGHT, measureText, wrapText } from './text-metrics.ts'

/** Pixels between a text and the edge of its shape. */
const PADDING = 5
/** The label of an arrow may take this share of the arrow's width, or this many times the font size if that is more. */
const ARROW_LABEL_FRACTION = 0.7
const ARROW_LABEL_CHARACTERS = 11

/** An element with a known position and size. */
export type PlacedElement = ElementInput & { x: number; y: number; width: number; height: number }

/** Returns a number other than 0, or the fallback, as Excalidraw does for sizes. */
export const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value !== 0 ? value : fallback

/** Completes a text element: its font, and the size of its text. */
export function completeText(given: ElementInput): PlacedElement {
  const text = String(given.text ?? '').replace(/\r\n?/g, '\n')
  const fontSize = numberOr(given.fontSize, FONT_SIZE)
  const lineHeight = numberOr(given.lineHeight, LINE_HEIGHT)
  const { width, height } = measureText(text, fontSize, lineHeight)
  return {
    fontFamily: FONT_FAMILY,
    textAlign: 'left',
    verticalAlign: 'top',
    autoResize: true,
    containerId: null,
    x: 0,
    y: 0,
    width,
    height,
    ...given,
    text,
    fontSize,
    lineHeight,
    originalText: given.originalText ?? text,
  }
}

/**
 * Creates the text element for a label. The shape grows if the text needs more room.
 *
 * @param container  is modified: it gets its new size and lists the text among its bound elements
 * @param label  `text`, and any other keys of a text element
 */
export function bindLabel(container: PlacedElement, label: JsonObject, id: string): PlacedElement {
  const originalText = String(label.text)
  const fontSize = numberOr(label.fontSize, FONT_SIZE)
  const bound = completeText({
    textAlign: 'center',
    verticalAlign: 'middle',
    ...(container.strokeColor !== undefined && { strokeColor: container.strokeColor }),
    ...label,
    id,
    type: 'text',
    text: wrapText(originalText, fontSize, innerWidth(container, fontSize)),
    originalText,
    containerId: container.id,
  })
  if (container.type !== 'arrow') {
    if (bound.height > innerHeight(container)) container.height = outerSize(bound.height, container.type)
    if (bound.width > innerWidth(container, fontSize)) container.width = outerSize(bound.width, container.type)
  }
  addBoundElement(container, { type: 'text', id })
  return { ...bound, ...labelPlace(container, bound) }
}

/** The place of a text in its shape or on its arrow. */
export const labelPlace = (container: PlacedElement, text: PlacedElement): { x: number; y: number } =>
  container.type === 'arrow' ? arrowPlace(container, text) : shapePlace(container, text)

/** Returns the ID of the text inside a shape or on an arrow. */
export function boundTextId(container: ElementInput): string | undefined {
  const id = boundElementsOf(container).find((one) => one?.type === 'text')?.id
  return typeof id === 'string' ? id : undefined
}

/** The IDs in the lists of bound elements that were made here. Hundreds of arrows may lead to one shape. */
const boundIds = new WeakMap<object, Set<unknown>>()

/** Adds an entry to the bound elements of an element, unless it is there already. */
export function addBoundElement(element: JsonObject, bound: { type: string; id: string }): void {
  let list = boundElementsOf(element) as (JsonObject | undefined)[]
  let ids = boundIds.get(list)
  if (ids === undefined) {
    list = [...list]
    ids = new Set(list.map((one) => one?.id))
    boundIds.set(list, ids)
    element.boundElements = list
  }
  if (ids.has(bound.id)) return
  ids.add(bound.id)
  list.push(bound)
}

const boundElementsOf = ({ boundElements }: JsonObject): readonly (JsonObject | undefined)[] =>
  Array.isArray(boundElements) ? boundElements : []

function innerWidth({ type, width }: PlacedElement, fontSize: number): number {
  if (type === 'arrow') return Math.max(ARROW_LABEL_FRACTION * width, ARROW_LABEL_CHARACTERS * fontSize)
  return innerSize(type, width)
}

const innerHeight = ({ type, height }: PlacedElement): number => innerSize(type, height)

/** Returns the side of the largest box that fits inside a shape with padding. */
function innerSize(type: unknown, size: number): number {
  if (type === 'ellipse') return Math.round((size / 2) * Math.SQRT2) - 2 * PADDING
  if (type === 'diamond') return Math.round(size / 2) - 2 * PADDING
  return size - 2 * PADDING
}

function outerSize(inner: number, type: unknown): number {
  const size = Math.ceil(inner) + 2 * PADDING
  if (type === 'ellipse') return Math.round((size / Math.SQRT2) * 2)
  return type === 'diamond' ? 2 * size : size
}

/** Returns the offset of that box from the corner of the shape. */
function innerOffset(type: unknown, size: number): number {
  if (type === 'ellipse') return (size / 2) * (1 - Math.SQRT1_2) + PADDING
  return type === 'diamond' ? size / 4 + PADDING : PADDING
}

function shapePlace(shape: PlacedElement, text: PlacedElement): { x: number; y: number } {
  const left = shape.x + innerOffset(shape.type, shape.width)
  const top = shape.y + innerOffset(shape.type, shape.height)
  const freeWidth = innerSize(shape.type, shape.width) - text.width
  const freeHeight = innerSize(shape.type, shape.height) - text.height
  const { textAlign, verticalAlign } = text as JsonObject
  return {
    x: left + freeWidth * (textAlign === 'left' ? 0 : textAlign === 'right' ? 1 : 0.5),
    y: top + freeHeight * (verticalAlign === 'top' ? 0 : verticalAlign === 'bottom' ? 1 : 0.5),
  }
}

/** Centers the text on the middle of an arrow. */
function arrowPlace(arrow: PlacedElement, text: PlacedElement): { x: number; y: number } {
  const points = arrow.points as readonly (readonly [number, number])[]
  const half = points.length / 2
  const [before, after] = [points[Math.ceil(half) - 1] ?? [0, 0], points[Math.floor(half)] ?? [0, 0]]
  return {
    x: arrow.x + (before[0] + after[0]) / 2 - text.width / 2,
    y: arrow.y + (before[1] + after[1]) / 2 - text.height / 2,
  }
}
