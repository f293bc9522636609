/** How many bytes a row counts, and which link wrote it. */
import type { LoggedTable } from '../../history-tables.ts'
import { documentSize, restOf } from '../../logged-rows.ts'
import { NO_LINK } from '../../row-sizes.ts'

/** The link of the range that a row is in. @param space  the number of the space, as SQL, like the others */
export const rangeWriter = (space: string, table: string, row: string): string =>
  `(SELECT writer FROM written_range AS numbers WHERE numbers.space = ${space} AND numbers.tbl = ${table}
        AND numbers.first <= ${row} ORDER BY numbers.first DESC LIMIT 1)`

/** The size of a row before it changes and the link that wrote it, which may be gone: two values, as SQL. */
export function sizeAndWriter(table: LoggedTable): string {
  const { name, key, numbers } = table
  const written = `(SELECT writer FROM written_row AS other WHERE other.space = OLD.space AND other.tbl = '${name}'
        AND other.row = OLD.${key} AND other.rest = ${restOf(table, 'OLD') ?? "''"})`
  const writer = `coalesce(${written}, ${rangeWriter('OLD.space', `'${numbers}'`, `OLD.${key}`)}, ${NO_LINK.n})`
  return `${documentSize(table, 'OLD.')}, ${writer}`
}

/** Counts a link for the first time. @param space  and its ID, as SQL */
export const addLink = (space: string, link: string, from = ''): string =>
  `INSERT INTO byte_count (space, link, documents, history, files)
    SELECT DISTINCT ${space}, ${link}, 0, 0, 0 ${from} WHERE NOT EXISTS (
      SELECT 1 FROM byte_count AS known WHERE known.space = ${space} AND known.link = ${link});`
