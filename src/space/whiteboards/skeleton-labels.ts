/** Labels of shapes and arrows: texts that are bound to them, as Excalidraw places them. */
import type { ElementInput, JsonObject } from './element-input.ts'
import { FONT_FAMILY, FONT_SIZE, LINE_HEIGHT, measureText, wrapText } from './text-metrics.ts'

/** Pixels between a text and the edge of its shape. */
const PADDING = 5
/** Of an arrow's width, and characters, that its label may take. */
const ARROW_LABEL_FRACTION = 0.7
const ARROW_LABEL_CHARACTERS = 11

/** An element whose place and size are known. */
export type PlacedElement = ElementInput & { x: number; y: number; width: number; height: number }

/** A number where there is one other than 0, as Excalidraw reads sizes. */
export const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value !== 0 ? value : fallback

/** Makes a text whole: its font, and the size that it takes. */
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
 * The text that a label becomes. Its shape grows where the text needs more room.
 *
 * @param container  gets its new size and names the text among its bound elements
 * @param label  `text`, and further keys of a text element
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
  return { ...bound, ...(container.type === 'arrow' ? arrowPlace(container, bound) : shapePlace(container, bound)) }
}

/** The ID of the text that stands in a shape or arrow. */
export function boundTextId(container: ElementInput): string | undefined {
  const id = boundElementsOf(container).find((one) => one?.type === 'text')?.id
  return typeof id === 'string' ? id : undefined
}

/** Adds to what an element names as bound to it, once. */
export function addBoundElement(element: JsonObject, bound: { type: string; id: string }): void {
  const before = boundElementsOf(element)
  if (!before.some((one) => one?.id === bound.id)) element.boundElements = [...before, bound]
}

const boundElementsOf = ({ boundElements }: JsonObject): readonly (JsonObject | undefined)[] =>
  Array.isArray(boundElements) ? boundElements : []

function innerWidth({ type, width }: PlacedElement, fontSize: number): number {
  if (type === 'arrow') return Math.max(ARROW_LABEL_FRACTION * width, ARROW_LABEL_CHARACTERS * fontSize)
  return innerSize(type, width)
}

const innerHeight = ({ type, height }: PlacedElement): number => innerSize(type, height)

/** The side of the largest box within a shape that leaves room for the padding. */
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

/** The corner of the box within a shape in which its text stands. */
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

/** The middle of an arrow. */
function arrowPlace(arrow: PlacedElement, text: PlacedElement): { x: number; y: number } {
  const points = arrow.points as readonly (readonly [number, number])[]
  const half = points.length / 2
  const [before, after] = [points[Math.ceil(half) - 1] ?? [0, 0], points[Math.floor(half)] ?? [0, 0]]
  return {
    x: arrow.x + (before[0] + after[0]) / 2 - text.width / 2,
    y: arrow.y + (before[1] + after[1]) / 2 - text.height / 2,
  }
}
