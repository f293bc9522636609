/** The whiteboards that a response shows: they are read in its transaction, and rendered after it. */
import { firstElements, whiteboardAssets, whiteboardState } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { RENDER_ELEMENTS, RENDER_JSON_LENGTH } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import type { JsonObject } from './element-input.ts'
import { visibleElements } from './visible-elements.ts'
import { type PngWorkerInput, pngInput, renderWhiteboardPng } from './whiteboard-png.ts'

/** What a whiteboard that is not rendered yet contains. */
export interface WhiteboardDrawing {
  input: PngWorkerInput
}

export interface DrawnPreview {
  mimeType: string
  data: string
  /** Characters that no available font contains. They are drawn as boxes. */
  missing: string[]
}

/**
 * Reads a whiteboard to be rendered after the transaction. Returns undefined for an empty one.
 *
 * @param isFull  true if the response has no room for more images. The result then only tells whether there would be
 *   one.
 */
export async function readDrawing(
  space: Space,
  { n }: BlockRow,
  isFull: boolean,
): Promise<WhiteboardDrawing | 'more' | undefined> {
  const storedElements = await firstElements(space.tx, n, isFull ? 1 : RENDER_ELEMENTS, RENDER_JSON_LENGTH)
  if (storedElements.length === 0) return undefined
  if (isFull) return 'more'
  const elements = await visibleElements(space, storedElements)
  const storedAssets = await whiteboardAssets(space.tx, n, RENDER_JSON_LENGTH)
  const assets = Object.fromEntries(storedAssets.map(({ id, json }) => [id, JSON.parse(json)]))
  const state = await whiteboardState(space.tx, n)
  const { viewBackgroundColor: background } = (state === undefined ? {} : JSON.parse(state)) as JsonObject
  return { input: pngInput(elements, assets, { background, fontFolder: space.info.fontFolder }) }
}

/** The characters of JSON that a drawing keeps in memory until it is rendered. */
export const lengthOfDrawing = ({ input: { elements, assets } }: WhiteboardDrawing): number =>
  elements.length + assets.length

/** Renders a whiteboard. @returns `undrawn` if that takes too long; it can still be read as elements */
export async function renderDrawing({ input }: WhiteboardDrawing): Promise<DrawnPreview | 'undrawn'> {
  try {
    const { png, missing } = await renderWhiteboardPng(input)
    return { mimeType: 'image/png', data: png.toString('base64'), missing }
  } catch {
    return 'undrawn'
  }
}
