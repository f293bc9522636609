/** A hash of every column that a proposal would change, as in schema 26 of SQLite. */
import { TEXT } from './define-table.ts'

export const sql = `ALTER TABLE proposal ADD COLUMN changes ${TEXT};`
