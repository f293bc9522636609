/**
 * Setup of `npm run test:postgres`, which runs the suite on PostgreSQL. One server serves all tests, and each of their
 * spaces is a separate space of the same database. Durability is turned off, since the data is not worth keeping.
 */
import { startPostgres } from './postgres-server.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const server = await startPostgres(unsafe)
  process.env.SCRIPTORIUM_TEST_DATABASE = server.address
  return server.stop
}
