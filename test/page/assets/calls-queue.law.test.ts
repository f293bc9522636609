/** The calls that a page stores in the browser arrive in their latest version. */
import 'fake-indexeddb/auto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runs } from '../../support/runs.ts'
import { stubPage } from './page-stubs.ts'

interface Input {
  words: string
  after?: string
}

/** The calls that the server received, by key. */
const sent = new Map<string, Input[]>()
/** True if it rejects changes. */
let refuses = false
/** True if its space is full. */
let isFull = false

beforeEach(() => {
  sent.clear()
  vi.stubGlobal(
    'fetch',
    async (_address: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
      const { tool, arguments: input } = JSON.parse(body) as { tool: string; arguments: Input }
      const key = headers['idempotency-key'] ?? ''
      sent.set(key, [...(sent.get(key) ?? []), input])
      await setImmediate()
      if (isFull && tool !== 'delete') return Response.json({ error: 'Full.', code: 'QUOTA_EXCEEDED' }, { status: 507 })
      if (refuses && tool === 'change') return Response.json({ error: 'Refused.', code: 'CONFLICT' }, { status: 409 })
      return Response.json({ answer: { items: [{ id: `id of ${input.words}` }] } })
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

test('a call that was changed before it was sent arrives as changed, and is stored so if it is rejected', async () => {
  stubPage()
  const { Calls, newName } = await import('../../../src/page/assets/calls.ts')
  const pauses = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 })
  let spaces = 0
  await fc.assert(
    fc.asyncProperty(pauses, fc.boolean(), async (pauses, isRefused) => {
      refuses = isRefused
      sent.clear()
      stubPage()
      const calls = new Calls({ base: `/space-${spaces++}`, session: 'session', token: 'token', tab: 'tab' })
      const name = newName()
      await calls.keep({ document: 'd', tool: 'add', arguments: { words: 'made' }, names: { [name]: 'items.0.id' } })
      const order = await calls.keep({
        document: 'd',
        tool: 'change',
        arguments: { words: '', after: name },
        isKept: true,
      })
      let words = ''
      for (const [index, pause] of pauses.entries()) {
        for (let turn = 0; turn < pause; turn++) await setImmediate()
        const longer = `${words} ${index}`
        const isChanged = await calls.amend(order, (call) => ({
          ...call,
          arguments: { ...call.arguments, words: longer },
        }))
        if (isChanged) words = longer
      }
      await calls.settled('d')
      const input = { words, after: 'id of made' }
      expect([...sent.values()]).toEqual([[{ words: 'made' }], [input]])
      expect((await calls.refused('d')).map((call) => call.arguments)).toEqual(isRefused ? [input] : [])
    }),
    { numRuns: runs(100, 2_000) },
  )
})

test('a call that a quota refuses is not sent again, so that those that delete are sent after it', async () => {
  stubPage()
  const { Calls } = await import('../../../src/page/assets/calls.ts')
  isFull = true
  const calls = new Calls({ base: '/full', session: 'session', token: 'token', tab: 'tab' })
  await calls.keep({ document: 'd', tool: 'change', arguments: { words: 'typed' }, isKept: true })
  await calls.keep({ document: 'd', tool: 'delete', arguments: { words: 'less' } })
  await calls.settled('d')
  isFull = false
  expect([...sent.values()]).toEqual([[{ words: 'typed' }], [{ words: 'less' }]])
  expect((await calls.refused('d')).map(({ error }) => error)).toEqual([{ message: 'Full.', code: 'QUOTA_EXCEEDED' }])
})
