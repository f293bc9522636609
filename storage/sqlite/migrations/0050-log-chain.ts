/** Entries of the log carry a hash over the one before: see storage/log-chain.ts. Administration says where it came from. */
export const sql = `
ALTER TABLE write_log ADD COLUMN origin TEXT;
ALTER TABLE write_log ADD COLUMN detail TEXT;
ALTER TABLE write_log ADD COLUMN erased TEXT;
ALTER TABLE write_log ADD COLUMN hash TEXT;
ALTER TABLE write_log ADD COLUMN content_hash TEXT;
ALTER TABLE write_log ADD COLUMN content_salt TEXT;
ALTER TABLE write_log ADD COLUMN names_hash TEXT;
ALTER TABLE write_log ADD COLUMN names_salt TEXT;
CREATE INDEX write_log_unnamed ON write_log (n) WHERE content_salt = '';
`
