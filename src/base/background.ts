/** Work that is not awaited, and where lines of the log go by default. */
import { ScriptoriumError } from './errors.ts'

/** Receives one entry of the log. */
export type Log = (line: string) => void

/** Writes to standard error. If that fails, such as on a full disk, lines are lost, and nothing else happens. */
export const logToStandardError: Log = (line) => console.error(line)

type Work = () => unknown

/**
 * Runs work without waiting for it, and logs its failure. An unhandled rejection ends a Node process, and with it
 * everything else that the process serves.
 *
 * @param what  the work, as it follows "Expected to": `remove the folder of an export`
 */
export function inBackground(what: string, work: Work, log?: Log): void {
  // It never rejects, so there is nothing to catch.
  tryAndLog(what, work, log).catch(() => {})
}

/** Waits for work, and logs its failure: for cleaning up, which must not hide an earlier error. Never rejects. */
export async function tryAndLog(what: string, work: Work, log: Log = logToStandardError): Promise<void> {
  try {
    await work()
  } catch (error) {
    logFailure(what, error, log)
  }
}

/** Work in the background whose end can be awaited, for example before files are closed. */
export class BackgroundWork {
  readonly #running = new Set<Promise<void>>()

  /** Like {@link inBackground}. */
  start(what: string, work: Work, log?: Log): void {
    const running = tryAndLog(what, work, log).then(() => {
      this.#running.delete(running)
    })
    this.#running.add(running)
  }

  /** Resolves when none of the work is running. Never rejects. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

/** An error as the log shows it: with its stack, unless it is one of our own sentences. */
export function errorForLog(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof ScriptoriumError)) return error.stack ?? error.message
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

function logFailure(what: string, error: unknown, log: Log): void {
  const line = `Expected to ${what}, found this: ${errorForLog(error)}`
  try {
    log(line)
  } catch {
    logToStandardError(line)
  }
}
