/**
 * PostgreSQL accepts every statement, too: each is composed for that engine and prepared there, on the tables that the
 * migrations create. Parts with a separate module for each engine are left out, such as the index of words.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CompiledStatement, Statement } from '../../../storage/statement.ts'

type Statements = typeof import('../../../storage/statement.ts')

const made = vi.hoisted(() => ({ statements: [] as unknown[] }))
vi.mock('../../../storage/statement.ts', async (importOriginal) => {
  const original = await importOriginal<Statements>()
  const noted = <T>(statement: T): T => {
    made.statements.push(statement)
    return statement
  }
  return {
    ...original,
    statement: (compose: Parameters<Statements['statement']>[0]) => noted(original.statement(compose)),
    insertInto: (...args: Parameters<Statements['insertInto']>) => noted(original.insertInto(...args)),
  }
})

const { openSpace } = await import('../../../src/space/open-space.ts')
const { ask } = await import('../../prove/test-client/test-client.ts')
const { call, endpointNamed, requestFor } = await import('../../prove/test-client/test-client.ts')
const { askToPropose } = await import('../../prove/test-client/proposing.ts')
const { makeDay, makeDocument, makePlaces, makeThings, NOW } = await import('../../prove/test-client/things.ts')
const { validCalls } = await import('../../prove/test-client/valid-calls.ts')
const { POSTGRES } = await import('../../../storage/postgres/dialect.ts')
const { NEW_SCHEMA } = await import('../../../storage/postgres/migrations.ts')

const KINDS = ['full', 'selected', 'daily'] as const
const STORAGE = join(import.meta.dirname, '../../../storage')

let postgres: PGlite
const statements = new Map<string, Statement>()

beforeAll(async () => {
  for (const name of readdirSync(STORAGE)) if (name.endsWith('.ts')) await import(join(STORAGE, name))
  const space = await openSpace(':memory:', { name: 'Composed', timezone: 'UTC', clock: () => NOW })
  const full = await ask(space, await space.createAccessLink('full', []))
  for (const kind of KINDS) {
    const places = await makePlaces(full, kind)
    const document =
      kind === 'daily' ? await makeDay(full, '2026-11-20', 'words') : await makeDocument(full, `A document of ${kind}`)
    const documents = kind === 'selected' ? [document] : []
    const proposer = await askToPropose(space, { kind, documents, hasLink: true })
    const things = await makeThings(full, document, kind, places, { proposer })
    const client = await ask(space, await space.createAccessLink(kind, documents))
    for (const [tool, args] of validCalls(kind, things)) {
      const found = endpointNamed(client.table, tool)
      const request = found.endpoint.isRestOnly ? requestFor(found, args) : undefined
      if (request === undefined) await call(client, tool, args)
      else await client.rest(request)
    }
  }
  await space.close()
  for (const statement of made.statements as Statement[]) statements.set(compiled(statement).text, statement)
  postgres = await PGlite.create()
  for (const sql of NEW_SCHEMA) await postgres.exec(sql)
}, 60_000)

afterAll(() => postgres.close())

const compiled = (statement: Statement): CompiledStatement => statement.compile(POSTGRES)

test('all statements can be prepared', async () => {
  const refused: string[] = []
  for (const text of statements.keys()) {
    await postgres.exec(`PREPARE one AS ${text}`).then(
      () => postgres.exec('DEALLOCATE one'),
      (error: Error) => refused.push(`${error.message}: ${text.replace(/\s+/g, ' ')}`),
    )
  }
  expect(refused).toEqual([])
  expect(statements.size).toBeGreaterThan(150)
}, 60_000)

test('a statement that only SQLite accepts is rejected', async () => {
  await expect(postgres.exec('PREPARE one AS SELECT instr($1, $2)')).rejects.toThrow('function instr')
})
