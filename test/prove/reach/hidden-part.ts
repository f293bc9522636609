/** Reads the rows of a space that are out of a connection's reach, to detect whether a call has changed them. */
import type { Space } from '../../../src/space/model/space.ts'
import { connectionOf } from '../../sqlite.ts'

/** Rows by kind, each serialized as JSON. */
export type Part = Map<string, string[]>

/** The SQL gets the IDs of the documents as a JSON array. */
const IN = '(SELECT n FROM block WHERE id IN (SELECT value FROM json_each(?)))'
const BLOCKS = `(SELECT n FROM block WHERE document IN ${IN})`
const ROWS: Record<string, string> = {
  document: `SELECT * FROM document WHERE n IN ${IN} ORDER BY n`,
  block: `SELECT * FROM block WHERE document IN ${IN} ORDER BY n`,
  property: `SELECT n, collection, key, name, type, position, config FROM property WHERE collection IN ${BLOCKS} ORDER BY n`,
  option: `SELECT option.* FROM option JOIN property ON property.n = option.property
    WHERE property.collection IN ${BLOCKS} ORDER BY option.n`,
  // A value disappears with the target of its relation, which can be visible and so may be deleted.
  value: `SELECT value.item, value.property, value.text, value.number, value.option, value.target FROM value
    WHERE value.item IN ${BLOCKS} ORDER BY value.item, value.property, value.ordinal`,
  view: `SELECT * FROM view WHERE collection IN ${BLOCKS} ORDER BY n`,
  element: `SELECT * FROM element WHERE board IN ${BLOCKS} ORDER BY n`,
  comment: `SELECT * FROM comment WHERE block IN ${BLOCKS} ORDER BY n`,
  reminder: `SELECT * FROM reminder WHERE block IN ${BLOCKS} ORDER BY n`,
  file: `SELECT * FROM block_file WHERE block IN ${BLOCKS} ORDER BY block`,
}

export function partOf({ tx }: Space, documents: readonly string[]): Part {
  const ids = JSON.stringify(documents)
  return new Map(
    Object.entries(ROWS).map(([name, sql]) => [
      name,
      connectionOf(tx)
        .sql<object>(sql)
        .all(ids)
        .map((row) => JSON.stringify(row)),
    ]),
  )
}

/** Describes the first difference to an earlier state. Returns undefined if there is none. */
export function changeOf(view: Space, before: Part, documents: readonly string[]): string | undefined {
  const after = partOf(view, documents)
  for (const [name, rows] of before) {
    const now = new Set(after.get(name))
    const gone = rows.find((row) => !now.has(row) && !(name === 'value' && leadsNowhere(view, row)))
    if (gone !== undefined) return `the ${name} ${gone} is no more`
    const known = new Set(rows)
    const added = after.get(name)?.find((row) => !known.has(row))
    if (added !== undefined) return `there is the ${name} ${added}`
  }
  return undefined
}

/** True for the value of a relation whose target, an item within reach, was deleted by the call. */
function leadsNowhere({ tx }: Space, row: string): boolean {
  const { target } = JSON.parse(row) as { target: number | null }
  return target !== null && connectionOf(tx).sql('SELECT n FROM block WHERE n = ?').get(target) === undefined
}
