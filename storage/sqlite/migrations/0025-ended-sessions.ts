/**
 * Sessions of the pages that ended before they expire, by signing out. Everything else about a session is in its
 * cookie, so without this table a copy of the cookie would go on working.
 */
export const sql = `
CREATE TABLE ended_session (
  -- The ID of a link, or 'operator'.
  link TEXT NOT NULL,
  -- The part of the cookie that differs for each session; '' for all sessions of the link until started_at.
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (link, nonce)
) STRICT, WITHOUT ROWID;
`
