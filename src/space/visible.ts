/** Blocks as a connection may see them: links out of its reach hidden, files at addresses that it can follow. */
import type { BlockRow } from '../../storage/schema.ts'
import type { BlockFields } from '../markdown/block.ts'
import { fieldsOf } from './blocks/rows.ts'
import { shownAddresses } from './files/shown.ts'
import { visibleTexts } from './links.ts'
import type { Space } from './space.ts'

export async function visibleFields(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => BlockFields> {
  const textOf = await visibleTexts(space, rows)
  const addressOf = await shownAddresses(space, rows)
  return (row) => {
    const fields = fieldsOf(row)
    fields.text = textOf(row)
    const address = addressOf(row)
    if (address !== undefined) fields.url = address
    return fields
  }
}
