/** Draws the whiteboards that an answer shows. */
import { boardAssets, boardState, firstElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { PICTURE_ELEMENTS, PICTURE_JSON } from '../../limits.ts'
import type { Space } from '../space.ts'
import type { Json } from './input.ts'
import { drawBoard } from './picture.ts'
import { visibleElements } from './visible.ts'

/** A picture in base64, or why there is none: the answer holds no more of them, or it takes too long to draw. */
export type DrawingSeen = { mimeType: string; data: string } | 'more' | 'undrawn'

/**
 * The picture of a board; nothing of one that has nothing on it.
 *
 * @param isFull  whether there is no room left: then it is only found out whether there would be a picture
 */
export async function drawingOf(space: Space, { n }: BlockRow, isFull: boolean): Promise<DrawingSeen | undefined> {
  const kept = await firstElements(space.tx, n, isFull ? 1 : PICTURE_ELEMENTS, PICTURE_JSON)
  if (kept.length === 0) return undefined
  if (isFull) return 'more'
  const elements = await visibleElements(space, kept)
  const data = await draw(space, n, elements)
  return data === undefined ? 'undrawn' : { mimeType: 'image/png', data }
}

async function draw(space: Space, board: number, elements: readonly Json[]): Promise<string | undefined> {
  const kept = await boardAssets(space.tx, board, PICTURE_JSON)
  const assets = Object.fromEntries(kept.map(({ id, json }) => [id, JSON.parse(json)]))
  const state = await boardState(space.tx, board)
  const { viewBackgroundColor: background } = (state === undefined ? {} : JSON.parse(state)) as Json
  try {
    return (await drawBoard(elements, assets, { background })).toString('base64')
  } catch {
    // What cannot be drawn in time can still be read.
    return undefined
  }
}
