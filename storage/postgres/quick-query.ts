/** Statements that wait for nothing in the database: one without an answer shows a connection that leads nowhere. */
import type { ClientConfig, QueryConfig } from 'pg'

/** Milliseconds within which such a statement is answered, also by a database that has much to do. */
const QUICK_TIMEOUT_MS = 10_000

type TimedQuery = QueryConfig & Pick<ClientConfig, 'query_timeout'>

/** The statement with its time. After it, the driver fails the statement, and a pooled connection with it. */
export const quickQuery = (query: QueryConfig, timeout = QUICK_TIMEOUT_MS): TimedQuery => ({
  ...query,
  query_timeout: timeout,
})
