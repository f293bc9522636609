/** A stored response is replayed only to callers who still reach everything that was in reach at the time. */
import { expect, test } from 'vitest'
import { exposeDocuments } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { contentAt } from '../http/files-asker.ts'
import { documentBy, type Serving, serveBuilt, type TestLink } from '../http/serving.ts'
import { changeRows } from '../sqlite.ts'
import { agreement } from './serve-proposals.ts'

const keyed = { 'idempotency-key': 'k' }
const CHANGED = {
  error:
    'Expected to reach what the call with the idempotency key "k" reached when it was first used, found that this has changed; the call was carried out then, and nothing was written now. Read the current state.',
  code: 'CONFLICT',
}

async function world() {
  const serving = await serveBuilt()
  const full = await serving.link()
  const [one, other] = [await documentBy(full), await documentBy(full)]
  const selected = await serving.link({ kind: 'selected', documents: [one, other] })
  return { serving, full, one, other, selected }
}

/** Writes with an idempotency key, and returns a function that repeats the call. */
async function written({ ask }: TestLink, pageId?: string) {
  const position = { position: 'end', ...(pageId === undefined ? { date: 'today' } : { pageId }) }
  const again = () => ask('POST /blocks', { markdown: 'secret words', position }, keyed)
  const first = await again()
  expect(first.status).toBe(200)
  expect((await again()).text).toBe(first.text)
  return { again, blockId: first.json.items[0].id as string }
}

const expose = ({ space }: Serving, { info }: TestLink, documents: string[]) =>
  space.write(OPERATOR_LINK, (view) => exposeDocuments(view, info.id, documents))

test('not once the document is no longer exposed, even if its block is gone, and again when it is exposed', async () => {
  const { serving, full, one, other, selected } = await world()
  const { again, blockId } = await written(selected, one)
  await expose(serving, selected, [other])
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
  await expose(serving, selected, [one, other])
  expect((await again()).status).toBe(200)
  await full.ask('DELETE /blocks', { blockIds: [blockId] })
  expect((await again()).text).toContain('secret words')
  await expose(serving, selected, [other])
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
  expect(await contentAt(full, `id=${one}`)).toEqual([])
})

test('not while the document is in the trash', async () => {
  const { full, one, selected } = await world()
  const { again } = await written(selected, one)
  await full.ask('DELETE /documents', { documentIds: [one] })
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
})

test('not if the block was moved out of reach, nor on a daily link if its note was deleted', async () => {
  const { serving, full, one, selected } = await world()
  const { again, blockId } = await written(selected, one)
  const hidden = await documentBy(full)
  await full.ask('PUT /blocks/move', { blockIds: [blockId], position: { position: 'end', pageId: hidden } })
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })

  const daily = await serving.link({ kind: 'daily' })
  const note = await written(daily)
  const { id } = (await full.ask('GET /blocks?date=today')).json
  await full.ask('DELETE /documents', { documentIds: [id] })
  expect(await note.again()).toMatchObject({ status: 409, json: CHANGED })
})

test('not if the call named something that has left reach, even if its response did not', async () => {
  const { serving, full } = await world()
  const daily = await serving.link({ kind: 'daily' })
  const position = { position: 'end', date: 'today' }
  const schema = { name: 'C', properties: [] }
  const { collectionBlockId } = (await full.ask('POST /collections', { schema, position })).json
  const view = { view: { name: 'Secret view', type: 'table' } }
  const again = () => daily.ask(`POST /collections/${collectionBlockId}/views`, view, keyed)
  expect((await again()).text).toContain('Secret view')
  const hidden = await documentBy(full)
  const away = { blockIds: [collectionBlockId], position: { position: 'end', pageId: hidden } }
  expect((await full.ask('PUT /blocks/move', away)).status).toBe(200)
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
})

test.each(['approve', 'reject'])('not if it was to %s a proposal to change a deleted note', async (verb) => {
  const { serving, full } = await world()
  const [daily, agent] = [
    await serving.link({ kind: 'daily' }),
    await serving.link({ kind: 'daily', access: 'propose' }),
  ]
  const position = { position: 'end', date: 'today' }
  await full.ask('POST /blocks', { markdown: 'a note', position })
  const { json } = await agent.ask('POST /blocks?ids=short', { markdown: 'words', position })
  const { proposalId } = json.proposal
  const agreed = verb === 'approve' ? await agreement(daily, proposalId) : {}
  const again = () => daily.ask(`POST /proposals/${proposalId}/${verb}`, agreed, keyed)
  expect((await again()).status).toBe(200)
  expect((await again()).status).toBe(200)
  const { id } = (await full.ask('GET /blocks?date=today')).json
  await full.ask('DELETE /documents', { documentIds: [id] })
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
})

test('not if the link has less access', async () => {
  const { serving, one, selected } = await world()
  const { again } = await written(selected, one)
  await serving.space.write(OPERATOR_LINK, async ({ tx }) => {
    await changeRows(tx, "UPDATE link SET access = 'no-delete' WHERE id = ?", selected.info.id)
  })
  expect(await again()).toMatchObject({ status: 409, json: CHANGED })
})

test('not about one person’s own things once someone else takes part', async () => {
  const { serving, full, one } = await world()
  const remindAt = new Date(serving.clock.now + 3_600_000).toISOString()
  const again = () => full.ask('POST /reminders', { reminders: [{ blockId: one, remindAt }] }, keyed)
  expect((await again()).status).toBe(200)
  await serving.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Bob'))
  expect((await again()).json.code).toBe('REMINDERS_UNAVAILABLE')
})

test('the same whether an ID that was always out of reach belongs to a hidden block or to none', async () => {
  const { full, one, selected } = await world()
  const hidden = await documentBy(full)
  const position = { position: 'end', pageId: one }
  for (const id of [hidden, '01900000-0000-7000-8000-00000000dead']) {
    const attributes = [{ start: 0, end: 1, type: 'blockLink', blockId: id }]
    const blocks = [{ type: 'page', title: { value: 'Title', attributes } }]
    const again = () => selected.ask('POST /blocks', { blocks, position }, { 'idempotency-key': id })
    const first = await again()
    expect(first.status).toBe(200)
    expect((await again()).text).toBe(first.text)
  }
})
