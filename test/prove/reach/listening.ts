/** Waits for change notifications. */
import { setTimeout as delay } from 'node:timers/promises'
import { ChangeWatcher } from '../../../src/space/change-watcher.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { pollEvery } from '../../../storage/poll-changes.ts'
import type { Message } from '../test-client/test-client.ts'
import { substituted } from './planted.ts'

/** Milliseconds between two polls, and until an expected notification counts as missing. */
const PAUSE = 10
const PATIENCE = 5_000

export const LIST_CHANGED = 'notifications/resources/list_changed'

/** True for resource notifications, but not for the one that acknowledges the subscription of a client of 2026. */
export const isOfChange = ({ method = '' }: Message): boolean => method.startsWith('notifications/resources/')

/** Returns the same space with a watcher that polls for changes more often. */
export function withFrequentPolling(space: OpenSpace): OpenSpace {
  const watcher = new ChangeWatcher((work) => space.read(OPERATOR_LINK, work), pollEvery(PAUSE))
  return substituted(space, {
    watch: (...listening: Parameters<typeof watcher.listen>) => watcher.listen(...listening),
  })
}

/** Waits until the condition holds. Returns false if it does not hold in time. */
export async function waitUntil(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
    if (isSo()) return true
    await delay(PAUSE / 2)
  }
  return isSo()
}
