/**
 * `npm run test:postgres`: the suite on PostgreSQL. One server for all tests, each of whose spaces is one of its own in
 * the same database. What they write is not worth being kept.
 */
import { startPostgres } from './postgres-server.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const server = await startPostgres(unsafe)
  process.env.SCRIPTORIUM_TEST_DATABASE = server.address
  return server.stop
}
