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

export interface SignalOptions {
  /** Called on SIGHUP, which then does not end the process. */
  reload?(): void
  /** Receives the reason of the end, and a line once everything is closed. */
  note?(sentence: string): void
}

/** Shuts down on signals and similar events: running operations are finished, then files are closed. */
export function closeOnSignals(close: () => Promise<void>, { reload, note }: SignalOptions = {}): () => void {
  let isClosing = false
  const end = (reason?: string) => {
    if (isClosing) return
    isClosing = true
    note?.(`Ending${reason === undefined ? '' : ` because of ${reason}`}; running calls may finish.`)
    close().then(
      () => {
        note?.('Ended.')
        process.exit(0)
      },
      (error: unknown) => {
        log(`Expected to close everything before the end, found this: ${errorForLog(error)}`, 'error')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(signal))
  if (reload === undefined) process.once('SIGHUP', () => end('SIGHUP'))
  else process.on('SIGHUP', reload)
  return () => end()
}
