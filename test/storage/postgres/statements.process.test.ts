/**
 * Every statement is one that PostgreSQL takes, too: it is composed for that engine and prepared there, on tables like
 * those of SQLite. What has a module of its own per engine is left out, such as the index of words.
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
const { ask } = await import('../../prove/asking/asking.ts')
const { call } = await import('../../prove/asking/asking.ts')
const { makeDay, makeDocument, makePlaces, makeThings, NOW } = await import('../../prove/asking/things.ts')
const { validCalls } = await import('../../prove/asking/valid-calls.ts')
const { connectionOf } = await import('../../sqlite.ts')
const { POSTGRES } = await import('./dialect.ts')
const { postgresTables } = await import('./tables.ts')

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
    const things = await makeThings(full, document, kind, places)
    const link = await space.createAccessLink(kind, kind === 'selected' ? [document] : [])
    const asking = await ask(space, link)
    for (const [tool, args] of validCalls(kind, things)) await call(asking, tool, args)
  }
  const tables = await space.read(full.link, async (view) => postgresTables(connectionOf(view.tx).sqlite))
  await space.close()
  for (const statement of made.statements as Statement[]) statements.set(compiled(statement).text, statement)
  postgres = await PGlite.create()
  await postgres.exec(tables)
}, 60_000)

afterAll(() => postgres.close())

const compiled = (statement: Statement): CompiledStatement => statement.compile(POSTGRES)

test('all statements are prepared', async () => {
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

test('a statement that only SQLite takes is refused', async () => {
  await expect(postgres.exec('PREPARE one AS SELECT instr($1, $2)')).rejects.toThrow('function instr')
})
