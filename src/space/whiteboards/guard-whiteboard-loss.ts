/** Protects whiteboards and their content from unnoticed deletion. */
import { isDeepStrictEqual } from 'node:util'
import { assetsByIds, countElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import type { ElementInput, JsonObject } from './element-input.ts'

/**
 * Omitting a tag from an edited text must not delete a whole drawing, since the text shows little of it.
 *
 * @param rows  the blocks that an edited text leaves out
 * @throws VALIDATION_ERROR if a whiteboard among them is not empty
 */
export async function assertWhiteboardsKept(space: Space, rows: readonly BlockRow[]): Promise<void> {
  for (const { n, id, type } of rows) {
    const count = type === 'whiteboard' ? await countElements(space.tx, n) : 0
    if (count === 0) continue
    throw invalid(
      `Expected the tag <whiteboard id="${id}"/> in the edited text, found it left out with ${formatCount(count, 'element')} on the board; keep it, or delete the board with blocks_delete. Nothing was written.`,
    )
  }
}

/**
 * Marking an element as deleted counts as deletion: drawings no longer show it, and the next program that opens the
 * whiteboard removes it.
 *
 * @param before  the current elements
 * @param after  the same elements after the change
 * @throws FORBIDDEN if the link may not delete
 */
export function assertElementsKept(
  { link }: Space,
  before: ReadonlyMap<string, JsonObject>,
  after: readonly ElementInput[],
): void {
  const deleted = after.filter((element) => becomesDeleted(before.get(element.id), element))
  assertDeletionAllowed(link, deleted.length, {
    expected: 'elements that stay on the whiteboard',
    found: `${deleted.length} with isDeleted, the first ${deleted[0]?.id}`,
    instead: 'leave isDeleted out',
  })
}

/** True if a change marks an element as deleted that was not. */
export const becomesDeleted = (before: JsonObject | undefined, after: JsonObject): boolean =>
  Boolean(after.isDeleted) && !before?.isDeleted

/**
 * An asset with an existing ID replaces the stored one. Its image must stay the same; other data, such as the time it
 * was last retrieved, may change.
 *
 * @throws FORBIDDEN if an image would change and the link may not delete
 */
export async function assertAssetsKept(space: Space, { n }: BlockRow, assets: JsonObject): Promise<void> {
  if (canDelete(space.link)) return
  const present = await assetsByIds(space.tx, n, Object.keys(assets))
  const replaced: string[] = []
  for await (const { id, json } of iterateCooperatively(present)) {
    if (losesImage(JSON.parse(json), assets[id])) replaced.push(id)
  }
  assertDeletionAllowed(space.link, replaced.length, {
    expected: 'assets that keep the pictures of the whiteboard',
    found: `${replaced.length} with another picture, the first ${replaced[0]}`,
    instead: 'give other pictures IDs of their own',
  })
}

/** True if an asset has another image after a change. */
export const losesImage = (before: unknown, after: unknown): boolean =>
  !isDeepStrictEqual(assetImage(before), assetImage(after))

/** Returns the data URL of an asset, as Excalidraw writes it. Without one, returns the whole asset. */
const assetImage = (asset: unknown): unknown => (asset as JsonObject | null)?.dataURL ?? asset
