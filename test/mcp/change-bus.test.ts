/** Streams of changes: how they begin, and what happens if their space cannot be opened. */
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { ChangeBus } from '../../src/mcp/change-notifications.ts'
import { buildSpace } from '../build.ts'
import { serveBuilt } from '../http/serving.ts'

test('a stream is acknowledged once every later change is notified', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const [watched, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  vi.spyOn(serving.space, 'watch').mockImplementation(() => {
    watched.resolve()
    return { ready: checked.promise, stop: async () => {} }
  })
  const client = await link.client('2026')
  let isAcknowledged = false
  const listening = client.listen({ resourcesListChanged: true }).finally(() => {
    isAcknowledged = true
  })
  await watched.promise
  // An acknowledgement that did not wait would arrive before these answers.
  for (let count = 0; count < 3; count++) await link.ask('GET /folders')
  expect(isAcknowledged).toBe(false)
  checked.resolve()
  await (await listening).close()
})

test('a stream whose space is not leased ends nothing else, and its end is no fault', async () => {
  const { space } = await buildSpace()
  const caller = { space, link: await space.createAccessLink('full', []) }
  const bus = new ChangeBus([])
  const acquireSpace = () => Promise.reject(new Error('the database is gone'))
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const end = bus.runAs({ caller, acquireSpace }, () => bus.subscribe(() => {}))
  await setImmediate()
  end()
  await setImmediate()
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
