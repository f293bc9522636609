/** Renders the whiteboards that a response shows. */
import { firstElements, whiteboardAssets, whiteboardState } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { RENDER_ELEMENTS, RENDER_JSON_LENGTH } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import type { JsonObject } from './element-input.ts'
import { visibleElements } from './visible-elements.ts'
import { renderWhiteboardPng } from './whiteboard-png.ts'

/**
 * An image in base64, or the reason why there is none: the response already contains the maximum, or rendering takes
 * too long.
 */
export type WhiteboardPreview = DrawnPreview | 'more' | 'undrawn'

export interface DrawnPreview {
  mimeType: string
  data: string
  /** Characters that no available font contains. They are drawn as boxes. */
  missing: string[]
}

/**
 * Returns the image of a whiteboard, or undefined for an empty one.
 *
 * @param isFull  true if the response has no room for more images. The result then only tells whether there would be
 *   one.
 */
export async function getWhiteboardPreview(
  space: Space,
  { n }: BlockRow,
  isFull: boolean,
): Promise<WhiteboardPreview | undefined> {
  const storedElements = await firstElements(space.tx, n, isFull ? 1 : RENDER_ELEMENTS, RENDER_JSON_LENGTH)
  if (storedElements.length === 0) return undefined
  if (isFull) return 'more'
  const elements = await visibleElements(space, storedElements)
  return (await renderPreview(space, n, elements)) ?? 'undrawn'
}

async function renderPreview(
  space: Space,
  board: number,
  elements: readonly JsonObject[],
): Promise<DrawnPreview | undefined> {
  const storedAssets = await whiteboardAssets(space.tx, board, RENDER_JSON_LENGTH)
  const assets = Object.fromEntries(storedAssets.map(({ id, json }) => [id, JSON.parse(json)]))
  const state = await whiteboardState(space.tx, board)
  const { viewBackgroundColor: background } = (state === undefined ? {} : JSON.parse(state)) as JsonObject
  try {
    const { fontFolder } = space.info
    const { png, missing } = await renderWhiteboardPng(elements, assets, { background, fontFolder })
    return { mimeType: 'image/png', data: png.toString('base64'), missing }
  } catch {
    // A whiteboard that cannot be rendered in time can still be read as elements.
    return undefined
  }
}
