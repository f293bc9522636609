/** Comments whose mentions wait for confirmation, as in schema 45 of SQLite. */
export const sql = `
ALTER TABLE comment ADD COLUMN unconfirmed bigint CHECK (unconfirmed = 1);
`
