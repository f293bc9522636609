/**
 * What a person agrees to is every column that a proposal would change, not only what its difference says in words.
 *
 * Proposals that wait since before have no such hash, so they are shown again before they can be approved.
 */
export const sql = `
-- A hash of every column that the proposal would change.
ALTER TABLE proposal ADD COLUMN changes TEXT;
`
