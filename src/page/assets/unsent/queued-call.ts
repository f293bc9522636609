/** What waits in the queue of a page: see calls.ts. */
import type { DBSchema } from 'idb'

export interface ToolCall {
  tool: string
  arguments: Record<string, unknown>
  /** Calls with the same document, or without one, are sent in order. */
  document?: string
  /** Makes the call a suggestion, in place of earlier ones. */
  suggest?: { replaces: readonly string[]; version: string; seen: readonly string[] }
  /** The bytes of a file, for `files_add`. */
  file?: Blob
  /** Placeholders for IDs in later calls, each with the path of the ID in the response, such as `items.0.id`. */
  names?: Readonly<Record<string, string>>
  /** The tab in which its text was typed. */
  tab?: string
  /** True to keep the call for `Calls.refused` if it is refused, since it contains text of a person. */
  isKept?: true
  /** Its idempotency key, if it may have been sent already. */
  key?: string
  /** A form that is sent instead of a call of a tool. */
  form?: SentForm
}

/** A form as a browser sends it. */
export interface SentForm {
  /** The address, below the base address of the space's pages. */
  action: string
  /** Its fields in their order, without the form token. */
  fields: readonly (readonly [name: string, value: string])[]
  /** What the person typed. */
  text: string
  /** When it was filled in, by the clock of the browser. */
  at: number
}

export interface QueuedCall extends ToolCall {
  /** Its position in the order of calls. */
  order: number
  document: string
  /** Its idempotency key. */
  key: string
  /** True once it was sent, after which it must not change. */
  isSent?: true
}

export interface RefusedCall extends QueuedCall {
  error: { message: string; code: string }
}

export interface Tables extends DBSchema {
  calls: { key: number; value: QueuedCall; indexes: { document: string } }
  refused: { key: number; value: RefusedCall; indexes: { document: string } }
  names: { key: string; value: { name: string; id: string } }
}
