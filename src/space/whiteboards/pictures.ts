/** Draws the whiteboards of an answer. */
import { boardAssets, boardState, firstElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { PICTURE_ELEMENTS, PICTURE_JSON, PICTURES_PER_ANSWER } from '../../limits.ts'
import type { Space } from '../space.ts'
import type { Json } from './input.ts'
import { drawBoard } from './picture.ts'

/** A picture of a block, as an answer shows it; `data` in base64. */
export interface Picture {
  blockId: string
  mimeType: string
  data: string
}

/**
 * Pictures of those of the blocks that are boards with something on them, in their order, and the IDs of the boards
 * that were left out: too many for one answer, or too long to draw.
 *
 * @param rows  in the order of the answer
 */
export async function picturesOf(space: Space, rows: readonly BlockRow[]) {
  const images: Picture[] = []
  const without: string[] = []
  for (const { n, id, type } of rows) {
    if (type !== 'whiteboard') continue
    const kept = await firstElements(space.tx, n, PICTURE_ELEMENTS, PICTURE_JSON)
    if (kept.length === 0) continue
    const elements = kept.map(({ json }) => JSON.parse(json) as Json)
    const data = images.length < PICTURES_PER_ANSWER ? await draw(space, n, elements) : undefined
    if (data === undefined) without.push(id)
    else images.push({ blockId: id, mimeType: 'image/png', data })
  }
  return { images, without }
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
