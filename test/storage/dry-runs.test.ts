/** Dry runs of all tools, watched from another connection to the file of the space. */
import { existsSync, readdirSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { endpoints } from '../../tools/index.ts'
import { folder } from '../program.ts'
import type { Things } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'
import { spaceOfThings } from '../support/space-of-things.ts'

const tools = toolCatalogFor(endpoints, 'full')
/** Decisions on proposals have tests of their own. */
const writers = new Set(
  endpoints
    .filter(({ effect, isRestOnly }) => effect !== 'read' && effect !== 'decide' && !isRestOnly)
    .map(({ name }) => name),
)
/** The calls that write. An upload without its bytes is left out, since it does nothing until the bytes arrive. */
const writingCalls = (own: Things) =>
  validCalls('full', own).filter(([name, { dryRun }]) => writers.has(name) && !dryRun)
const names = writingCalls(new Proxy({} as Things, { get: () => 'x' })).map(([name], index) => [name, index] as const)

test.each(names)('%s leaves nothing behind, and reports what it then changes (call %i)', async (_, index) => {
  const file = `${folder()}/space.sqlite`
  const { space, link, client, own } = await spaceOfThings(file)
  const [name = '', args = {}] = writingCalls(own)[index] ?? []
  const call = (options: object) => runCall(tools.get(name), args, { space, link }, options)
  const lastSummary = async () => {
    const history = await runCall(tools.get('history_list'), { limit: 1 }, { space, link })
    return ('object' in history ? (history.object as { items: { callId: string; summary: string }[] }) : { items: [] })
      .items[0]
  }

  const watch = new Sqlite(file, { readonly: true })
  const version = () => watch.pragma('data_version', { simple: true })
  const files = () => (existsSync(`${file}.files`) ? readdirSync(`${file}.files`, { recursive: true }).sort() : [])
  const before = { version: version(), files: files(), last: await lastSummary() }
  const dry = await call({ dryRun: true, idempotencyKey: 'k' })
  expect({ version: version(), files: files(), last: await lastSummary() }).toEqual(before)
  watch.close()

  const { dryRun } = ('object' in dry ? dry.object : {}) as { dryRun: { summary: string } }
  expect(dry.note).toBe('Dry run: nothing was written.')
  await call({ idempotencyKey: 'k' })
  const last = await lastSummary()
  expect(last?.callId).not.toBe(before.last?.callId)
  expect(dryRun.summary).toBe(last?.summary || 'Nothing: all is as before.')
  await client.close()
})
