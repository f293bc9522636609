/** Where a request comes from, for the log of administration: the address of a client, or a person at a terminal. */
import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()
let ofProcess: string | undefined

/** Runs work for a client at this address. */
export const withOrigin = <T>(address: string, work: () => T): T => current.run(address, work)

/** What a process does without a request comes from there. */
export function setProcessOrigin(origin: string): void {
  ofProcess = origin
}

/** Read it before work waits for its turn: work of others may run it. */
export const currentOrigin = (): string | undefined => current.getStore() ?? ofProcess
