/** Those who sign in here: their passwords, and the links that stand for what they consented to. */
export const sql = `
CREATE TABLE password (
  participant INTEGER PRIMARY KEY REFERENCES participant (n),
  -- How it was hashed, with its salt: the password itself is kept nowhere.
  hash TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Of a link that a consent made: the grant, as the issuer names it.
ALTER TABLE link ADD COLUMN consent TEXT;
CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;
`
