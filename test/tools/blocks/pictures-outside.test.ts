/** Whiteboards are rendered outside of transactions: meanwhile neither a lock nor a connection to the database is held. */
import { afterEach, expect, test, vi } from 'vitest'
import { WorkerThread } from '../../../src/base/worker.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import { connect } from '../../connect.ts'
import { boardOf } from '../../drawings.ts'

afterEach(() => vi.restoreAllMocks())

const BOX = { id: 'box', type: 'rectangle', x: 0, y: 0, width: 10, height: 10 }
const MOMENT = '2999-01-01T00:00:00Z'

test.each([
  ['now', {}],
  ['now, as Markdown', { format: 'markdown', fetchMetadata: true }],
  ['in the past', { at: MOMENT }],
])('pictures of a page %s', async (_, more) => {
  const connected = await connect()
  const { space } = connected
  const { pageId, whiteboardBlockId } = await boardOf(connected, [BOX])
  // The connection that wrote is still being notified of its changes, and the space looks for what is due. What counts
  // are transactions of the connection that asks for the pictures.
  const link = await space.createAccessLink('full', [], 'reader')
  const reader = await connect('full', { to: connected, caller: { link } })
  let open = 0
  let opened = 0
  for (const name of ['read', 'writeAndRollBack'] as const) {
    const original = space[name].bind(space) as (...args: unknown[]) => Promise<unknown>
    vi.spyOn(space, name).mockImplementation(((...args: unknown[]) => {
      if ((args[0] as AccessLink).author !== 'reader') return original(...args)
      opened++
      open++
      return original(...args).finally(() => open--)
    }) as never)
  }
  const openWhile: number[] = []
  vi.spyOn(WorkerThread.prototype, 'run').mockImplementation(async () => {
    openWhile.push(open)
    return { result: { png: Buffer.from('a'), missing: ['x'] }, elapsed: 0 }
  })
  const args = { id: pageId, images: true, ...more }
  const { content } = await reader.client.callTool({ name: 'blocks_get', arguments: args })
  expect(opened).toBeGreaterThan(0)
  expect(openWhile).toEqual([0])
  expect(content).toContainEqual({ type: 'image', mimeType: 'image/png', data: 'YQ==' })
  const texts = (content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
  expect(texts).toContain(`The picture of ${whiteboardBlockId} has boxes in place of x`)
})

test('boards that take too long count toward the pictures of a response', async () => {
  const connected = await connect()
  const { pageId } = await boardOf(connected, [BOX])
  for (let more = 0; more < 6; more++) {
    const position = { position: 'end', pageId }
    const { whiteboardBlockId } = await connected.call('whiteboards_add', { position })
    await connected.call('elements_add', { whiteboardBlockId, elements: [BOX] })
  }
  const run = vi.spyOn(WorkerThread.prototype, 'run').mockResolvedValue({ result: 'timeout', elapsed: 0 })
  const { content } = await connected.client.callTool({ name: 'blocks_get', arguments: { id: pageId, images: true } })
  expect(run).toHaveBeenCalledTimes(5)
  expect(JSON.stringify(content)).toMatch(/too long to draw; read its text\..*too many for one answer/)
})

test('a step of a batch cannot ask for pictures, which its response has no place for', async () => {
  const connected = await connect()
  const { pageId } = await boardOf(connected, [BOX])
  const steps = [{ tool: 'blocks_get', arguments: { id: pageId, images: true } }]
  expect(await connected.refused('batch', { steps })).toContain(
    'Expected a step whose response is text, found blocks_get with images; call it by itself.',
  )
})
