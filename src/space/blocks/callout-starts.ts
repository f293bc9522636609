/** Callouts go on when the block at which they begin leaves: the next block of each takes its properties. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { siblingAfter } from '../../../storage/siblings.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { calloutLevels, sharedCallouts, withCallout } from '../../markdown/callout-levels.ts'
import { updateRow } from '../model/block-writes.ts'
import type { Space } from '../model/space.ts'
import { columnsFromFields, fieldsFromRow } from './block-rows.ts'

/** @param rows  blocks that will be deleted, moved, or taken out of their callouts, as they are now */
export async function transferCalloutStarts(space: Space, rows: readonly BlockRow[]): Promise<void> {
  const leaving = new Set(rows.map(({ n }) => n))
  for (const row of rows) {
    // Faster than reading all fields of every block.
    if (row.attributes?.includes('"starts"') === true) await transferStart(space, row, leaving)
  }
}

async function transferStart(
  space: Space,
  { document, parent, position, ...row }: BlockRow,
  leaving: ReadonlySet<number>,
) {
  let before: BlockFields = fieldsFromRow({ ...row })
  let at = position
  for (let goesOn = parent !== null; goesOn && parent !== null; ) {
    const n = await siblingAfter(space.tx, { document, parent }, at)
    const [next] = n === undefined ? [] : await blocksByNumbers(space.tx, [n])
    if (next === undefined) return
    const fields = fieldsFromRow(next)
    const shared = sharedCallouts(before, fields)
    const first = calloutLevels(before).slice(0, shared)
    if (!first.some(({ starts }) => starts === true)) return
    const after = withCallout(fields, [...first, ...calloutLevels(fields).slice(shared)])
    goesOn = leaving.has(next.n)
    before = after
    at = next.position
    if (!goesOn) await updateRow(space, Object.assign(next, columnsFromFields(after)))
  }
}
