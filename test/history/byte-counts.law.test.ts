/**
 * The laws of counted bytes, over random calls of several links: the stored counts are always what all rows of the
 * space add up to, and what a link is charged for is what it wrote last.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { forgetHistory } from '../../src/space/forget-history.ts'
import { addAuditEntry } from '../../src/space/model/audit-log.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import type { Quotas } from '../../src/space/model/quota.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { emptyTrash } from '../../src/space/trash.ts'
import { byteCountsByLink, sumOfBytes, wrongByteCounts } from '../../storage/byte-counts.ts'
import { lastCall } from '../../storage/history.ts'
import { forgetLargestHistory } from '../../storage/history-retention.ts'
import { historyTable, TABLE_NAMES, type TableName } from '../../storage/history-tables.ts'
import { DOCUMENT_SIZES } from '../../storage/row-sizes.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { nextCall } from '../prove/calls/calls.ts'
import { Chooser } from '../prove/calls/chooser.ts'
import { Learned } from '../prove/calls/learned.ts'
import { rowsOf } from '../sqlite.ts'
import { runs, timeOfRuns } from '../support/runs.ts'

const catalog = toolCatalogFor(endpoints, 'full')
const DAY = 24 * 3600 * 1000
const CALLS = 40

/** A row of a document: how many bytes it counts, and its texts, whose change makes another link its writer. */
interface Written {
  size: number
  texts: string
}

/** All rows of documents, by table and key. */
async function rowsOfDocuments(tx: Transaction): Promise<Map<string, Written>> {
  const found = new Map<string, Written>()
  for (const table of TABLE_NAMES) {
    const { row: fixed, texts } = DOCUMENT_SIZES[table as TableName]
    const { key } = historyTable(table)
    for (const row of await rowsOf<Record<string, string | number | null>>(tx, `SELECT * FROM ${table}`)) {
      const values = texts.map((text) => row[text] ?? '')
      const size = values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), fixed)
      const changing = texts.length === 0 ? [] : updatedTogether(table, texts).map((column) => row[column])
      found.set(JSON.stringify([table, ...key.map((column) => row[column])]), { size, texts: JSON.stringify(changing) })
    }
  }
  return found
}

/** The columns that are logged together with the texts of a table. */
function updatedTogether(table: TableName, texts: readonly string[]): readonly string[] {
  const sets: Partial<Record<TableName, readonly string[]>> = {
    block: ['type', 'text', 'indentation', 'list_style', 'attributes'],
    folder: ['parent', 'name'],
    collection: ['title_name', 'active_view'],
    property: [...historyTable('property').columns],
    option: [...historyTable('option').columns],
    value: [...historyTable('value').columns],
    view: ['position', 'name', 'type', 'settings'],
    comment: ['content', 'modified_at', 'resolved_at', 'resolved_by'],
  }
  return sets[table] ?? texts
}

/** The rows that later calls inserted in place of others with the same key, which may have been equal. */
async function replacedRows(tx: Transaction, after: number): Promise<Set<string>> {
  const rows = await rowsOf<{ tbl: string; row: number; rest: string | null }>(
    tx,
    "SELECT tbl, row, rest FROM change WHERE kind = 'insert' AND last IS NULL AND call > ?",
    after,
  )
  const rest = (text: string | null) => (text === null ? [] : text.split('/').map(Number))
  return new Set(rows.map((one) => JSON.stringify([one.tbl, one.row, ...rest(one.rest)])))
}

/** Who wrote each row last, found by comparing all rows before and after each call. */
class Writers {
  #rows = new Map<string, Written>()
  readonly #writers = new Map<string, string>()
  #last = 0

  async follow(tx: Transaction, caller: string): Promise<void> {
    const rows = await rowsOfDocuments(tx)
    const replaced = await replacedRows(tx, this.#last)
    this.#last = await lastCall(tx)
    for (const [key, { texts }] of rows) {
      const before = this.#rows.get(key)
      const isWritten = before === undefined || (before.texts !== texts && texts !== '[]') || replaced.has(key)
      if (isWritten) this.#writers.set(key, caller)
    }
    this.#rows = rows
  }

  /** The bytes of documents that each link wrote. */
  counts(): Record<string, number> {
    const sums: Record<string, number> = {}
    for (const [key, { size }] of this.#rows) {
      const writer = this.#writers.get(key) ?? ''
      sums[writer] = (sums[writer] ?? 0) + size
    }
    return sums
  }
}

/** Three links that write, one that proposes, and the person who runs the program. */
class Played {
  readonly links: AccessLink[] = []
  readonly writers = new Writers()
  readonly #chooser: Chooser
  readonly #learned = new Learned()
  readonly #built: Awaited<ReturnType<typeof buildSpace>>
  #keys = 0

  private constructor(built: Awaited<ReturnType<typeof buildSpace>>, seed: number) {
    this.#built = built
    this.#chooser = new Chooser(seed)
  }

  static async start(seed: number, quotas: Quotas = {}): Promise<Played> {
    const played = new Played(await buildSpace(undefined, { quotas }), seed)
    for (const [index, access] of (['full', 'full', 'no-delete', 'propose'] as const).entries()) {
      const link = await played.#built.space.createAccessLink('full', [], `Author ${index}`, access)
      played.links.push({ ...link, id: `link-${index}` })
    }
    return played
  }

  /** Does something random. */
  async step(): Promise<void> {
    const { space, clock } = this.#built
    clock.now += this.#chooser.number(DAY)
    const link = this.#chooser.one(this.links)
    switch (this.#chooser.number(14)) {
      case 0:
        return this.#undo(link)
      case 1:
        return this.#decide()
      case 2:
        return this.#asOperator((record) => emptyTrash(space, clock.now + 1, record))
      case 3: {
        const document = this.#chooser.any(this.#learned.pools.documents)
        const forgotten = document === undefined ? { before: clock.now - DAY } : { documentId: new GivenId(document) }
        return this.#asOperator((record) => forgetHistory(space, forgotten, record))
      }
      case 4:
        await space.write(OPERATOR_LINK, ({ tx }) => forgetLargestHistory(tx, 2_000, 3))
        return space.deleteUnusedFiles()
      default:
        return this.#call(link)
    }
  }

  async assertCounted(): Promise<void> {
    await this.#built.space.read(OPERATOR_LINK, async ({ tx }) => {
      expect(await wrongByteCounts(tx)).toEqual([])
      const { links } = await byteCountsByLink(tx)
      const expected = this.writers.counts()
      for (const [link, { documents }] of links) expect([link, documents]).toEqual([link, expected[link] ?? 0])
    })
  }

  /**
   * Makes a random call.
   *
   * @returns its tool, and by how many bytes the space grew
   */
  async call(): Promise<{ tool: string; grown: number }> {
    const { tool, args } = nextCall(this.#chooser, this.#learned.pools)
    const before = await this.#bytes()
    await this.#run(
      this.#chooser.one(this.links),
      tool,
      args,
      this.#chooser.once(3) ? `key ${this.#keys++}` : undefined,
    )
    return { tool, grown: (await this.#bytes()) - before }
  }

  #bytes(): Promise<number> {
    return this.#built.space.read(OPERATOR_LINK, async ({ tx }) => sumOfBytes((await byteCountsByLink(tx)).space))
  }

  async #call(link: AccessLink): Promise<void> {
    const { tool, args } = nextCall(this.#chooser, this.#learned.pools)
    const idempotencyKey = this.#chooser.once(3) ? `key ${this.#keys++}` : undefined
    const answer = await this.#run(link, tool, args, idempotencyKey)
    if (answer !== undefined && link.access !== 'propose') this.#learned.learn({ tool, args }, answer)
  }

  async #undo(link: AccessLink): Promise<void> {
    const { items } = await this.#run(link, 'history_list', { limit: 20, format: 'json' })
    const calls = this.#chooser.some(items as Answer[], 2).map(({ callId }) => callId)
    if (calls.length > 0) await this.#run(link, 'history_undo', { calls, skipConflicts: this.#chooser.once(2) })
  }

  async #decide(): Promise<void> {
    const [person] = this.links
    if (person === undefined) return
    const { items } = await this.#run(person, 'proposals_list', { state: 'waiting', format: 'json' })
    const [last] = (items as Answer[]).toReversed()
    if (last === undefined) return
    const { proposalId } = last
    if (this.#chooser.once(2)) return void (await this.#run(person, 'proposals_reject', { proposalId }))
    const { items: read } = await this.#run(person, 'proposals_list', { proposalId, format: 'json' })
    const { fingerprint } = (read as Answer[])[0] ?? {}
    // What is approved counts for the link that proposed it.
    await this.#run(person, 'proposals_approve', { proposalId, fingerprint }, undefined, this.links[3]?.id)
  }

  async #asOperator(work: (record: (view: Space, ids: readonly string[]) => Promise<unknown>) => Promise<unknown>) {
    await work((view, ids) => addAuditEntry(view, 'trash_empty', ids)).catch(ignoreRefusal)
    await this.#built.space.read(OPERATOR_LINK, ({ tx }) => this.writers.follow(tx, ''))
  }

  /** Returns undefined if the call is refused. */
  async #run(link: AccessLink, tool: string, args: object, idempotencyKey?: string, writer = link.id): Promise<Answer> {
    const { space } = this.#built
    const endpoint = catalog.find(tool)
    if (endpoint === undefined) throw new Error(`Expected an endpoint, found ${tool}.`)
    const options = idempotencyKey === undefined ? {} : { idempotencyKey }
    const answer = await runCall(endpoint, args, { space, link }, options).catch(ignoreRefusal)
    await space.read(OPERATOR_LINK, ({ tx }) => this.writers.follow(tx, writer ?? ''))
    if (answer === undefined) return undefined
    return 'object' in answer ? answer.object : JSON.parse(answer.text.body)
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ScriptoriumError)) throw error
}

// One run makes too few calls to be sure that one of them deletes something.
const RUNS = runs(3, 60)

test('the counts are what the rows add up to, and each row counts for who wrote it last', {
  timeout: timeOfRuns(RUNS),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const played = await Played.start(seed)
      for (let count = 0; count < CALLS; count++) {
        await played.step()
        await played.assertCounted()
      }
    }),
    { numRuns: RUNS },
  )
})

test('in a full space, only calls that delete write anything', { timeout: timeOfRuns(RUNS) }, async () => {
  const written = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const quotas: Quotas = {}
      const played = await Played.start(seed, quotas)
      for (let count = 0; count < CALLS; count++) await played.step()
      quotas.space = 1
      for (let count = 0; count < CALLS; count++) {
        const { tool, grown } = await played.call()
        if (grown > 0) written.add(tool)
      }
    }),
    { numRuns: RUNS },
  )
  expect([...written].filter((tool) => catalog.find(tool)?.endpoint.effect !== 'delete')).toEqual([])
  expect(written.size).toBeGreaterThan(0)
})
