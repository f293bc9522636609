/** Who signs in elsewhere, and the links that stand for what they signed in with. */
export const sql = `
CREATE TABLE identity (
  n INTEGER PRIMARY KEY,
  -- A subject means somebody at its issuer alone.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX identity_participant ON identity (participant);

CREATE TABLE sign_in (
  identity INTEGER NOT NULL REFERENCES identity (n) ON DELETE CASCADE,
  -- The program that was signed in with, as the issuer names it; '' where it does not.
  client TEXT NOT NULL,
  link INTEGER NOT NULL REFERENCES link (n),
  PRIMARY KEY (identity, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_link ON sign_in (link);
`
