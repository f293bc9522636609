import { FLAG, OPTIONAL } from './column-types.ts'
import { TEXT } from './define-table.ts'

/** Webhooks that clients of MCP Events subscribe to, and links that may not: as in schema 34 of SQLite. */
export const sql = `
ALTER TABLE webhook
  ADD COLUMN event_name ${TEXT},
  ADD COLUMN arguments ${TEXT},
  ADD COLUMN cursor ${TEXT},
  ADD COLUMN not_before ${OPTIONAL},
  ADD COLUMN expires_at ${OPTIONAL},
  ADD COLUMN former_secret ${TEXT},
  ADD COLUMN former_until ${OPTIONAL},
  ADD COLUMN client ${TEXT},
  ADD COLUMN connection ${TEXT},
  ADD COLUMN error_kind ${TEXT},
  ADD COLUMN held_at ${OPTIONAL},
  ADD COLUMN ended_at ${OPTIONAL},
  ADD COLUMN ended_reason ${TEXT},
  ADD COLUMN is_notified ${FLAG};
ALTER TABLE link ADD COLUMN no_events ${FLAG};
`
