/** Servers of one database behind a round-robin proxy: everything that takes several requests works. */
import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { spaceKey } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { hashPassword } from '../../src/space/participants/passwords.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { Browser } from '../auth/issuer/browser.ts'
import { plainHost } from '../auth/issuer/plain-host.ts'
import { TEST_DATABASE } from '../build.ts'
import { newSecret, startSubscriber, subscribe, unsubscribe } from '../events/subscriber.ts'
import { callTool, clientAt, documentBy, makeLink, type TestLink } from '../http/serving.ts'
import { entriesOf, zipOf } from '../import/zips.ts'
import { PROGRAM } from '../program.ts'
import { DatabaseServer } from '../support/database-server.ts'
import { freePorts } from '../support/free-ports.ts'
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts'
import { openReceiver, type Receiver } from '../webhooks/receiver.ts'

const ADDRESS = TEST_DATABASE ?? ''
const PASSWORD = 'correct horse battery'

/** Makes calls over a link with a webhook. */
const CALLS = 6

let servers: DatabaseServer[]
let proxy: RoundRobin
let watched: TestLink
let receiver: Receiver
beforeAll(async () => {
  const ports = await freePorts(2)
  proxy = await startRoundRobin(ports)
  // Servers look for webhooks when they start, and periodically.
  const space = await openSpace(spaceAddress(ADDRESS, randomUUID()), { timezone: 'UTC' })
  watched = await makeLink({ space }, proxy.origin)
  receiver = await openReceiver()
  await space.write(OPERATOR_LINK, (view) => addWebhook(view, watched.info.id, receiver.url, undefined))
  await space.close()
  const flags = ['--oauth', '--public-url', proxy.origin, '--webhook-allow', '127.0.0.1']
  servers = ports.map((port) => new DatabaseServer(PROGRAM.script, ADDRESS, port, flags))
  await Promise.all(servers.map((server) => server.start()))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await proxy.close()
  receiver.close()
})

async function open(): Promise<OpenSpace> {
  const space = await openSpace(spaceAddress(ADDRESS, randomUUID()), { timezone: 'UTC' })
  onTestFinished(() => space.close())
  return space
}

/** A person with a password. */
async function addAnna(space: OpenSpace): Promise<void> {
  const password = await hashPassword(PASSWORD)
  await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { password }))
}

test('a host that one server admitted gets its token from another, and uses it at both', async () => {
  const space = await open()
  await addAnna(space)
  const mcp = `${proxy.origin}/spaces/${spaceKey(space.info.id)}/mcp`
  const host = await plainHost(mcp)
  const browser = new Browser()
  await browser.open(host.authorization())
  await browser.submit({ name: 'Anna', password: PASSWORD, do: 'sign-in' })
  const { url } = await browser.submit({ kind: 'full', access: 'full', do: 'allow' })
  const token = await host.token(url.searchParams.get('code') ?? '')
  for (const { access_token } of [token, await host.refresh(token.refresh_token ?? '')]) {
    const client = await clientAt(mcp, '2026', { authorization: `Bearer ${access_token}` })
    for (const _ of servers) {
      const { structuredContent } = await client.callTool({ name: 'connection_get', arguments: {} })
      expect(structuredContent).toMatchObject({ space: { id: space.info.id } })
    }
  }
})

test('a browser that one server admitted sees the pages of each', async () => {
  const space = await open()
  const { secret } = await makeLink({ space }, proxy.origin)
  await addAnna(space)
  const byLink = new Browser()
  await byLink.open(`${proxy.origin}/links/${secret}/view`)
  const byPassword = new Browser()
  await byPassword.open(`${proxy.origin}/view/${spaceKey(space.info.id)}/sign-in`)
  await byPassword.submit({ name: 'Anna', password: PASSWORD })
  for (const browser of [byLink, byPassword]) {
    for (const _ of servers) {
      const { status, html, url } = await browser.open(browser.seen.url)
      expect([status, url.pathname]).toEqual([200, `/view/${spaceKey(space.info.id)}/`])
      expect(html).toContain(space.info.name)
    }
  }
})

test('a webhook receives each call once, from any server', async () => {
  for (let call = 0; call < CALLS; call++) await documentBy(watched)
  const numbers = (await receiver.until(CALLS)).map(({ data }) => data.number)
  expect(new Set(numbers).size).toBe(CALLS)
})

test('a subscription made at one server is sent each event once and in order, from calls at any server', async () => {
  const subscriber = await startSubscriber()
  const client = await watched.client()
  const delivery = { mode: 'webhook', url: subscriber.url, secret: newSecret() }
  const { id } = await subscribe(client, { name: 'document.added', delivery })
  const added: string[] = []
  for (let call = 0; call < CALLS; call++) added.push(await documentBy(watched))
  const events = await subscriber.events(CALLS)
  // MCP spells IDs in short.
  expect(events.map(({ data }) => data.documentId)).toEqual(added.map((id) => id.slice(-12)))
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(CALLS)
  const refreshed = await subscribe(client, { name: 'document.added', delivery })
  expect([refreshed.id, refreshed.deliveryStatus?.active]).toEqual([id, true])
  await unsubscribe(client, { name: 'document.added', delivery })
})

test('an upload address from one server works on another, and both have the file', async () => {
  const link = await makeLink({ space: await open() }, proxy.origin)
  const client = await link.client()
  const position = { position: 'end', pageId: await documentBy(link) }
  const { object } = await callTool(client, 'files_add', { fileName: 'a.txt', position })
  const sent = await fetch(object.uploadUrl, { method: 'PUT', body: 'words' })
  const { assetUrl } = (await sent.json()) as { assetUrl: string }
  for (const _ of servers) expect(await (await fetch(assetUrl)).text()).toBe('words')
})

test('an import continues at its server, and each one reports it', async () => {
  const link = await makeLink({ space: await open() }, proxy.origin)
  const zip = await zipOf(entriesOf({ 'a.md': 'unmistakable words' }))
  const taken = await fetch(`${link.rest}/import?name=notes`, { method: 'POST', body: new Uint8Array(zip) })
  const { id } = (await taken.json()) as { id: string }
  for (const _ of servers) {
    await expect.poll(async () => (await link.ask(`GET /import/${id}`)).json).toMatchObject({ id, status: 'done' })
  }
  for (const _ of servers) {
    const { json } = await link.ask('GET /changes?cursor=start')
    expect(json.items).toMatchObject([
      { type: 'call.committed' },
      { type: 'import.ended', outcome: 'done', written: 1 },
    ])
  }
})

test('a client of 2025 goes on with its session at another server', async () => {
  const { mcp } = await makeLink({ space: await open() }, proxy.origin)
  const [one = '', other = ''] = servers.map(({ origin }) => mcp.replace(proxy.origin, origin))
  const connect = async (url: string, sessionId?: string) => {
    const transport = new StreamableHTTPClientTransport(new URL(url), sessionId === undefined ? {} : { sessionId })
    const client = new Client({ name: 'tester', version: '1.0.0' })
    await client.connect(transport as Transport)
    onTestFinished(() => client.close())
    return { client, transport }
  }
  const list = { name: 'documents_list', arguments: {} }
  const { client: first, transport } = await connect(one)
  const { client } = await connect(other, transport.sessionId)
  for (const each of [client, first]) expect((await each.callTool(list)).isError).toBeUndefined()
  await transport.terminateSession()
  await expect(client.callTool(list)).rejects.toThrow(
    'Streamable HTTP error: Error POSTing to endpoint: {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
  )
})
