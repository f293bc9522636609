/** Links from block to block: what a connection may see of them. */
import type { BlockRow } from '../../storage/schema.ts'
import { blockLinks, mapBlockLinks } from '../markdown/links.ts'
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
  const targets = new Set(linking.flatMap((row) => blockLinks(row.text).map(canonical)))
  const within = new Set((await space.reachable([...targets])).map((row) => row.id))
  const hide = (id: string) => (within.has(canonical(id)) ? `block://${id}` : OUT_OF_SCOPE)
  return (row) => (row.type === 'code' ? row.text : mapBlockLinks(row.text, hide))
}

/** IDs are found however clients spell their letters. */
const canonical = (id: string) => id.toLowerCase()
