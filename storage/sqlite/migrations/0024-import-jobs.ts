/**
 * Imports over HTTP: how far each of the last ones is, and how it ended. Any process that serves the space can report
 * them, and an import whose process was killed is known to have stopped.
 */
export const sql = `
CREATE TABLE import_job (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- The name under which the zip was sent.
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'stopped')),
  -- Documents that were written, all of them, and the milliseconds that this took.
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  elapsed INTEGER NOT NULL,
  -- While it runs: until when its process need not say again that it does.
  alive_until INTEGER NOT NULL,
  -- The report or the error, as JSON.
  outcome TEXT
) STRICT;
`
