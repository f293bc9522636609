/** A paused link: nothing of it is read, written or sent until a person resumes it. */
import { describe, expect, test } from 'vitest'
import { getActiveLink, pauseAccessLink, resumeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../../src/call/run.ts'
import { addAuditEntry } from '../../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { WebhookDelivery } from '../../../src/webhooks/webhook-delivery.ts'
import { addWebhook, listWebhookStates } from '../../../src/webhooks/webhooks.ts'
import { endpoints } from '../../../tools/index.ts'
import { proposalOf, serveProposals } from '../../call/serve-proposals.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'
import { openStream } from '../../events/wire.ts'
import { openEvents } from '../../feed/event-source.ts'
import { cursorNow } from '../../feed/reading-feed.ts'
import { callTool, documentBy, type Serving, serveBuilt } from '../../http/serving.ts'
import { isLoopback, startReceiver } from '../../webhooks/receiver.ts'

const SENTENCE =
  /^Expected a link whose calls are carried out, found that a person paused this one at [\d-]+T[\d:.]+Z; stop here, and go on once they resume it\.$/

const change = ({ space }: Serving, work: typeof pauseAccessLink, id: string) =>
  space.write(OPERATOR_LINK, async (view) => {
    await work(view, id)
    await addAuditEntry(view, 'links_pause', [id])
  })
const pause = (serving: Serving, id: string) => change(serving, pauseAccessLink, id)
const resume = (serving: Serving, id: string) => change(serving, resumeAccessLink, id)

test('over REST, calls are refused with a code and a sentence, and allowed again', async () => {
  const serving = await serveBuilt()
  const { ask, info } = await serving.link()
  const id = await documentBy({ ask })
  await pause(serving, info.id)
  for (const line of [`GET /blocks?id=${id}`, 'GET /connection', 'GET /changes?wait=0', 'GET /openapi.json']) {
    const { status, json } = await ask(line)
    expect([line, status, json]).toEqual([line, 403, { error: expect.stringMatching(SENTENCE), code: 'LINK_PAUSED' }])
  }
  const position = { position: 'end', pageId: id }
  expect((await ask('POST /blocks', { markdown: 'x', position })).json.code).toBe('LINK_PAUSED')
  await resume(serving, info.id)
  expect((await ask('POST /blocks', { markdown: 'x', position })).status).toBe(200)
})

describe.each(['2025', '2026'] as const)('over MCP of %s', (era) => {
  test('the calls of a client that is connected are refused, and those of one that connects now', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const client = await link.client(era)
    await callTool(client, 'connection_get')
    await pause(serving, link.info.id)
    for (const one of [client, await link.client(era)]) {
      expect((await one.listTools()).tools.length).toBeGreaterThan(10)
      const refused = await callTool(one, 'documents_list')
      expect(refused).toMatchObject({ isRefused: true, text: expect.stringMatching(SENTENCE) })
      await expect(one.listResources()).rejects.toThrow(/paused this one/)
    }
    await resume(serving, link.info.id)
    expect((await callTool(client, 'documents_list')).isRefused).toBe(false)
  })

  test('a stream of events ends with the reason', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const stream = openStream(await link.client(era), { name: 'document.changed', arguments: { quietSeconds: 0 } })
    await stream.until(1)
    await pause(serving, link.info.id)
    expect((await stream.until(2))[1]).toMatchObject({
      kind: 'terminated',
      error: { code: -32012, message: expect.stringMatching(SENTENCE), data: { code: 'LINK_PAUSED' } },
    })
    await stream.ended
  })
})

test('requests that wait and streams of the feed end', async () => {
  const serving = await serveBuilt()
  const { ask, rest, info } = await serving.link()
  const stream = await openEvents(`${rest}/changes`)
  await stream.moved('')
  const waiting = ask(`GET /changes?wait=25&cursor=${await cursorNow(ask)}`)
  await pause(serving, info.id)
  expect((await waiting).json.code).toBe('LINK_PAUSED')
  expect(await stream.next()).toMatchObject({ type: 'refused', data: { code: 'LINK_PAUSED' } })
  expect(await stream.next()).toBeUndefined()
})

test('a batch that runs is not committed once its link is being paused', async () => {
  const serving = await serveBuilt()
  const { info, ask } = await serving.link()
  const { space } = serving
  const link = await space.read(OPERATOR_LINK, (view) => getActiveLink(view, info.id))
  const titles = async () => (await ask('GET /documents')).json.items.map(({ title }: { title: string }) => title)
  const batch = (title: string) =>
    runCall(
      toolCatalogFor(endpoints, 'full').get('batch'),
      { calls: [{ tool: 'documents_add', arguments: { documents: [{ title }] } }] },
      { space, link: link ?? OPERATOR_LINK },
    )
  // What a pause does before it waits for its turn to write.
  const end = space.interruptLink(info.id)
  await expect(batch('interrupted')).rejects.toThrow(SENTENCE)
  end()
  await batch('before')
  expect(await titles()).toEqual(['before'])
  // A call that was let in before the pause is refused where it is logged.
  await pause(serving, info.id)
  await expect(batch('late')).rejects.toThrow(SENTENCE)
  await resume(serving, info.id)
  expect(await titles()).toEqual(['before'])
})

test('a link that proposes proposes nothing, and a person still decides about what it proposed', async () => {
  const serving = await serveProposals()
  const { agent, person, write, approve, read } = serving
  const id = proposalOf(await write(agent, 'three'))
  await pause(serving, agent.info.id)
  expect((await write(agent, 'four')).json.code).toBe('LINK_PAUSED')
  expect((await approve(person, id)).status).toBe(200)
  expect(await read()).toContain('three')
  expect((await person.ask('GET /proposals')).json.items).toEqual([])
})

test('files and uploads of the link wait as well', async () => {
  const serving = await serveBuilt()
  const { ask, rest, info } = await serving.link()
  const pageId = await documentBy({ ask })
  const uploaded = await fetch(`${rest}/upload?position=end&pageId=${pageId}&fileName=a.txt`, {
    method: 'POST',
    body: 'words',
    headers: { 'content-type': 'text/plain' },
  })
  const { assetUrl } = (await uploaded.json()) as { assetUrl: string }
  expect((await fetch(assetUrl)).status).toBe(200)
  await pause(serving, info.id)
  expect((await fetch(assetUrl)).status).toBe(403)
  await resume(serving, info.id)
  expect((await fetch(assetUrl)).status).toBe(200)
})

test('its webhooks are sent what happened meanwhile once it is resumed', async () => {
  const serving = await serveBuilt()
  const receiver = await startReceiver()
  const { info } = await serving.link()
  await serving.space.write(OPERATOR_LINK, (view) => addWebhook(view, info.id, receiver.url, undefined))
  const delivery = new WebhookDelivery(serving.space, {
    ...{ version: '1.2.3', isAllowed: isLoopback, endpoints, report: () => {} },
  })
  const full = await connect('full', { to: serving })
  await documentOf(full, '', 'a')
  await receiver.until(1)
  await pause(serving, info.id)
  await documentOf(full, '', 'b')
  const [state] = await serving.space.read(OPERATOR_LINK, listWebhookStates)
  expect(state).toMatchObject({ state: 'paused', heldAt: expect.any(String) })
  expect(receiver.received).toHaveLength(1)
  await resume(serving, info.id)
  await receiver.until(4)
  const titles = receiver.received.map(({ data }) => data.summary)
  expect(titles.filter((title) => title !== '')).toEqual(['"a": added', '"b": added'])
  await delivery.close()
})
