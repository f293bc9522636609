/** Calls that wait for events, without a network. */
import { expect, onTestFinished, test } from 'vitest'
import { getActiveLink, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { followCall } from '../../src/call/follow.ts'
import type { Caller } from '../../src/call/run.ts'
import type { Endpoint } from '../../src/endpoint.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { makeLink } from '../http/serving.ts'

const LONG = 20_000

/** The call that follows the feed, which counts how often it is handled. */
function counting() {
  const counts = { handled: 0 }
  const first = Promise.withResolvers<void>()
  const counted = endpoints.map((endpoint): Endpoint => {
    if (endpoint.name !== 'changes_list') return endpoint
    return {
      ...endpoint,
      handle: (call, ready) => {
        counts.handled++
        first.resolve()
        return endpoint.handle(call, ready)
      },
    }
  })
  const tool = new ToolCatalog(counted, 'full').find('changes_list')
  if (tool === undefined) throw new Error('Expected the feed among the endpoints.')
  return { tool, counts, isHandled: first.promise }
}

async function callerOf({ space }: Connected): Promise<Caller & { id: string }> {
  const { info } = await makeLink({ space }, 'http://localhost')
  const currentLink = () => space.read(OPERATOR_LINK, (view) => getActiveLink(view, info.id))
  const link = await currentLink()
  if (link === undefined) throw new Error('Expected the link that was made.')
  return { space, link, currentLink, id: info.id }
}

test('all who wait on one link share one response', async () => {
  const full = await connect()
  const caller = await callerOf(full)
  const { tool, counts } = counting()
  const followings = await Promise.all(Array.from({ length: 100 }, () => followCall(tool, {}, caller)))
  onTestFinished(async () => void (await Promise.all(followings.map((following) => following.close()))))
  const waiting = followings.map((following) => following.next(LONG))
  await documentOf(full, '', 'a')
  const answers = await Promise.all(waiting)
  expect(answers.map(({ events }) => events.length)).toEqual(Array(100).fill(1))
  const before = counts.handled
  const again = followings.map((following) => following.next(LONG))
  await documentOf(full, '', 'b')
  expect((await Promise.all(again)).map(({ events }) => events.length)).toEqual(Array(100).fill(1))
  // Once when they begin to wait, and once for the change, unless that came first.
  expect(counts.handled - before).toBeLessThanOrEqual(2)
})

test('on timeout or abort the response has the current position', async () => {
  const full = await connect()
  const caller = await callerOf(full)
  const following = await followCall(counting().tool, {}, caller)
  onTestFinished(() => following.close())
  const first = await following.next(0)
  const second = await following.next(10)
  expect([first.events, second.events]).toEqual([[], []])
  expect(second.cursor).not.toBe(first.cursor)
  const stop = new AbortController()
  const waiting = following.next(LONG, stop.signal)
  stop.abort()
  expect((await waiting).events).toEqual([])
})

test('a waiting call whose link ends is rejected', async () => {
  const full = await connect()
  const caller = await callerOf(full)
  const { tool, isHandled } = counting()
  const following = await followCall(tool, {}, caller)
  onTestFinished(() => following.close())
  const refused = expect(following.next(LONG)).rejects.toThrow(
    'Expected a link that stands, found that it was revoked or has expired meanwhile; ask the person who made the link for another.',
  )
  // It has read the space with its link, and found nothing.
  await isHandled
  await full.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, caller.id))
  await documentOf(full)
  await refused
})

test('invalid arguments are rejected without watching the space', async () => {
  const full = await connect()
  const caller = await callerOf(full)
  const { tool } = counting()
  await expect(followCall(tool, { wait: 26 }, caller)).rejects.toThrow('At wait: Expected at most 25, found 26')
  await expect(followCall(tool, { cursor: 'made-up' }, caller)).rejects.toThrow(
    'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
  )
})
