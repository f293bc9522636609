/** Streams of changes whose space cannot be opened. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChangeBus } from '../../src/mcp/change-notifications.ts'
import { buildSpace } from '../build.ts'

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
