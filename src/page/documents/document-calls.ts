/** The latest calls in a document: the authors of its blocks, and the times of calls. */

import { PAGE_CLIENT } from '../../space/model/space.ts'
import { callerName } from '../calls/call-text.ts'
import type { PageCall } from '../page-call.ts'
import type { HistoryItem } from '../page-tools.ts'

/** Maximum number of calls to read. */
const CALLS_READ = 200

/** An author: a program, or a person on these pages. */
export interface Writer {
  name: string
  isProgram: boolean
}

export class DocumentCalls {
  /** Newest first. */
  readonly items: readonly HistoryItem[]
  readonly #writers = new Map<string, Writer>()

  constructor(items: readonly HistoryItem[]) {
    this.items = items
    for (const [at, calls] of Map.groupBy(items, (item) => item.at)) {
      const [first] = calls
      const isOne = new Set(calls.map(callerName)).size === 1
      if (first !== undefined && isOne) this.#writers.set(at, writerOf(first))
    }
  }

  /**
   * Finds the program that wrote something at a given time, since blocks only name the person.
   *
   * @returns undefined if different programs wrote in the same millisecond, and for older changes
   */
  writerAt(time: string): Writer | undefined {
    return this.#writers.get(time)
  }

  /** The last change, preferably one by a program. */
  get last(): HistoryItem | undefined {
    return this.items[0]
  }

  /** The time of a call. @param moment  the ID of a call, or a time */
  timeOf(moment: string): string | undefined {
    if (/^\d{4}-/.test(moment)) return moment
    return this.items.find(({ callId }) => callId === moment)?.at
  }
}

const writerOf = (item: HistoryItem): Writer => ({
  name: callerName(item),
  isProgram: item.client !== undefined && item.client !== PAGE_CLIENT,
})

/** Returns no calls for anything that is not a document, such as the inbox. */
export async function readDocumentCalls(call: PageCall, documentId: string): Promise<DocumentCalls> {
  const history = await call.find('history_list', { documentId, limit: CALLS_READ })
  return new DocumentCalls(history?.items ?? [])
}
