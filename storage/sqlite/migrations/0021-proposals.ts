/**
 * Links may propose: what they write waits for the approval of a person.
 *
 * A proposal keeps its calls, the IDs that they promised, and its files, until it is decided.
 */
import { rebuildTable } from './rebuild.ts'

export const sql = `${rebuildTable({
  table: 'link',
  autoincrement: true,
  columns: [
    ...['n', 'id', 'name', 'kind', 'access', 'secret_hash', 'is_bearer', 'participant'],
    ...['created_at', 'expires_at', 'revoked_at', 'consent'],
  ],
  definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'selected', 'daily')),
  access TEXT NOT NULL CHECK (access IN ('full', 'no-delete', 'propose', 'read')),
  -- SHA-256 of the secret, in hex: the secret itself is shown once and kept nowhere.
  secret_hash TEXT NOT NULL UNIQUE CHECK (length(secret_hash) = 64),
  -- 1 where the address has the ID and the secret comes in a header.
  is_bearer INTEGER NOT NULL CHECK (is_bearer IN (0, 1)),
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- Of a link that a consent made: the grant, as the issuer names it.
  consent TEXT
`,
  indexes: 'CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;',
})}
-- The name of the person who approved a call; absent of calls that nobody had to approve.
ALTER TABLE write_log ADD COLUMN approved_by TEXT;

CREATE TABLE proposal (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE,
  -- The ID of the link; absent of a process over standard input and output.
  link TEXT,
  -- What the link reached: JSON.
  reach TEXT NOT NULL CHECK (json_valid(reach)),
  author TEXT NOT NULL,
  client TEXT,
  created_at INTEGER NOT NULL,
  -- The calls, and the numbers that they drew as IDs: JSON arrays.
  tool TEXT NOT NULL,
  steps TEXT NOT NULL CHECK (json_valid(steps)),
  ids TEXT NOT NULL CHECK (json_valid(ids)),
  -- The documents that would change, by number, and 1 where more than these would: new documents, and folders.
  documents TEXT NOT NULL CHECK (json_valid(documents)),
  is_space_wide INTEGER NOT NULL CHECK (is_space_wide IN (0, 1)),
  summary TEXT NOT NULL,
  diff TEXT NOT NULL,
  blocks INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'rejected', 'ended')),
  decided_at INTEGER,
  decided_by TEXT,
  -- What the person who rejected it says to the agent.
  note TEXT,
  -- The ID of the call that carried it out.
  call INTEGER
) STRICT;
CREATE INDEX proposal_waiting ON proposal (n) WHERE state = 'waiting';

CREATE TABLE promised_id (
  id INTEGER PRIMARY KEY,
  proposal INTEGER NOT NULL REFERENCES proposal (n) ON DELETE CASCADE
) STRICT;
CREATE INDEX promised_id_proposal ON promised_id (proposal);

CREATE TABLE proposal_file (
  proposal INTEGER NOT NULL REFERENCES proposal (n) ON DELETE CASCADE,
  -- Which of the calls adds it, from 0.
  step INTEGER NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  PRIMARY KEY (proposal, step)
) STRICT, WITHOUT ROWID;
`
