/** What holds for every process that serves: it survives faults of single requests, and closes its spaces at its end. */
import { errorForLog, type Log } from '../base/background.ts'
import { log } from './printing.ts'

/**
 * Keeps the process serving after an unhandled rejection, which would otherwise end it for all its spaces and clients.
 * The fault is logged.
 *
 * Errors that are thrown outside of any promise still end the process: its state is unknown then. So a handler of an
 * event must not throw.
 */
export function keepServing(report: Log): void {
  process.on('unhandledRejection', (reason) =>
    report(`Expected each failure to be handled, found ${errorForLog(reason)}`),
  )
  // The log may be on a full disk. Serving goes on without it.
  process.stderr.on('error', () => {})
}

/** Shuts down on signals and similar events: running operations are finished, then files are closed. */
export function closeOnSignals(close: () => Promise<void>): () => void {
  let isClosing = false
  const end = () => {
    if (isClosing) return
    isClosing = true
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(`Expected to close everything before the end, found this: ${errorForLog(error)}`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  return end
}
