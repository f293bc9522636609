/** Webhooks end to end: created on the command line, delivered by `serve`, and by the next `serve` after that. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FEED_TYPES } from '../../src/space/feed/read-feed.ts'
import { newSecret, startSubscriber, subscribe } from '../events/subscriber.ts'
import { clientAt } from '../http/serving.ts'
import { folder, runHere, startServe } from '../program.ts'
import { isSigned, startReceiver } from '../webhooks/receiver.ts'

const ALLOW = ['--webhook-allow', '127.0.0.0/8']

async function addHook(space: string, url: string, ...flags: string[]) {
  const { output } = await runHere(['links', 'add', '--space', space, '--json', '--webhook', url, ...ALLOW, ...flags])
  return JSON.parse(output) as {
    id: string
    restUrl: string
    webhook: { id: string; secret: string; events?: string[] }
  }
}

async function addDocument(restUrl: string, origin: string, title: string): Promise<void> {
  const { pathname } = new URL(restUrl)
  const answer = await fetch(`${origin}${pathname}/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: [{ title }] }),
  })
  expect(answer.status).toBe(200)
}

describe('webhooks', () => {
  test('receive signed events, and what waits is sent by the next server', async () => {
    const space = join(folder(), 'space.sqlite')
    const receiver = await startReceiver()
    const { restUrl, webhook } = await addHook(space, receiver.url)
    const first = await startServe('--space', space, ...ALLOW)
    await addDocument(restUrl, first.origin, 'a')
    const [received] = await receiver.until(1)
    expect(received?.data.summary).toBe('"a": added')
    expect(received !== undefined && isSigned(received, webhook.secret)).toBe(true)
    const listed = async () => (await runHere(['webhooks', 'list', '--space', space])).output
    expect(await listed()).not.toContain('Nothing is sent')
    await first.end()
    // Its network is not allowed, so it waits.
    const careful = await startServe('--space', space)
    await addDocument(restUrl, careful.origin, 'b')
    await careful.end()
    expect(await listed()).toContain('Nothing is sent at the moment: no server runs. Start one with serve.')
    const next = await startServe('--space', space, ...ALLOW)
    const later = await receiver.until(2)
    expect(later.map(({ data }) => data.summary)).toContain('"b": added')
    expect(await next.end()).toBe(0)
  })

  test('are listed, tested and removed, and can be restricted to some events', async () => {
    const space = join(folder(), 'space.sqlite')
    const receiver = await startReceiver()
    const { id, webhook } = await addHook(
      space,
      receiver.url,
      '--events',
      'reminder.due,folders,tasks_update',
      '--name',
      'Bot',
    )
    expect(webhook.events).toEqual([
      'reminder.due',
      'folders_add',
      'folders_move',
      'folders_update',
      'folders_delete',
      'tasks_update',
    ])
    const { output } = await runHere(['webhooks', 'list', '--space', space])
    expect(output.split('\n')[0]?.split('\t')).toEqual([
      webhook.id,
      receiver.url,
      id,
      'Bot',
      webhook.events?.join(','),
      'nothing sent yet',
      '0 waiting',
    ])
    expect(output).not.toContain(webhook.secret)
    const refused = await runHere(['webhooks', 'test', webhook.id, '--space', space])
    expect([refused.code, refused.output]).toEqual([
      1,
      `Sent a test to ${receiver.url}: Expected an address with https, or in a network that --webhook-allow names, found 127.0.0.1.\n`,
    ])
    const accepted = await runHere(['webhooks', 'test', webhook.id, '--space', space, ...ALLOW])
    expect([accepted.code, accepted.output]).toEqual([0, `Sent a test to ${receiver.url}: it was accepted.\n`])
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test'])
    expect((await runHere(['webhooks', 'remove', webhook.id, '--space', space])).output).toContain(
      `Removed\t${webhook.id}\t`,
    )
    expect((await runHere(['webhooks', 'list', '--space', space])).output).toBe(
      'There are no webhooks; links add --webhook makes one.\n',
    )
    const unknown = await runHere(['webhooks', 'remove', 'wh_1', '--space', space])
    expect([unknown.code, unknown.errors]).toEqual([
      2,
      'Expected the ID of a webhook, found wh_1; webhooks list shows them.\n',
    ])
  })

  test('of the spaces of a folder receive events while no one uses them', async () => {
    const path = folder()
    const space = join(path, 'one.sqlite')
    const receiver = await startReceiver()
    const { restUrl } = await addHook(space, receiver.url)
    // Another server, which sends nothing there.
    const other = await startServe('--space', space)
    await addDocument(restUrl, other.origin, 'a')
    await other.end()
    const server = await startServe('--spaces', path, ...ALLOW)
    expect((await receiver.until(1))[0]?.data.summary).toBe('"a": added')
    expect(await server.end()).toBe(0)
  })

  test('for unknown events, or without an address, are rejected', async () => {
    const space = join(folder(), 'space.sqlite')
    const add = (...flags: string[]) => runHere(['links', 'add', '--space', space, ...flags])
    expect((await add('--events', 'tasks')).errors).toBe(
      'Expected --webhook with --events, found none; name the address that they are sent to.\n',
    )
    expect((await add('--webhook', 'https://example.org', '--events', 'blocks_get')).errors).toBe(
      `Expected types of events (${FEED_TYPES.join(', ')}) or tools that write, by name or noun, as --events, found blocks_get.\n`,
    )
    expect((await runHere(['links', 'list', '--space', space])).output).toBe(
      'There are no links; links add makes one.\n',
    )
  })

  test('to addresses that no message is sent to are rejected, as a delivery rejects them', async () => {
    const space = join(folder(), 'space.sqlite')
    const add = (url: string, ...flags: string[]) =>
      runHere(['links', 'add', '--space', space, '--webhook', url, ...flags])
    const advice =
      'as --webhook. Nothing was made; name another address, or allow its network with --webhook-allow, here and in serve.'
    for (const [url, host] of [
      ['https://10.0.0.1/', '10.0.0.1'],
      ['https://localhost/', 'localhost'],
      ['https://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
    ] as const) {
      expect(await add(url)).toMatchObject({
        code: 2,
        errors: `Expected an address of the public network, or of one that --webhook-allow names, found ${host} ${advice}\n`,
      })
    }
    expect((await add('http://192.0.43.8/')).errors).toBe(
      `Expected an address with https, or in a network that --webhook-allow names, found 192.0.43.8 ${advice}\n`,
    )
    expect((await runHere(['links', 'list', '--space', space])).output).toBe(
      'There are no links; links add makes one.\n',
    )
    expect((await add('https://10.0.0.1/', '--webhook-allow', '10.0.0.0/8')).code).toBe(0)
  })

  test('to a name that is not known here are made, and the command says so', async () => {
    const space = join(folder(), 'space.sqlite')
    const add = ['links', 'add', '--space', space, '--webhook', 'https://hooks.invalid/a']
    const { output, code } = await runHere(add)
    expect([code, output.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      'The name in https://hooks.invalid/a is not known here at the moment; webhooks test tells whether it is reached.',
    ])
    expect(JSON.parse((await runHere([...add, '--json'])).output).webhook).toMatchObject({ isNameKnown: false })
  })
})

test('subscriptions of a link are listed beside webhooks, and forbidden for it later', async () => {
  const path = folder()
  const space = join(path, 'one.sqlite')
  const receiver = await startSubscriber()
  const { id, mcpUrl } = JSON.parse((await runHere(['links', 'add', '--space', space, '--json'])).output)
  // Nothing has webhooks, so that the server has the space open only for its clients.
  const server = await startServe('--spaces', path, '--event-hosts', '127.0.0.1', ...ALLOW)
  const client = await clientAt(`${server.origin}${new URL(mcpUrl).pathname}`)
  const secret = newSecret()
  const delivery = { url: receiver.url, secret }
  const { id: subscription } = await subscribe(client, { name: 'document.added', delivery })
  await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'a' }] } })
  expect((await receiver.events(1)).map(({ data }) => data.title)).toEqual(['a'])
  const list = async () =>
    (await runHere(['webhooks', 'list', '--space', space])).output.split('\n')[0]?.split('\t') ?? []
  const listed = await list()
  expect(listed.slice(0, 4)).toEqual([subscription, receiver.url, id, 'full link'])
  expect(listed[4]).toMatch(/^document\.added for tester until \d{4}-/)
  expect(listed.join(' ')).not.toContain(secret)
  const tested = await runHere(['webhooks', 'test', subscription, '--space', space, ...ALLOW])
  expect(tested.output).toBe(`Sent a test to ${receiver.url}: it was accepted.\n`)
  const forbid = (...more: string[]) => runHere(['links', 'events', id, ...more, '--space', space])
  expect((await forbid('never')).errors).toBe('Expected on or off after the ID of the link, found never.\n')
  expect((await forbid('off')).output).toContain('no events')
  await expect
    .poll(async () => (await list())[5], { timeout: 20_000 })
    .toBe('ended: its link may not subscribe any more')
  expect(server.errors()).not.toContain(secret)
  expect(await server.end()).toBe(0)
})
