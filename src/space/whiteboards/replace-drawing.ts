/** Replaces the drawing on a whiteboard. */
import { isDeepStrictEqual } from 'node:util'
import * as stored from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { updateRow } from '../model/block-writes.ts'
import type { Space } from '../model/space.ts'
import { toStoredElement, validateElements } from './element-input.ts'
import { expandSkeletons } from './expand-skeletons.ts'

/** Elements may be skeletons. */
interface Drawing {
  elements: readonly object[]
  assets?: Record<string, unknown>
  appState?: Record<string, unknown>
}

/**
 * @returns true if the drawing changed
 * @throws VALIDATION_ERROR if elements are invalid
 */
export async function replaceDrawing(space: Space, board: BlockRow, drawing: Drawing): Promise<boolean> {
  const { tx } = space
  const { assets = {}, appState = {} } = drawing
  const drawn = expandSkeletons(validateElements(drawing.elements, ['id', 'type']), []).added.map(toStoredElement)
  const before = await stored.whiteboardElements(tx, board.n)
  const assetsBefore = await stored.whiteboardAssets(tx, board.n)
  const state = await stored.whiteboardState(tx, board.n)
  const added = Object.entries(assets)
    .map(([id, asset]) => ({ id, json: JSON.stringify(asset) }))
    .filter(({ id, json }) => assetsBefore.find((one) => one.id === id)?.json !== json)
  const isSame = isDeepStrictEqual(
    drawn,
    before.map(({ id, json }) => ({ id, json })),
  )
  const isSameState = isDeepStrictEqual(state === undefined ? {} : JSON.parse(state), appState)
  if (isSame && isSameState && added.length === 0) return false
  if (!isSame) {
    await stored.deleteElements(
      tx,
      board.n,
      before.map(({ id }) => id),
    )
    await stored.insertElements(tx, board.n, drawn)
  }
  if (added.length > 0) await stored.upsertAssets(tx, board.n, added)
  const gone = assetsBefore.filter(({ id }) => !Object.hasOwn(assets, id)).map(({ id }) => id)
  if (gone.length > 0) await stored.deleteUnusedAssets(tx, board.n, gone)
  if (!isSameState) await stored.upsertWhiteboardState(tx, board.n, JSON.stringify(appState))
  await updateRow(space, { ...board, modifiedAt: space.now, modifiedBy: space.link.author })
  return true
}
