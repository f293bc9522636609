/** How much one link may propose before a person decides. Each proposal is tried on top of all that wait. */
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { type Answer, connect } from '../connect.ts'

const catalog = toolCatalogFor(endpoints, 'full')

test('one link may have at most fifty waiting proposals', async () => {
  const built = await connect()
  const { refused, client } = await connect('full', { to: built, access: 'propose' })
  const args = { documents: [{ title: 'Plan' }] }
  for (let count = 0; count < 50; count++) {
    expect((await client.callTool({ name: 'documents_add', arguments: args })).isError).toBeFalsy()
  }
  expect(await refused('documents_add', args)).toBe(
    'Expected at most 50 proposals of this connection to wait for approval, found 50 already; nothing was proposed, ask a person to decide on those that wait.',
  )
})

test('one link may have at most a hundred MiB of waiting files', async () => {
  const { space } = await buildSpace()
  const person = await space.createAccessLink('full', [], 'Anna')
  const agent = await space.createAccessLink('full', [], 'Robot', 'propose')
  const caller = { space, link: person }
  const added = await runCall(catalog.get('documents_add'), { documents: [{ title: 'Plan' }] }, caller)
  const { items } = 'object' in added ? (added.object as Answer) : {}
  const part = Buffer.alloc(1024 * 1024)
  const propose = (parts: number) => {
    const stream = (async function* () {
      for (let count = 0; count < parts; count++) yield part
    })()
    const args = { fileName: 'sea.bin', position: { position: 'end', pageId: items[0].id } }
    const body = { stream, mediaType: 'application/octet-stream' }
    return runCall(catalog.get('files_add'), args, { space, link: agent }, { body })
  }
  await propose(60)
  await expect(propose(41)).rejects.toThrow(
    'Expected at most 100 MiB of files in proposals of this connection to wait for approval, found more with those of this call; nothing was proposed, ask a person to decide on those that wait.',
  )
  await propose(40)
})

test('one link may have at most twenty thousand waiting blocks', async () => {
  const built = await connect()
  const { refused, client } = await connect('full', { to: built, access: 'propose' })
  const markdown = Array.from({ length: 10_001 }, () => 'x').join('\n\n')
  const args = { documents: [{ title: 'Plan', markdown }] }
  expect((await client.callTool({ name: 'documents_add', arguments: args })).isError).toBeFalsy()
  expect(await refused('documents_add', args)).toMatch(
    /^Expected at most 20000 blocks in proposals of this connection to wait for approval, found more with the 1000\d of this call; /,
  )
})
