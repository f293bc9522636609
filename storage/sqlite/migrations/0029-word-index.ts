/**
 * The index of words, part of schema 29. A row is a block: its rowid has the number of the document in the high bits
 * and that of the block in the low 31, so that hits come document by document, and those of one document are a range.
 *
 * Without content of its own (contentless_delete): the blocks have that. Words come folded and split, so SQLite only
 * stems them; marks are letters to it, since a word of Hindi or Thai has some.
 */
export const wordIndex = `
CREATE VIRTUAL TABLE search USING fts5 (
  text, title,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
INSERT INTO search (search, rank) VALUES ('automerge', 8);
`
