/** Keeps boards, and what is on them, from going unseen. */
import { isDeepStrictEqual } from 'node:util'
import { assetsByIds, countElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import type { ElementInput, JsonObject } from './element-input.ts'

/**
 * Leaving a tag out of a text is not to delete a whole drawing, of which the text shows little.
 *
 * @param rows  the blocks that an edited text leaves out
 * @throws VALIDATION_ERROR for a board with something on it
 */
export async function assertWhiteboardsKept(space: Space, rows: readonly BlockRow[]): Promise<void> {
  for (const { n, id, type } of rows) {
    const count = type === 'whiteboard' ? await countElements(space.tx, n) : 0
    if (count === 0) continue
    throw invalid(
      `Expected the tag <whiteboard id="${id}"/> in the edited text, found it left out with ${count.toLocaleString('en-US')} ${count === 1 ? 'element' : 'elements'} on the board; keep it, or delete the board with blocks_delete. Nothing was written.`,
    )
  }
}

/**
 * An element that is marked as deleted is shown by no drawing any more, and is taken off the board by the next program
 * that opens it.
 *
 * @param before  the elements as they were
 * @param after  the same, as they are to be
 * @throws FORBIDDEN where the link may not delete
 */
export function assertElementsKept(
  { link }: Space,
  before: ReadonlyMap<string, JsonObject>,
  after: readonly ElementInput[],
): void {
  const deleted = after.filter(({ id, isDeleted }) => Boolean(isDeleted) && !before.get(id)?.isDeleted)
  assertDeletionAllowed(link, deleted.length, {
    expected: 'elements that stay on the whiteboard',
    found: `${deleted.length} with isDeleted, the first ${deleted[0]?.id}`,
    instead: 'leave isDeleted out',
  })
}

/**
 * An asset of an ID that the board has takes the place of the one that is there. What else an asset says of its
 * picture, such as when it was last shown, may change.
 *
 * @throws FORBIDDEN for other pictures, where the link may not delete
 */
export async function assertAssetsKept(space: Space, { n }: BlockRow, assets: JsonObject): Promise<void> {
  if (canDelete(space.link)) return
  const present = await assetsByIds(space.tx, n, Object.keys(assets))
  const replaced: string[] = []
  for await (const { id, json } of iterateCooperatively(present)) {
    if (!isDeepStrictEqual(assetImage(JSON.parse(json)), assetImage(assets[id]))) replaced.push(id)
  }
  assertDeletionAllowed(space.link, replaced.length, {
    expected: 'assets that keep the pictures of the whiteboard',
    found: `${replaced.length} with another picture, the first ${replaced[0]}`,
    instead: 'give other pictures IDs of their own',
  })
}

/** The bytes of the picture, where an asset has some as Excalidraw writes them; else all that it says. */
const assetImage = (asset: unknown): unknown => (asset as JsonObject | null)?.dataURL ?? asset
