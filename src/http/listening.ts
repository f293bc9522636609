/** Starts to listen, and goes on listening. */
import type { Server } from 'node:http'
import type { ListenOptions } from 'node:net'
import { errorForLog, type Log, logToStandardError } from '../base/background.ts'

/**
 * Resolves once the server listens. Later errors, such as too many open files for another connection, are logged;
 * without a listener they would end the process.
 *
 * @throws errors of the system, such as for a port in use
 */
export async function listening<S extends Server>(
  server: S,
  place: ListenOptions,
  log: Log = logToStandardError,
): Promise<S> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place, resolve)
  })
  return server.on('error', (error) => log(`Expected to accept connections, found this: ${errorForLog(error)}`))
}
