/** What a reader saved: a file with a line for each page, message or event, which it writes before it goes on. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
} from 'node:fs'
import type { ReadEvent } from './event-requests.ts'

/** What the readers follow: each comment, and the changes of documents, which are joined while they follow one another. */
export const FOLLOWED = {
  comments: { name: 'comment.created' },
  changes: { name: 'document.changed', arguments: { quietSeconds: 3 } },
} as const
export type Followed = keyof typeof FOLLOWED
export const ALL_FOLLOWED = Object.keys(FOLLOWED) as Followed[]

export interface Saved {
  of: Followed
  events: ReadEvent[]
  /** Where to go on, for readers that keep it themselves. */
  cursor?: string
  /** True if the reader was told that events were skipped. */
  truncated?: boolean
}

export class EventJournal {
  readonly #path: string
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  append(saved: Saved): void {
    appendFileSync(this.#path, `${JSON.stringify(saved)}\n`)
  }

  /** Removes the beginning of a line that a killed process could not finish. */
  repair(): void {
    if (!existsSync(this.#path)) return
    const bytes = readFileSync(this.#path)
    truncateSync(this.#path, bytes.lastIndexOf('\n') + 1)
  }

  /** The lines that were finished since the last call. */
  readNew(): Saved[] {
    if (!existsSync(this.#path)) return []
    const bytes = bytesFrom(this.#path, this.#offset)
    const end = bytes.lastIndexOf('\n') + 1
    this.#offset += end
    return bytes
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Saved)))
  }
}

/** The bytes of a file from a place on. A journal becomes long, and is read again and again. */
function bytesFrom(path: string, offset: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - offset))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset))
  } finally {
    closeSync(file)
  }
}
