/** The parts of a proposal that are decided one by one, as in schema 46 of SQLite. */
import { TEXT } from './define-table.ts'

export const sql = `
ALTER TABLE proposal ADD COLUMN parts ${TEXT};
ALTER TABLE proposal ADD COLUMN part_count bigint NOT NULL DEFAULT 1;
ALTER TABLE proposal ADD COLUMN accepted_count bigint NOT NULL DEFAULT 0;
`
