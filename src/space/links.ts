/** Links from block to block: what a connection may see of them. */
import type { BlockRow } from '../../storage/schema.ts'
import { breathe } from '../breathe.ts'
import { mapCells } from '../markdown/cells.ts'
import { mapBlockLinks } from '../markdown/links.ts'
import type { Space } from './space.ts'

const OUT_OF_SCOPE = 'invalid:out_of_scope'

/**
 * The texts of these blocks with each link to a block outside of the connection's reach as
 * `[text](invalid:out_of_scope)`. On a full connection every text is as it is stored.
 */
export async function visibleTexts(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => string> {
  if (space.kind === 'full') return (row) => row.text
  const linking = rows.filter((row) => row.type !== 'code' && row.text.includes('block://'))
  if (linking.length === 0) return (row) => row.text
  const targets = new Set<string>()
  for (const row of linking) {
    mapLinks(row, (id) => {
      targets.add(canonical(id))
      return id
    })
    await breathe()
  }
  const within = new Set((await space.reachable([...targets])).map((row) => row.id))
  const hide = (id: string) => (within.has(canonical(id)) ? `block://${id}` : OUT_OF_SCOPE)
  return (row) => (row.type === 'code' ? row.text : mapLinks(row, hide))
}

/** The links of a stored text, of a table cell by cell: a backtick in one is none beside one in another. */
function mapLinks({ type, text }: BlockRow, map: (id: string) => string): string {
  if (type !== 'table') return mapBlockLinks(text, map)
  return text.includes('block://') ? mapCells(text, (cell) => mapBlockLinks(cell, map)) : text
}

/** IDs are found however clients spell their letters. */
const canonical = (id: string) => id.toLowerCase()
