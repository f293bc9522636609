/** Webhooks that clients of MCP Events subscribe to, beside those of the operator; and links that may not subscribe. */
export const sql = `
-- Present for a subscription: the event, and the arguments that narrow it, as JSON.
ALTER TABLE webhook ADD COLUMN event_name TEXT;
ALTER TABLE webhook ADD COLUMN arguments TEXT CHECK (arguments IS NULL OR json_valid(arguments));
-- After which events are sent, and from which time on.
ALTER TABLE webhook ADD COLUMN cursor TEXT;
ALTER TABLE webhook ADD COLUMN not_before INTEGER;
-- When it ends unless its client refreshes it.
ALTER TABLE webhook ADD COLUMN expires_at INTEGER;
-- The secret before the last change, which signs as well for a while.
ALTER TABLE webhook ADD COLUMN former_secret TEXT;
ALTER TABLE webhook ADD COLUMN former_until INTEGER;
-- Who subscribed: the client's own name, and its connection.
ALTER TABLE webhook ADD COLUMN client TEXT;
ALTER TABLE webhook ADD COLUMN connection TEXT;
-- What kind of failure the last one was, as clients see it.
ALTER TABLE webhook ADD COLUMN error_kind TEXT;
-- When a person paused it.
ALTER TABLE webhook ADD COLUMN held_at INTEGER;
-- When and why it ended, and whether its receiver was notified, or need not be.
ALTER TABLE webhook ADD COLUMN ended_at INTEGER;
ALTER TABLE webhook ADD COLUMN ended_reason TEXT;
ALTER TABLE webhook ADD COLUMN is_notified INTEGER NOT NULL DEFAULT 0;
-- 1 for a link that may not subscribe.
ALTER TABLE link ADD COLUMN no_events INTEGER NOT NULL DEFAULT 0;
`
