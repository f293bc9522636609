/** The outcome of calls whose COMMIT is not confirmed because the connection ended at that moment. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { type CallOptions, runCall } from '../../src/call/run.ts'
import { type OpenSpace, openDatabaseSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { NOW } from '../build.ts'
import { type PostgresProxy, startProxy } from '../support/postgres-proxy.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
let proxy: PostgresProxy
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' })
  proxy = await startProxy(server)
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

const UNKNOWN =
  'Expected the database to confirm the write, found the connection lost before it did, so the write may or may not have happened; read what is there before trying again. If calls have an idempotency key, the server finds out by itself.'

/** A space behind the proxy. */
async function openCut(access: 'full' | 'propose' = 'full') {
  const space: OpenSpace = await openDatabaseSpace(`${proxy.address}#${randomUUID()}`, {
    name: 'Cut',
    timezone: 'UTC',
    clock: () => NOW,
  })
  onTestFinished(() => space.close())
  const link = await space.createAccessLink('full', [], 'tester', access)
  const tools = toolCatalogFor(endpoints, 'full')
  const call = async (tool: string, args: object, options: CallOptions = {}) => {
    const result = await runCall(tools.get(tool), args, { space, link }, options)
    return 'object' in result ? (result.object as Record<string, unknown>) : {}
  }
  const add = (title: string, idempotencyKey?: string) =>
    call('documents_add', { documents: [{ title, markdown: 'words' }] }, idempotencyKey ? { idempotencyKey } : {})
  const titles = async (): Promise<string[]> => {
    const { items } = (await call('documents_list', {})) as { items: { title: string }[] }
    return items.map(({ title }) => title).sort()
  }
  return { add, call, titles }
}

describe.each(['before COMMIT', 'before its answer'] as const)('a connection that ends %s', (cut) => {
  const isWritten = cut === 'before its answer'

  test('without a key, the caller learns that the outcome is unknown', async () => {
    const { add, titles } = await openCut()
    proxy.cut(cut)
    await expect(add('one')).rejects.toMatchObject({ code: 'CONFLICT', message: UNKNOWN })
    expect(await titles()).toEqual(isWritten ? ['one'] : [])
  })

  test('with a key, the call is carried out exactly once, and gets its response', async () => {
    const { add, titles } = await openCut()
    proxy.cut(cut)
    const first = await add('one', 'k')
    expect(await titles()).toEqual(['one'])
    expect(await add('one', 'k')).toEqual(first)
    expect(await titles()).toEqual(['one'])
  })

  test('of those that share a COMMIT, each with a key is resolved, and one without learns that it is unknown', async () => {
    const { add, titles } = await openCut()
    await add('before')
    proxy.cut(cut)
    // All wait before the first begins, and share its COMMIT if they are done while it is open.
    const [unkeyed, ...keyed] = [add('none'), ...['a', 'b', 'c'].map((name) => add(name, name))]
    await expect(unkeyed).rejects.toMatchObject({ code: 'CONFLICT', message: UNKNOWN })
    await Promise.all(keyed)
    expect(await titles()).toEqual(['a', 'b', 'before', 'c', ...(isWritten ? ['none'] : [])])
  })

  test('a proposal with a key is created once', async () => {
    const { add, call } = await openCut('propose')
    proxy.cut(cut)
    const first = await add('one', 'k')
    expect(await add('one', 'k')).toEqual(first)
    const { items } = (await call('proposals_list', {})) as { items: unknown[] }
    expect(items).toHaveLength(1)
  })
})

test('if that cannot be found out either, the caller is told to retry with the key', async () => {
  const { add, titles } = await openCut()
  proxy.cut('before its answer', 3)
  await expect(add('one', 'k')).rejects.toMatchObject({
    code: 'CONFLICT',
    message:
      'Expected the database to confirm the write, found the connection lost before it did and no way to find out since; send the call again with the idempotency key "k", under which it is carried out once.',
  })
  await add('one', 'k')
  expect(await titles()).toEqual(['one'])
})
