import { TEXT } from './define-table.ts'

/** What imported files contained, so that a source is recognized under another path, and files under other names. */
export const sql = `
ALTER TABLE imported ADD COLUMN content ${TEXT}, ADD COLUMN sketch ${TEXT}, ADD COLUMN former ${TEXT};
CREATE INDEX imported_content ON imported (space, content) WHERE content IS NOT NULL;
`
