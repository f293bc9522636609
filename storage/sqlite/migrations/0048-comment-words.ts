/** Comments on words: each has a thread of its own in its block, which keeps the words. */
export const sql = `
-- The ID of the first comment of a thread about words; NULL in the thread about the whole block.
ALTER TABLE comment ADD COLUMN thread INTEGER;
-- The words as they were when the thread began.
ALTER TABLE comment ADD COLUMN words TEXT;
`
