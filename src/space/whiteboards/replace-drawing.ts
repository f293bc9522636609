/** Replaces the drawing on a whiteboard. */
import { isDeepStrictEqual } from 'node:util'
import * as stored from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { chunks } from '../../base/scheduling.ts'
import { updateRow } from '../model/block-writes.ts'
import type { Space } from '../model/space.ts'

/** A drawing as it is stored. `appState` is JSON. */
interface Drawing {
  elements: readonly stored.StoredElement[]
  assets: readonly stored.StoredElement[]
  appState?: string
}

/** @returns true if the drawing changed */
export async function replaceDrawing(space: Space, board: BlockRow, drawing: Drawing): Promise<boolean> {
  const { tx } = space
  const { elements, assets, appState = '{}' } = drawing
  const before = await stored.whiteboardElements(tx, board.n)
  const assetsBefore = new Map((await stored.whiteboardAssets(tx, board.n)).map(({ id, json }) => [id, json]))
  const state = (await stored.whiteboardState(tx, board.n)) ?? '{}'
  const added = assets.filter(({ id, json }) => assetsBefore.get(id) !== json)
  const isSame = isSameList(elements, before)
  const isSameState = isDeepStrictEqual(JSON.parse(state), JSON.parse(appState))
  if (isSame && isSameState && added.length === 0) return false
  if (!isSame) {
    for await (const part of chunks(before, ROWS_PER_BATCH)) {
      await stored.deleteElements(
        tx,
        board.n,
        part.map(({ id }) => id),
      )
    }
    for await (const part of chunks(elements, ROWS_PER_BATCH)) await stored.insertElements(tx, board.n, part)
  }
  for await (const part of chunks(added, ROWS_PER_BATCH)) await stored.upsertAssets(tx, board.n, part)
  const kept = new Set(assets.map(({ id }) => id))
  const gone = [...assetsBefore.keys()].filter((id) => !kept.has(id))
  if (gone.length > 0) await stored.deleteUnusedAssets(tx, board.n, gone)
  if (!isSameState) await stored.upsertWhiteboardState(tx, board.n, appState)
  await updateRow(space, { ...board, modifiedAt: space.now, modifiedBy: space.link.author })
  return true
}

/** How many elements or assets one statement writes. */
const ROWS_PER_BATCH = 500

const isSameList = (one: readonly stored.StoredElement[], other: readonly stored.StoredElement[]): boolean =>
  one.length === other.length &&
  one.every(({ id, json }, index) => other[index]?.id === id && other[index].json === json)
