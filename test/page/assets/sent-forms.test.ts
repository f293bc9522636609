/** Forms of a page are sent through the queue: in order, each once, and later without a connection. */
import 'fake-indexeddb/auto'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubPage } from './page-stubs.ts'

/** Turns of the event loop that storing and sending a form takes at most. */
const TURNS = 60

/** What the server received: key, address and fields. */
let received: { key: string; address: string; fields: string }[]
let answers: () => Response
let spaces = 0

beforeEach(() => {
  received = []
  answers = () => new Response(null, { status: 204, headers: { 'x-leads-to': '/view/1/tasks' } })
  stubPage()
  vi.stubGlobal('navigator', {})
  vi.stubGlobal(
    'fetch',
    async (address: string, request: { headers: Record<string, string>; body: URLSearchParams }) => {
      received.push({
        key: request.headers['idempotency-key'] ?? '',
        address,
        fields: String(request.body).replace(/&waited=\d+$/, ''),
      })
      return answers()
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

async function openPage(tab: string, base = `/view/forms-${spaces++}`) {
  const { Calls } = await import('../../../src/page/assets/calls.ts')
  const { sendForm } = await import('../../../src/page/assets/unsent/sent-forms.ts')
  const timers: (() => void)[] = []
  const clock = {
    after: (_milliseconds: number, act: () => void) => {
      timers.push(act)
      return () => timers.splice(timers.indexOf(act), 1)
    },
  }
  const calls = new Calls({ base, session: 'session', token: `token of ${tab}`, tab, clock })
  const send = (text: string) => sendForm(calls, { action: '/tasks/new', fields: [['text', text]], text })
  const tick = () => {
    for (const act of timers.splice(0)) act()
  }
  return { base, calls, send, tick }
}

async function done() {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate()
}

test('a form is sent to its address, with the token of the page and a key', async () => {
  const { base, send } = await openPage('one')
  expect(await send('Pay the diver')).toEqual({ leadsTo: '/view/1/tasks' })
  const fields = 'text=Pay+the+diver&token=token+of+one'
  expect(received).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{32}$/), address: `${base}/tasks/new`, fields }])
})

test('forms wait without a connection, and another page sends each once, in order', async () => {
  const { base, calls, send } = await openPage('one')
  answers = () => {
    throw new TypeError('Failed to fetch')
  }
  expect(await send('First')).toEqual({ waits: true })
  expect(await send('Second')).toEqual({ waits: true })
  expect((await calls.waiting()).map(({ form }) => form?.text)).toEqual(['First', 'Second'])
  const [{ key } = { key: '' }] = received
  received = []
  answers = () => new Response(null, { status: 204, headers: { 'x-leads-to': '/' } })
  const later = await openPage('two', base)
  await later.calls.resume()
  await done()
  expect(received.map(({ fields }) => fields)).toEqual([
    'text=First&token=token+of+two',
    'text=Second&token=token+of+two',
  ])
  expect(received[0]?.key).toBe(key)
  expect(await calls.waiting()).toEqual([])
})

test('a refused form is shown to who waits for it, and kept for who does not', async () => {
  const { calls, send, tick } = await openPage('one')
  const headers = { 'x-refusal': encodeURIComponent('Expected words, found “”.'), 'x-refusal-code': 'VALIDATION_ERROR' }
  const refuse = () => new Response('<form>', { status: 400, headers })
  answers = refuse
  expect(await send('')).toEqual({ page: '<form>', isRefused: true })
  await done()
  expect(await calls.refused('forms')).toEqual([])
  answers = () => new Response('Bad gateway', { status: 502 })
  expect(await send('Typed')).toEqual({ waits: true })
  answers = refuse
  tick()
  await done()
  const kept = await calls.refused('forms')
  expect(kept.map(({ form, error }) => [form?.text, error.message])).toEqual([['Typed', 'Expected words, found “”.']])
})

test('a form that comes back with a question is not done', async () => {
  const { calls, send } = await openPage('one')
  answers = () => new Response('<form action="/view/x/tasks/new">Really?')
  expect(await send('Typed')).toEqual({ page: '<form action="/view/x/tasks/new">Really?', isRefused: true })
  answers = () => new Response('<p>Made.')
  expect(await send('Typed')).toEqual({ page: '<p>Made.' })
  expect(await calls.waiting()).toEqual([])
})

test('a page whose forms another tab sends knows that they wait', async () => {
  const one = await openPage('one')
  answers = () => {
    throw new TypeError('Failed to fetch')
  }
  await one.send('First')
  const other = await openPage('two', one.base)
  const heard = new Promise((resolve) => other.calls.addEventListener('state', resolve))
  await heard
  expect(other.calls.connection).toBe('offline')
  expect(await other.send('Second')).toEqual({ waits: true })
})
