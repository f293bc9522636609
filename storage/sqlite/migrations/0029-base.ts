/** The tables of a space, to which later migrations add. Older files are not opened: see `BASE` in migrations.ts. */
import { documentTables } from './0029-document-tables.ts'
import { spaceTables } from './0029-space-tables.ts'
import { wordIndex } from './0029-word-index.ts'

export const sql = `${documentTables}${spaceTables}${wordIndex}`
