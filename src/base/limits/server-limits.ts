/** A server: connections, requests, sessions and streams. */
import { CALL_BYTES } from './call-limits.ts'

/** Connections of one process to a database of PostgreSQL, for all spaces in it. */
export const DATABASE_CONNECTIONS = 10
/**
 * Bytes of a request body, which leave room for the JSON around a call's arguments and for escapes, and seconds it may
 * take.
 */
export const BODY_BYTES = 2 * CALL_BYTES
export const BODY_SECONDS = 15
/** A long request body gets one second per this many bytes. */
export const MIN_BODY_BYTES_PER_SECOND = 64 * 1024
/** Seconds for which the rest of a body is drained after a response that closes the client connection. */
export const LINGER_SECONDS = 2
/** Bytes of request headers and seconds they may take, and seconds for which an idle client connection stays open. */
export const HEADER_BYTES = 16 * 1024
export const HEADERS_SECONDS = 10
export const KEEP_ALIVE_SECONDS = 30
/** Sessions of one link that their clients ended and that are remembered one by one. One more ends the older half. */
export const ENDED_SESSIONS_PER_LINK = 1_000
/**
 * Sessions (protocol versions of 2025) that a server keeps in memory, in total and per access link, and seconds after
 * which it drops an idle one. The next request brings the session back, until it has lasted a year.
 */
export const MAX_SESSIONS = 1_000
export const SESSIONS_PER_LINK = 100
export const SESSION_IDLE_SECONDS = 30 * 60
export const SESSION_LIFETIME_SECONDS = 365 * 86_400
/** Characters of the ID of a session. */
export const SESSION_ID_LENGTH = 1_500
/** Resource URIs that one session or stream can subscribe to, and concurrent streams per connection or access link. */
export const SUBSCRIPTIONS_PER_STREAM = 200
export const STREAMS_PER_LINK = 100
/** Characters of a resource URI, of a protocol request ID, and of a client's name, title and version. */
export const RESOURCE_URI_LENGTH = 255
export const REQUEST_ID_LENGTH = 255
export const CLIENT_INFO_LENGTH = 200
/** Bytes buffered on a stream for a slow client. Beyond them the stream is closed. */
export const STREAM_BUFFER_BYTES = 256 * 1024
/**
 * Concurrent client connections per server and per address. Loopback addresses and trusted proxies are exempt; through
 * them, one address may have the same number of concurrent requests.
 */
export const MAX_CONNECTIONS = 2_000
export const CONNECTIONS_PER_ADDRESS = 200
/**
 * Seconds in which a client connection beyond the limit must forward a request, if any proxy is trusted and none is
 * named.
 */
export const PROXY_SECONDS = 2
/** Seconds for which a response may wait for its client to read on. */
export const WRITE_STALL_SECONDS = 60
/** Seconds that running calls have to finish during shutdown. */
export const SHUTDOWN_SECONDS = 10
/** Bytes of a host's configuration file that `install` reads. Claude Code keeps a history in its own. */
export const HOST_CONFIG_BYTES = 32 * 1024 * 1024
