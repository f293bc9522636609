/** Comments of authors who may not write: the members whom they name are called once somebody who may confirms it. */
export const sql = `
ALTER TABLE comment ADD COLUMN unconfirmed INTEGER CHECK (unconfirmed = 1);
`
