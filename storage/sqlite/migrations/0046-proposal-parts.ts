/**
 * The parts of a proposal that are decided one by one, as JSON, how many there are, and how many of them were accepted.
 * Proposals of earlier versions have no parts: they are decided as a whole.
 */
export const sql = `
ALTER TABLE proposal ADD COLUMN parts TEXT;
ALTER TABLE proposal ADD COLUMN part_count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE proposal ADD COLUMN accepted_count INTEGER NOT NULL DEFAULT 0;
`
