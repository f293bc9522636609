import { expect, test } from 'vitest'
import { z } from 'zod'
import { ToolCatalog, toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { toErrorBody } from '../../src/call/error-body.ts'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { runCall } from '../../src/call/run.ts'
import { byKind, endpoint } from '../../src/endpoint.ts'
import { addFolders, listFolders } from '../../src/space/folders/folders.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'

test('an invalid response is an internal error: nothing is written, and its cause stays in the log', async () => {
  const { space } = await buildSpace()
  const link = await space.createAccessLink('full', [], 'tester')
  const broken = endpoint({
    name: 'broken',
    title: 'Broken',
    description: 'Writes, and answers what it may not.',
    route: 'POST /broken',
    effect: 'add',
    input: byKind(() => z.strictObject({})),
    output: z.strictObject({ items: z.array(z.string()) }),
    handle: async ({ space }) => (await addFolders(space, [{ name: 'secret' }])) as never,
  })
  const tool = new ToolCatalog([broken], 'full').get('broken')
  const failure = await runCall(tool, {}, { space, link }).catch((error: unknown) => error)
  const logged: string[] = []
  const { error, code } = toErrorBody(failure, (line) => void logged.push(line))
  expect(code).toBe('INTERNAL_ERROR')
  const [, id = ''] =
    /^Expected to answer, found a fault of this server; its log has it under (\S+)\. Nothing was written\.$/.exec(
      error,
    ) ?? []
  expect(logged.join()).toContain(id)
  expect(error).not.toContain('secret')
  expect((await space.read(link, listFolders)).items).toHaveLength(3)
})

test('a file that exceeds the limits is not read at all', async () => {
  const { space } = await buildSpace()
  const budget = new RateLimiter(openUsage(':memory:'), { requests: 1, blocks: 0 }, () => 0)
  const link = await space.createAccessLink('full', [], 'test')
  const tool = toolCatalogFor(endpoints, 'full').get('files_add')
  let isRead = false
  async function* stream(): AsyncGenerator<Uint8Array> {
    isRead = true
    yield Buffer.from('words')
  }
  const upload = (mediaType: string) =>
    runCall(
      tool,
      { position: { position: 'end', date: 'today' } },
      { space, link, rateLimiter: budget },
      { body: { stream: stream(), mediaType } },
    )
  expect(await upload('text/plain')).toMatchObject({ object: { dailyNoteDate: '2026-11-20' } })
  isRead = false
  await expect(upload('text/plain')).rejects.toThrow(/^Expected at most 1 request a minute/)
  expect(isRead).toBe(false)
})
