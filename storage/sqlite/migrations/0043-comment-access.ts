/** A link may have access `comment`. */
import { rebuildTable } from './rebuild.ts'

export const sql = rebuildTable({
  table: 'link',
  autoincrement: true,
  columns: [
    ...['n', 'id', 'name', 'kind', 'access', 'secret_hash', 'is_bearer', 'participant', 'created_at', 'expires_at'],
    ...['revoked_at', 'consent', 'reach_changes', 'no_events', 'paused_at'],
  ],
  definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'selected', 'daily')),
  access TEXT NOT NULL CHECK (access IN ('full', 'no-delete', 'propose', 'comment', 'read')),
  -- SHA-256 of the secret, in hex: the secret itself is shown once and kept nowhere.
  secret_hash TEXT NOT NULL UNIQUE CHECK (length(secret_hash) = 64),
  -- 1 where the address has the ID and the secret comes in a header.
  is_bearer INTEGER NOT NULL CHECK (is_bearer IN (0, 1)),
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- Of a link that a consent made: the grant, as the issuer names it.
  consent TEXT,
  reach_changes INTEGER NOT NULL DEFAULT 0,
  no_events INTEGER NOT NULL DEFAULT 0,
  paused_at INTEGER
`,
  indexes: `CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;
`,
})
