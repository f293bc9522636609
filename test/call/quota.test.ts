/** Quotas of bytes: what is refused when one is used up, what still works, and who is charged for what. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HISTORY_BYTES } from '../../src/base/limits.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { forgetHistory } from '../../src/space/forget-history.ts'
import { addAuditEntry } from '../../src/space/model/audit-log.ts'
import type { Quotas } from '../../src/space/model/quota.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { emptyTrash } from '../../src/space/trash.ts'
import { byteCountsByLink, sumOfBytes } from '../../storage/byte-counts.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace, TEST_DATABASE } from '../build.ts'
import type { Answer } from '../connect.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'
import { folder } from '../program.ts'
import { changeRows, firstValue } from '../sqlite.ts'
import { agreement } from './serve-proposals.ts'

const FREE =
  'Deleting and undo still work, but what was deleted counts as long as its history is kept: ask the person who runs the server to free space (`scriptorium trash empty`, `scriptorium history forget`) or to raise'
const SPACE_FULL = {
  error: `Expected the space to stay within its quota of 1 B, found no room for this call; nothing was written. ${FREE} --quota.`,
  code: 'QUOTA_EXCEEDED',
}
const LINK_FULL = {
  error: `Expected what this link wrote to stay within its quota of 1 B, found no room for this call; nothing was written. ${FREE} --link-quota.`,
  code: 'QUOTA_EXCEEDED',
}

/** A server whose quotas a test can change, with two links and a document. */
async function served() {
  const quotas: Quotas = {}
  const serving = await serveBuilt({ to: await buildSpace(undefined, { quotas }) })
  const [one, other] = [await serving.link({ name: 'One' }), await serving.link({ name: 'Other' })]
  const { json } = await one.ask('POST /documents', { documents: [{ title: 'Plan', markdown: 'first' }] })
  const plan: string = json.items[0].id
  const add = (link: TestLink, markdown: string) =>
    link.ask('POST /blocks', { markdown, position: { position: 'end', pageId: plan } })
  const lines = async (): Promise<string[]> =>
    (await one.ask(`GET /blocks?id=${plan}`)).json.content.map((block: Answer) => block.markdown)
  return { ...serving, quotas, one, other, plan, add, lines }
}

const countsOf = (space: OpenSpace) => space.read(OPERATOR_LINK, ({ tx }) => byteCountsByLink(tx))
const usedBy = async (space: OpenSpace, { info }: TestLink): Promise<number> => {
  const counts = (await countsOf(space)).links.get(info.id)
  return counts === undefined ? 0 : sumOfBytes(counts)
}
const used = async (space: OpenSpace): Promise<number> => sumOfBytes((await countsOf(space)).space)

const long = 'x'.repeat(10_000)
const record = (view: Parameters<typeof addAuditEntry>[0], ids: readonly string[]) => addAuditEntry(view, 'test', ids)

describe('a full space', () => {
  test('refuses a call that adds something, as a whole, and says what to do', async () => {
    const { space, quotas, one, add, lines } = await served()
    const before = await used(space)
    quotas.space = 1
    const { status, json } = await add(one, 'second')
    expect([status, json]).toEqual([507, SPACE_FULL])
    expect(await lines()).toEqual(['first'])
    expect(await used(space)).toBe(before)
  })

  test('takes what there is room for, and the byte after it is too much', async () => {
    const { space, quotas, one, add } = await served()
    const before = await used(space)
    await add(one, long)
    const size = (await used(space)) - before
    // The same call again needs as many bytes.
    quotas.space = before + size + size - 1
    expect((await add(one, long)).status).toBe(507)
    quotas.space++
    expect((await add(one, long)).status).toBe(200)
    expect(await used(space)).toBe(quotas.space)
  })

  test('deletes, undoes, empties the trash and forgets history', async () => {
    const { space, clock, quotas, one, plan, add, lines } = await served()
    const { json } = await add(one, 'second')
    quotas.space = 1
    const [{ id }] = json.items
    expect((await one.ask('DELETE /blocks', { blockIds: [id] })).status).toBe(200)
    expect(await lines()).toEqual(['first'])
    const [{ callId }] = (await one.ask('GET /history?limit=1')).json.items
    expect((await one.ask('POST /history/undo', { calls: [callId] })).status).toBe(200)
    expect(await lines()).toEqual(['first', 'second'])
    expect((await one.ask('DELETE /documents', { documentIds: [plan] })).status).toBe(200)
    clock.now++
    expect((await emptyTrash(space, clock.now, record)).documents).toHaveLength(1)
    await forgetHistory(space, { before: clock.now + 1 }, record)
    const { documents } = (await countsOf(space)).space
    expect(documents).toBe(0)
  })

  test('runs a batch if it only deletes, and refuses it whole if it also adds', async () => {
    const { quotas, one, plan, add, lines } = await served()
    const { json } = await add(one, 'second')
    quotas.space = 1
    const deletion = { tool: 'blocks_delete', arguments: { blockIds: [json.items[0].id] } }
    const addition = {
      tool: 'blocks_add',
      arguments: { markdown: 'third', position: { position: 'end', pageId: plan } },
    }
    const refused = await one.ask('POST /batch', { steps: [deletion, addition] })
    expect([refused.status, refused.json]).toEqual([507, SPACE_FULL])
    expect(await lines()).toEqual(['first', 'second'])
    expect((await one.ask('POST /batch', { steps: [deletion] })).status).toBe(200)
    expect(await lines()).toEqual(['first'])
  })

  test('refuses proposals that would add, and lets those that delete be approved and others be rejected', async () => {
    const { quotas, serving, one, add, lines } = await served().then((all) => ({ ...all, serving: all }))
    const agent = await serving.link({ name: 'Robot', access: 'propose' })
    const second = (await add(one, 'second')).json.items[0].id
    const waiting = (await add(agent, 'third')).json.proposal.proposalId
    quotas.space = 1
    expect((await add(agent, 'fourth')).json).toEqual(SPACE_FULL)
    const approve = async (id: string) => one.ask(`POST /proposals/${id}/approve`, await agreement(one, id))
    expect((await approve(waiting)).json).toEqual(SPACE_FULL)
    expect((await one.ask(`POST /proposals/${waiting}/reject`, {})).status).toBe(200)
    const { json } = await agent.ask('DELETE /blocks', { blockIds: [second] })
    expect((await approve(json.proposal.proposalId)).status).toBe(200)
    expect(await lines()).toEqual(['first'])
  })

  test('repeats the response to a call that it carried out before', async () => {
    const { quotas, one } = await served()
    const call = { documents: [{ title: 'Once' }] }
    const first = await one.ask('POST /documents', call, { 'idempotency-key': 'k' })
    quotas.space = 1
    const again = await one.ask('POST /documents', call, { 'idempotency-key': 'k' })
    expect([again.status, again.json]).toEqual([200, first.json])
    expect((await one.ask('POST /documents', call, { 'idempotency-key': 'other' })).status).toBe(507)
  })

  test('says in a dry run what it would refuse', async () => {
    const { quotas, one, plan } = await served()
    quotas.space = 1
    const blocks = { markdown: 'second', position: { position: 'end', pageId: plan } }
    const { json } = await one.ask('POST /batch', { dryRun: true, steps: [{ tool: 'blocks_add', arguments: blocks }] })
    expect(json).toEqual(SPACE_FULL)
  })

  test('keeps its history within its bound at each call that may exceed the quota', async () => {
    const { space, quotas, one, add } = await served()
    const { json } = await add(one, long)
    await space.write(OPERATOR_LINK, async ({ tx }) => {
      await changeRows(tx, 'UPDATE write_log SET change_bytes = ?', HISTORY_BYTES)
    })
    quotas.space = 1
    await one.ask('DELETE /blocks', { blockIds: [json.items[0].id] })
    const kept = await space.read(OPERATOR_LINK, ({ tx }) =>
      firstValue<number>(tx, 'SELECT coalesce(sum(change_bytes), 0) FROM write_log WHERE has_changes = 1'),
    )
    expect(Number(kept)).toBeLessThanOrEqual(HISTORY_BYTES)
  })
})

describe('the quota of links', () => {
  test('counts what one link wrote, and stops no other', async () => {
    const { space, quotas, one, other, add, lines } = await served()
    await add(other, long)
    quotas.link = 10_000
    expect((await add(other, 'more')).json.code).toBe('QUOTA_EXCEEDED')
    expect((await add(one, 'mine')).status).toBe(200)
    expect(await lines()).toEqual(['first', long, 'mine'])
    expect(await usedBy(space, other)).toBeGreaterThan(10_000)
    quotas.link = 1
    expect((await add(one, 'more')).json).toEqual(LINK_FULL)
  })

  test('charges nobody for deleting what another wrote, and the writer as long as history has it', async () => {
    const { space, clock, one, other, add } = await served()
    const { json } = await add(other, long)
    const [before, his] = [await usedBy(space, one), await usedBy(space, other)]
    await one.ask('DELETE /blocks', { blockIds: [json.items[0].id] })
    // Only the entry in the audit log.
    expect((await usedBy(space, one)) - before).toBeLessThan(500)
    expect(await usedBy(space, other)).toBeGreaterThanOrEqual(his)
    clock.now++
    await forgetHistory(space, { before: clock.now }, record)
    expect(await usedBy(space, other)).toBeLessThan(1_000)
  })

  test('charges whoever changes a block for what it becomes, and its former writer for what it was', async () => {
    const { space, one, other, add } = await served()
    const { json } = await add(other, long)
    const block = json.items[0].id
    const [before, his] = [await usedBy(space, one), await usedBy(space, other)]
    await one.ask('PUT /blocks', { blocks: [{ id: block, markdown: `${long}${long}` }] })
    expect((await usedBy(space, one)) - before).toBeGreaterThan(20_000)
    const change = (await usedBy(space, other)) - his
    expect(Math.abs(change)).toBeLessThan(500)
    // Moving it writes nothing of it.
    const moved = await usedBy(space, other)
    await other.ask('PUT /blocks/move', { blockIds: [block], position: { position: 'start', date: 'today' } })
    expect((await usedBy(space, other)) - moved).toBeLessThan(2_000)
  })

  test('charges undo for what it brings back', async () => {
    const { space, one, other, add } = await served()
    const { json } = await add(other, long)
    await one.ask('DELETE /blocks', { blockIds: [json.items[0].id] })
    const [{ callId }] = (await one.ask('GET /history?limit=1')).json.items
    const before = await usedBy(space, one)
    await one.ask('POST /history/undo', { calls: [callId] })
    expect((await usedBy(space, one)) - before).toBeGreaterThan(10_000)
  })

  test('counts responses stored for retries, and proposals with their files', async () => {
    const { space, serving, one, plan } = await served().then((all) => ({ ...all, serving: all }))
    const folders = { folders: [{ name: 'x'.repeat(900) }] }
    const before = await usedBy(space, one)
    await one.ask('POST /folders', folders)
    const plain = (await usedBy(space, one)) - before
    await one.ask('POST /folders', folders, { 'idempotency-key': 'k' })
    expect((await usedBy(space, one)) - before - plain).toBeGreaterThan(plain + 900)
    const agent = await serving.link({ name: 'Robot', access: 'propose' })
    await agent.ask('POST /blocks', { markdown: long, position: { position: 'end', pageId: plan } })
    // The call, and what the difference shows of it.
    expect(await usedBy(space, agent)).toBeGreaterThan(20_000)
    const bytes = await usedBy(space, agent)
    await fetch(`${agent.rest}/upload?position=end&pageId=${plan}`, {
      ...{ method: 'POST', body: 'f'.repeat(5_000), headers: { 'content-type': 'text/plain' } },
    })
    expect((await usedBy(space, agent)) - bytes).toBeGreaterThan(5_000)
  })
})

describe('files', () => {
  const upload = (link: TestLink, plan: string, body: string | ReadableStream<Uint8Array>) =>
    fetch(`${link.rest}/upload?position=end&pageId=${plan}`, {
      ...{ method: 'POST', body, headers: { 'content-type': 'text/plain' } },
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit)

  test('are counted once for equal bytes, for the link that added them first', async () => {
    const { space, one, other, plan } = await served()
    await upload(one, plan, 'same bytes')
    await upload(other, plan, 'same bytes')
    const { space: counts, links } = await countsOf(space)
    expect(counts.files).toBe(10)
    expect([links.get(one.info.id)?.files, links.get(other.info.id)?.files]).toEqual([10, 0])
  })

  test('are refused by their announced size before a byte is read, and as soon as they are too large', async () => {
    const { space, quotas, one, plan } = await served()
    const room = 100_000
    quotas.space = (await used(space)) + room
    const refused = await upload(one, plan, 'x'.repeat(room + 1))
    expect([refused.status, ((await refused.json()) as Answer).code]).toEqual([507, 'QUOTA_EXCEEDED'])
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 50_000
        controller.enqueue(new Uint8Array(50_000))
        if (sent > 100 * room) controller.close()
      },
    })
    const cut = await upload(one, plan, stream).then(
      (response) => response.status,
      () => 507,
    )
    expect(cut).toBe(507)
    expect(sent).toBeLessThan(50 * room)
    expect((await countsOf(space)).space.files).toBe(0)
    const files = await space.read(OPERATOR_LINK, ({ tx }) => firstValue<number>(tx, 'SELECT count(*) FROM file'))
    expect(Number(files)).toBe(0)
  })

  test('stop counting when nothing has them any more', async () => {
    const { space, clock, one, plan } = await served()
    const { blockId } = (await (await upload(one, plan, 'some bytes')).json()) as Answer
    await one.ask('DELETE /blocks', { blockIds: [blockId] })
    expect((await countsOf(space)).space.files).toBe(10)
    clock.now++
    await forgetHistory(space, { before: clock.now }, record)
    await space.deleteUnusedFiles()
    expect((await countsOf(space)).space.files).toBe(0)
  })
})

test('writers at the edge together never exceed a quota', async () => {
  const { space, quotas, one, other, add } = await served()
  quotas.space = (await used(space)) + 200_000
  quotas.link = 150_000
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => add(index % 2 === 0 ? one : other, `${index} ${long}`)),
  )
  const refused = responses.filter(({ status }) => status === 507)
  expect(refused.length).toBeGreaterThan(0)
  expect(await used(space)).toBeLessThanOrEqual(quotas.space)
  for (const link of [one, other]) expect(await usedBy(space, link)).toBeLessThanOrEqual(quotas.link)
  // What is left would not have been enough for another.
  expect(quotas.space - (await used(space))).toBeLessThan(11_000)
})

test('neither do those of several processes', async () => {
  const file = join(folder(), 'space.sqlite')
  const place = TEST_DATABASE === undefined ? file : `${TEST_DATABASE}#${randomUUID()}`
  const quotas: Quotas = {}
  const spaces: OpenSpace[] = []
  for (const _ of [1, 2, 3]) {
    const space = await openSpace(place, { timezone: 'UTC', quotas })
    onTestFinished(() => space.close())
    spaces.push(space)
  }
  const [first] = spaces as [OpenSpace]
  quotas.space = (await used(first)) + 200_000
  const link = await first.createAccessLink('full', [], 'writer')
  const add = toolCatalogFor(endpoints, 'full').get('documents_add')
  const writes = spaces.flatMap((space) =>
    Array.from({ length: 10 }, (_, index) =>
      runCall(add, { documents: [{ title: `${index}`, markdown: long }] }, { space, link }).catch(({ code }) => code),
    ),
  )
  const results = await Promise.all(writes)
  expect(results.filter((result) => result === 'QUOTA_EXCEEDED').length).toBeGreaterThan(0)
  expect(await used(first)).toBeLessThanOrEqual(quotas.space)
  expect(quotas.space - (await used(first))).toBeLessThan(11_000)
})
