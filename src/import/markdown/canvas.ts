/** Converts Obsidian canvases (https://jsoncanvas.org/spec/1.0/) to whiteboard elements. */
import { isObject } from '../../base/is-object.ts'
import type { ImportDrawing } from '../../space/import/imported-content.ts'
import { prepareDrawing } from '../../space/import/prepare-drawing.ts'
import { parseJson } from '../parse-json.ts'

/** The colors for Obsidian's color numbers. */
const COLORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '1': '#e93147', '2': '#ec7500', '3': '#e0ac00', '4': '#08b94e', '5': '#00bfbc', '6': '#7852ee' },
  }),
)

/**
 * @param addressOf  returns the address of the note or file that a node shows; undefined if it does not exist
 * @throws Error if the text is not a canvas
 */
export function parseCanvas(
  text: string,
  addressOf: (path: string, anchor: string) => string | undefined,
): ImportDrawing {
  const canvas = text.trim() === '' ? {} : parseJson(text)
  if (!isObject(canvas)) throw new Error('Expected a canvas, found something else.')
  const nodes = objectsIn(canvas.nodes)
  const ids = new Set(nodes.map(({ id }) => id))
  const edges = objectsIn(canvas.edges).filter(({ fromNode, toNode }) => ids.has(fromNode) && ids.has(toNode))
  // Elements in the background come first, so groups come before their nodes.
  const ordered = [...nodes.filter(({ type }) => type === 'group'), ...nodes.filter(({ type }) => type !== 'group')]
  const elements = [...ordered.map((node) => nodeElement(node, addressOf)), ...edges.map(edgeElement)]
  return prepareDrawing({ elements })
}

const objectsIn = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((one) => isObject(one) && typeof one.id === 'string') : []

const numberOr = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : other

function nodeElement(
  node: Record<string, unknown>,
  addressOf: (path: string, anchor: string) => string | undefined,
): object {
  const { id, type, file, subpath, url, text, label, color } = node
  const place = { x: numberOr(node.x, 0), y: numberOr(node.y, 0) }
  const size = { width: numberOr(node.width, 250), height: numberOr(node.height, 60) }
  const shown = [text, label, file, url].find((one) => typeof one === 'string' && one !== '')
  const link =
    typeof url === 'string' ? url : typeof file === 'string' ? addressOf(file, String(subpath ?? '')) : undefined
  return {
    ...{ id, type: 'rectangle', ...place, ...size },
    ...(shown !== undefined && {
      label: {
        text: shown,
        ...(type === 'group' && { verticalAlign: 'top' }),
        ...(type !== 'text' && { fontSize: 16 }),
      },
    }),
    ...(type === 'group' && { strokeStyle: 'dashed' }),
    ...(link !== undefined && { link }),
    ...colored(color),
  }
}

function edgeElement({ id, fromNode, toNode, label, color, fromEnd, toEnd }: Record<string, unknown>): object {
  return {
    ...{ id, type: 'arrow', x: 0, y: 0, start: { id: fromNode }, end: { id: toNode } },
    ...(typeof label === 'string' && label !== '' && { label: { text: label } }),
    ...(fromEnd === 'arrow' && { startArrowhead: 'arrow' }),
    ...(toEnd === 'none' && { endArrowhead: null }),
    ...colored(color),
  }
}

function colored(color: unknown): { strokeColor?: string } {
  const found = typeof color === 'string' ? (COLORS.get(color) ?? color) : ''
  return /^#[0-9a-f]{6}$/i.test(found) ? { strokeColor: found } : {}
}
