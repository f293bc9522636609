/** Statements that never wait for anything in the database. If one gets no answer, the connection is broken. */
import type { ClientConfig, QueryConfig } from 'pg'

/** Milliseconds within which even a busy database answers such a statement. */
const QUICK_TIMEOUT_MS = 4_000

type TimedQuery = QueryConfig & Pick<ClientConfig, 'query_timeout'>

/**
 * The statement with a timeout. When it expires, the driver fails the statement, and a pooled connection is discarded
 * with it.
 */
export const quickQuery = (query: QueryConfig, timeout = QUICK_TIMEOUT_MS): TimedQuery => ({
  ...query,
  query_timeout: timeout,
})
