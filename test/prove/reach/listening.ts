/** Waiting for what is told of changes. */
import { setTimeout as delay } from 'node:timers/promises'
import { ChangeWatcher } from '../../../src/space/change-watcher.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { pollEvery } from '../../../storage/poll-changes.ts'
import type { Message } from '../asking/asking.ts'
import { substituted } from './planted.ts'

/** Milliseconds between two looks of those who listen, and until what must come is taken never to come. */
const PAUSE = 10
const PATIENCE = 5_000

export const LIST_CHANGED = 'notifications/resources/list_changed'

/** Not that a client of 2026 is listened to. */
export const isOfChange = ({ method = '' }: Message): boolean => method.startsWith('notifications/resources/')

/** The same space, which is looked at more often by those who watch it. */
export function lookingOften(space: OpenSpace): OpenSpace {
  const watcher = new ChangeWatcher((work) => space.read(OPERATOR_LINK, work), pollEvery(PAUSE))
  return substituted(space, {
    watch: (...listening: Parameters<typeof watcher.listen>) => watcher.listen(...listening),
  })
}

/** Whether it comes to be so in time. */
export async function soon(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
    if (isSo()) return true
    await delay(PAUSE / 2)
  }
  return isSo()
}
