/** What is drawn on a whiteboard: listed, added, changed, deleted. Source: the interface, "Whiteboards". */

import { updateBlock } from '../../../storage/blocks.ts'
import { touchDocument } from '../../../storage/documents.ts'
import * as stored from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { partsInTurn } from '../../breathe.ts'
import { invalid, notFound } from '../../errors.ts'
import { Faults } from '../faults.ts'
import type { Space } from '../space.ts'
import { restoreStrings } from '../visible.ts'
import { findBoard } from './find.ts'
import { checkAddress, checkElements, checkNumbers, type Element, type Json, toKept } from './input.ts'
import { refuseDeletedMarks, refuseReplacedAssets } from './keep.ts'
import { visibleAsset, visibleElements, visibleJson } from './visible.ts'

/** All that is on a board; `assets` and `appState` only where there are some. */
export interface BoardContent {
  elements: Json[]
  assets?: Json
  appState?: Json
}

/** How a writing call answers: with the whole board as it is now, or with what the call wrote. */
export type ElementsAnswer = 'all' | 'changed'

interface Asked {
  whiteboardBlockId: string
  /** Elements once they have been prepared. */
  elements: readonly unknown[]
  answer: ElementsAnswer
}

interface Added extends Asked {
  assets?: Json | undefined
  appState?: Json | undefined
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a block that is no whiteboard */
export async function listElements(space: Space, whiteboardBlockId: string): Promise<BoardContent> {
  return contentOf(space, await findBoard(space, whiteboardBlockId))
}

/** @throws VALIDATION_ERROR with the path of every fault, and for IDs that come twice */
export function prepareAdded(asked: Added): Added {
  const faults = new Faults()
  checkNumbers(asked.assets, 'assets', faults)
  checkNumbers(asked.appState, 'appState', faults)
  for (const [id, asset] of Object.entries(asked.assets ?? {})) checkAddress(asset, `assets.${id}`, faults)
  faults.refuse()
  return { ...asked, elements: checkElements(asked.elements, ['id', 'type']) }
}

/**
 * Puts elements above those that are there. Assets are added to the board's own, and of its state the given keys change.
 *
 * @throws as {@link listElements} does; VALIDATION_ERROR for IDs that the board has already; FORBIDDEN for other pictures under the
 *   IDs of assets, where the link may not delete: nothing is written then
 */
export async function addElements(space: Space, { whiteboardBlockId, elements, assets, appState, answer }: Added) {
  const board = await findBoard(space, whiteboardBlockId)
  const added = elements as readonly Element[]
  const taken = await stored.elementsByIds(space.tx, board.n, idsOf(added))
  if (taken.length > 0) throw idsTaken(inOrder(idsOf(added), taken))
  await stored.insertElements(space.tx, board.n, added.map(toKept))
  if (assets !== undefined) {
    await refuseReplacedAssets(space, board, assets)
    for await (const part of partsInTurn(Object.entries(assets), AT_ONCE)) {
      const kept = part.map(([id, asset]) => ({ id, json: JSON.stringify(asset) }))
      await stored.putAssets(space.tx, board.n, kept)
    }
  }
  if (appState !== undefined) {
    const before = await stored.boardState(space.tx, board.n)
    const old = before === undefined ? {} : (JSON.parse(before) as Json)
    const given = restoreStrings(appState, old) as Json
    await stored.putState(space.tx, board.n, JSON.stringify({ ...old, ...given }))
  }
  await touch(space, board)
  return answer === 'all' ? contentOf(space, board) : { elements: await visibleElements(space, added.map(toKept)) }
}

/** @throws VALIDATION_ERROR with the path of every fault, and for IDs that come twice */
export const prepareUpdated = (asked: Asked): Asked => ({ ...asked, elements: checkElements(asked.elements, ['id']) })

/**
 * Changes of each element the keys that are given. Its version counts up by one, so that an open drawing takes the
 * change as the newer one, unless a version is given too.
 *
 * @throws as {@link listElements} does; NOT_FOUND_ERROR that names every ID that is not on the board; FORBIDDEN for
 *   elements that become deleted, where the link may not delete: nothing is written then
 */
export async function updateElements(space: Space, { whiteboardBlockId, elements, answer }: Asked) {
  const board = await findBoard(space, whiteboardBlockId)
  const asked = elements as readonly Element[]
  const found = await stored.elementsByIds(space.tx, board.n, idsOf(asked))
  const before = new Map(found.map(({ id, json }) => [id, JSON.parse(json) as Element]))
  const missing = idsOf(asked).filter((id) => !before.has(id))
  if (missing.length > 0) throw idsMissing(missing)
  const changed = asked.map((given): Element => {
    const old = before.get(given.id) as Element
    return { ...old, version: nextVersion(old.version), ...(restoreStrings(given, old) as Element) }
  })
  refuseDeletedMarks(space, before, changed)
  await stored.updateElements(space.tx, board.n, changed.map(toKept))
  await touch(space, board)
  return answer === 'all' ? contentOf(space, board) : { elements: await visibleElements(space, changed.map(toKept)) }
}

/** Excalidraw reads an element without a version as one of version 1. */
const nextVersion = (version: unknown): number => (Number.isSafeInteger(version) ? (version as number) : 1) + 1

/**
 * Deletes those of the IDs that are on the board, with the assets that nothing shows then. Those that are not are passed
 * over, so that a call can be made again.
 *
 * @throws as {@link listElements} does
 */
export async function deleteElements(space: Space, whiteboardBlockId: string, elementIds: readonly string[]) {
  const board = await findBoard(space, whiteboardBlockId)
  const deleted = await stored.deleteElements(space.tx, board.n, elementIds)
  const shown = deleted.flatMap(({ json }) => (json.includes('"fileId"') ? [(JSON.parse(json) as Json).fileId] : []))
  const files = shown.filter((id) => typeof id === 'string')
  if (files.length > 0) await stored.deleteUnusedAssets(space.tx, board.n, files)
  if (deleted.length > 0) await touch(space, board)
  return { deletedCount: deleted.length, remainingCount: await stored.countElements(space.tx, board.n) }
}

async function contentOf(space: Space, { n }: BlockRow): Promise<BoardContent> {
  const elements: Json[] = []
  for await (const part of partsInTurn(await stored.boardElements(space.tx, n), AT_ONCE)) {
    elements.push(...(await visibleElements(space, part)))
  }
  const assets: [id: string, asset: unknown][] = []
  for await (const part of partsInTurn(await stored.boardAssets(space.tx, n), AT_ONCE)) {
    for (const { id, json } of part) assets.push([id, visibleAsset(JSON.parse(json))])
  }
  const state = await stored.boardState(space.tx, n)
  const [appState] = state === undefined ? [] : await visibleJson(space, [state])
  return {
    elements,
    ...(assets.length > 0 && { assets: Object.fromEntries(assets) }),
    ...(appState !== undefined && { appState }),
  }
}

/** Elements or assets that are read or written in one go. */
const AT_ONCE = 500

/** What is drawn on a board is part of its document. */
async function touch(space: Space, board: BlockRow): Promise<void> {
  await updateBlock(space.tx, { ...board, modifiedAt: space.now, modifiedBy: space.link.author })
  await touchDocument(space.tx, board.document, space.now)
}

const idsOf = (elements: readonly Element[]): string[] => elements.map(({ id }) => id)

function inOrder(ids: readonly string[], kept: readonly stored.Kept[]): string[] {
  const found = new Set(kept.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

const idsTaken = (ids: readonly string[]) =>
  invalid(
    `Expected element IDs that are new on this whiteboard, found ${ids.join(', ')}; change those with elements_update, or give new IDs. Nothing was written.`,
  )

const idsMissing = (ids: readonly string[]) =>
  notFound(
    `Expected the IDs of elements on this whiteboard, found none of ${ids.join(', ')}; read IDs with elements_list, or add them with elements_add. Nothing was written.`,
  )
