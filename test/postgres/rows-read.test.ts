/**
 * Large calls read each row a few times, and not each row for each other one: in tables without statistics, and in
 * those that the database believes to be small, since its statistics are from before the call.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { nestedPages } from '../../src/space/documents/nested-pages.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openDatabaseSpace } from '../../src/space/open-space.ts'
import { settingsOf } from '../../storage/postgres/open-storage.ts'
import { callerOf, type Workbench } from '../bench/workbench.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  // Statistics are gathered only by the test.
  server = await startPostgres({ fsync: 'off', autovacuum: 'off' })
})
afterAll(() => server.stop())

/** A node of an executed plan. Counts are means over all loops. */
interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0)

interface Sent {
  text: string
  values: unknown[]
}

/** Repeats the reads of a call. @returns the rows of all steps of each statement */
async function rowsRead(space: string, sent: readonly Sent[]): Promise<{ text: string; rows: number }[]> {
  const client = new pg.Client(server.address)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  const { rows: tenants } = await client.query('SELECT space FROM tenant WHERE name = $1', [space])
  await client.query(settingsOf(0), [tenants[0]?.space])
  const read: { text: string; rows: number }[] = []
  for (const { text, values } of sent) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    read.push({ text, rows: rowsOf(rows[0]?.['QUERY PLAN'][0].Plan) })
  }
  return read.toSorted((one, other) => other.rows - one.rows)
}

const BLOCKS = 600
/** Each row passes through several steps of several statements. */
const MOST = 60 * BLOCKS

/** A fresh space, and its caller. */
async function open(name: string): Promise<Workbench['call']> {
  const space = await openDatabaseSpace(`${server.address}#${name}`)
  onTestFinished(() => space.close())
  return callerOf(space, await space.createAccessLink('full', []))
}

describe.each([
  ['without statistics', async () => {}],
  [
    'with statistics of many small documents',
    async () => {
      const call = await open(randomUUID())
      const documents = Array.from({ length: 100 }, (_, at) => ({ title: `Document ${at}`, markdown: 'one\n\ntwo' }))
      await call('documents_add', { documents })
      await server.query('ANALYZE')
    },
  ],
])('%s', (_, prepare) => {
  test.each([
    ['blocks_get', (id: string) => ({ id, maxBlocks: 10_000, fetchMetadata: true })],
    ['documents_search', () => ({ include: 'line' })],
  ] as const)('%s', async (tool, args) => {
    await prepare()
    const name = randomUUID()
    const call = await open(name)
    const add = async (markdown: string, pageId: string) =>
      (await call<{ items: { id: string }[] }>('blocks_add', { markdown, position: { position: 'end', pageId } })).items
    const { items } = await call<{ items: { id: string }[] }>('documents_add', { documents: [{ title: 'Document' }] })
    const document = items[0]?.id ?? ''
    const [page] = await add('<page>\n<pageTitle>Page</pageTitle>\n<content>\none\n</content>\n</page>', document)
    const lines = await add(
      text((at) => `line ${at}`),
      page?.id ?? '',
    )
    await add(
      text((at) => `a line to [it](block://${lines[at]?.id})`),
      document,
    )

    await expectFewRows(name, () => call(tool, args(page?.id ?? '')))
  })
})

test('events of many calls', async () => {
  const name = randomUUID()
  const call = await open(name)
  const { items } = await call<{ items: { id: string }[] }>('documents_add', { documents: [{ title: 'Document' }] })
  const comments = Array.from({ length: 50 }, () => ({ blockId: items[0]?.id, content: 'a comment' }))
  for (let calls = 0; calls < 40; calls++) await call('comments_add', { comments })
  // Of a table that it believes to be small, the database reads all rows of the space.
  await server.query('ANALYZE')

  const asked = { name: 'comment.created', cursor: 'start', limit: 200 }
  const answer = await expectFewRows(name, () => call<{ items: object[] }>('events_list', asked))
  expect(answer.items).toHaveLength(200)
})

test('pages within many documents', async () => {
  const name = randomUUID()
  const space = await openDatabaseSpace(`${server.address}#${name}`)
  onTestFinished(() => space.close())
  const link = await space.createAccessLink('full', [])
  const page = '<page>\n<pageTitle>Page</pageTitle>\n<content>\none\n</content>\n</page>'
  const documents = Array.from({ length: 100 }, () => ({ title: 'Document', markdown: `${page}\n\ntwo\n\nthree` }))
  const added = await callerOf(space, link)<{ items: { id: string }[] }>('documents_add', { documents })
  const ids = added.items.map(({ id }) => id)
  await server.query('ANALYZE')
  const pages = await expectFewRows(name, () =>
    space.read(OPERATOR_LINK, (view) =>
      nestedPages(view, { documents: ids, folds: new Map(ids.slice(0, 30).map((id) => [id, true])) }),
    ),
  )
  expect([...pages.values()].filter(({ isOpen }) => isOpen)).toHaveLength(30)
})

/** Expects that a call reads each row a few times. */
async function expectFewRows<Answer>(space: string, call: () => Promise<Answer>): Promise<Answer> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const answer = await call()
  const sent = query.mock.calls.map(([one]) => one as unknown as Partial<Sent>)
  query.mockRestore()
  const reads = sent.filter((one): one is Sent => /^\s*(WITH|SELECT (?!set_config|pg_notify))/.test(one.text ?? ''))
  expect(reads.length).toBeGreaterThan(1)
  const read = await rowsRead(space, reads)
  const [most] = read
  expect(
    read.reduce((sum, { rows }) => sum + rows, 0),
    `${most?.rows} rows in ${most?.text}`,
  ).toBeLessThan(MOST)
  return answer
}

const text = (line: (at: number) => string) => Array.from({ length: BLOCKS }, (_, at) => line(at)).join('\n\n')
