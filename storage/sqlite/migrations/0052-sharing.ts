/** Who made a link, what a participant may do, and the language of dates on the pages. */
export const sql = `
-- The participant who made it on the pages. NULL if it was the person who runs the program, or a sign-in.
ALTER TABLE link ADD COLUMN made_by INTEGER REFERENCES participant (n);
-- No link of theirs, and none that they made, allows more.
ALTER TABLE participant ADD COLUMN access TEXT NOT NULL DEFAULT 'full'
  CHECK (access IN ('full', 'no-delete', 'propose', 'comment', 'read'));
-- Absent, the language of the reader decides.
ALTER TABLE space ADD COLUMN date_language TEXT;
`
