/**
 * Stores how much of its rate limits a space has used, in a row that all processes share. Unless another process
 * counted in the meantime, a step takes one statement: it sets the new windows if the row still is what this process
 * last saw.
 */
import { inBackground } from '../../src/base/background.ts'
import type { Usage, UsageWindow, UsageWindows } from '../usage.ts'
import type { Database } from './database.ts'

interface UsageRow {
  version: number
  requests_start: number | null
  requests: number
  blocks_start: number | null
  blocks: number
  /** True if this statement set the row; false if it only read it. */
  is_set: boolean
}

const COLUMNS = 'version, requests_start, requests, blocks_start, blocks'
// Does not wait for the disk: if the database's machine stops, only a few seconds of counts are lost.
const SET = `WITH done AS (
    UPDATE space_usage SET version = version + 1, requests_start = $3, requests = $4, blocks_start = $5, blocks = $6
    WHERE space = $1 AND version = $2 AND set_config('synchronous_commit', 'off', true) = 'off' RETURNING ${COLUMNS}
  )
  SELECT ${COLUMNS}, true AS is_set FROM done
  UNION ALL
  SELECT ${COLUMNS}, false FROM space_usage WHERE space = $1 AND NOT EXISTS (SELECT 1 FROM done)`
const GET = `SELECT ${COLUMNS}, false AS is_set FROM space_usage WHERE space = $1`

const NOTE_LINK_USE = `INSERT INTO link_use (space, link, at) VALUES ($1, $2, $3)
  ON CONFLICT (space, link) DO UPDATE SET at = greatest(link_use.at, excluded.at)`
const LINK_USES = 'SELECT link, at FROM link_use WHERE space = $1'

interface Step {
  decide(used: UsageWindows): UsageWindows
  resolve(used: UsageWindows): void
  reject(error: unknown): void
}

export class DatabaseUsage implements Usage {
  readonly #database: Database
  readonly #space: number
  /** The row as it was last seen. */
  #known: UsageRow | undefined
  #queue: Step[] = []
  #isStepping = false

  constructor(database: Database, space: number) {
    this.#database = database
    this.#space = space
  }

  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ decide, resolve, reject })
      if (!this.#isStepping) inBackground('count requests', () => this.#stepAll())
    })
  }

  noteLinkUse(link: string, at: number): void {
    const values = [this.#space, link, at]
    this.#database
      .withClient((client) => client.query({ name: 'note_link_use', text: NOTE_LINK_USE, values }))
      .catch(() => {
        // The time of the last use is not important enough to fail a call.
      })
  }

  async linkUses(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#database.repeatWithClient((client) =>
      client.query<{ link: string; at: number }>({ name: 'link_uses', text: LINK_USES, values: [this.#space] }),
    )
    return new Map(rows.map(({ link, at }) => [link, at]))
  }

  close(): void {}

  /** Runs all waiting steps. Steps that wait at the same time share one statement. */
  async #stepAll(): Promise<void> {
    this.#isStepping = true
    while (this.#queue.length > 0) {
      const steps = this.#queue.splice(0)
      try {
        for (const resolve of await this.#record(steps)) resolve()
      } catch (error) {
        for (const { reject } of steps) reject(error)
      }
    }
    this.#isStepping = false
  }

  async #record(steps: readonly Step[]): Promise<(() => void)[]> {
    let isFresh = this.#known === undefined
    for (;;) {
      const row = this.#known ?? (await this.#query(GET, [this.#space]))
      const before = toWindows(row)
      let after = before
      const outcomes = steps.map(({ decide, resolve, reject }) => {
        try {
          const used = decide(after)
          after = used
          return () => resolve(used)
        } catch (error) {
          return () => reject(error)
        }
      })
      if (after === before) {
        // Nothing to set. If the steps were decided on a row read earlier, check that the row is still the same.
        if (isFresh) return outcomes
        this.#known = await this.#query(GET, [this.#space])
        isFresh = true
        if (this.#known.version === row.version) return outcomes
        continue
      }
      const now = await this.#query(SET, [this.#space, row.version, ...toColumns(after)])
      this.#known = now
      if (now.is_set) return outcomes
      // Another process counted in the meantime. This statement may have read the row from before that, but the next
      // one sees the current row.
      isFresh = false
    }
  }

  async #query(text: string, values: readonly unknown[]): Promise<UsageRow> {
    // A step that took effect although its connection was lost finds another version, and is decided again.
    const { rows } = await this.#database.repeatWithClient((client) =>
      client.query<UsageRow>({ name: text === SET ? 'set_usage' : 'get_usage', text, values: [...values] }),
    )
    const [row] = rows
    if (row === undefined) throw new Error('Expected the usage of a space, found none.')
    return row
  }
}

const toWindows = ({ requests_start, requests, blocks_start, blocks }: UsageRow): UsageWindows => ({
  requests: toWindow(requests_start, requests),
  blocks: toWindow(blocks_start, blocks),
})

const toWindow = (start: number | null, used: number): UsageWindow | undefined =>
  start === null ? undefined : { start, used }

const toColumns = ({ requests, blocks }: UsageWindows): unknown[] => [
  requests?.start ?? null,
  requests?.used ?? 0,
  blocks?.start ?? null,
  blocks?.used ?? 0,
]
