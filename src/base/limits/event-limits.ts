/** Changes that clients follow: the feed, webhooks, and events of MCP. */

/** Things in one answer of GET /changes: default and maximum; and IDs in each list of one call. */
export const CHANGES_PER_ANSWER = 50
export const CHANGES_PER_ANSWER_MAX = 200
export const IDS_PER_CHANGE = 100
/** Seconds for which GET /changes waits for something to answer, at most. */
export const CHANGES_WAIT_SECONDS = 25
/** Seconds after which a stream of changes shows that it is still there. */
export const STREAM_KEEP_ALIVE_SECONDS = 15
/** Webhooks of one space, characters of the address of one, and seconds that a receiver may take to answer. */
export const WEBHOOKS_PER_SPACE = 100
export const WEBHOOK_URL_LENGTH = 2_000
export const WEBHOOK_SECONDS = 15
/** Subscriptions of one link and of one space, to events that are sent to an address. */
export const SUBSCRIPTIONS_PER_LINK = 100
export const SUBSCRIPTIONS_PER_SPACE = 1_000
/** Characters of the arguments of one subscription, as JSON. */
export const SUBSCRIPTION_ARGUMENTS_LENGTH = 4_000
/** Seconds for which a subscription lasts: at least, by default, and at most. And for which it is listed once it ended. */
export const SUBSCRIPTION_SECONDS_MIN = 60
export const SUBSCRIPTION_SECONDS = 24 * 60 * 60
export const SUBSCRIPTION_SECONDS_MAX = 30 * 24 * 60 * 60
export const ENDED_SUBSCRIPTION_SECONDS = 7 * 24 * 60 * 60
/** Seconds for which the secret of a subscription signs beside the one that replaced it. */
export const FORMER_SECRET_SECONDS = 60 * 60
/** Addresses that are asked for their consent per link and minute, and bytes of their answer that are read. */
export const CHALLENGES_PER_MINUTE = 10
export const CHALLENGE_ANSWER_BYTES = 4 * 1024
/** Bytes of a message with an event. */
export const EVENT_MESSAGE_BYTES = 256 * 1024
/** Seconds for which a poll for events is held back. Clients give up after 60 by default. */
export const EVENT_POLL_SECONDS = 20
/** Seconds without another change after which a burst of changes is one event, and the most that can be asked for. */
export const QUIET_SECONDS = 30
export const QUIET_SECONDS_MAX = 600
/** Characters of a cursor of events, which holds the bursts that have not ended. */
export const EVENT_CURSOR_LENGTH = 1_024
