/** What imported files contained, so that a source is recognized under another path, and files under other names. */
export const sql = `
ALTER TABLE imported ADD COLUMN content TEXT;
ALTER TABLE imported ADD COLUMN sketch TEXT;
-- The paths that a renamed file had before, as JSON.
ALTER TABLE imported ADD COLUMN former TEXT CHECK (former IS NULL OR json_valid(former));
CREATE INDEX imported_content ON imported (content) WHERE content IS NOT NULL;
`
