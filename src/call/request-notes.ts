/**
 * What a request turned out to be, for the log of the server: noted where it becomes known, however deep in the call,
 * and read when the request has ended.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorCode } from '../base/errors.ts'

export interface RequestNotes {
  /** The tool that was called. */
  tool?: string
  /** Why the request was refused, or failed. */
  code?: ErrorCode
  /** Present if somebody gave a name and a password that do not go together, or too many of them. */
  signIn?: 'refused'
}

const current = new AsyncLocalStorage<RequestNotes>()

/** Runs work that may add to `notes`. */
export const withRequestNotes = <T>(notes: RequestNotes, work: () => T): T => current.run(notes, work)

/** Adds to the notes of the current request, if there is one. */
export function noteInRequest(notes: RequestNotes): void {
  Object.assign(current.getStore() ?? {}, notes)
}
