/** A block that was read and is written back later, after others changed the document. Its lock is its own state. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { forgetChangesBefore } from '../../storage/history-retention.ts'
import { type Answer, connect } from '../connect.ts'
import { askerOf, documentBy } from './rest-asker.ts'

const MARKDOWN = 'one\n\ntwo\n\n<page><pageTitle>Page</pageTitle><content>\nthree\n\n- [ ] four\n</content></page>'

async function build() {
  const connected = await connect()
  const asker = await askerOf({ to: connected })
  const id = await documentBy(asker, MARKDOWN)
  const read = async (block: string): Promise<Answer> =>
    (await asker.ask(`GET /blocks?id=${block}&fetchMetadata=true`)).json
  const update = async (...blocks: object[]) => {
    const { status, json } = await asker.ask('PUT /blocks', { blocks })
    expect(json).toHaveProperty('items')
    return { status, items: json.items }
  }
  const conflict = async (...blocks: object[]) => {
    const before = await read(id)
    const { status, json } = await asker.ask('PUT /blocks', { blocks })
    expect([status, json.code]).toEqual([409, 'CONFLICT'])
    expect(await read(id)).toEqual(before)
    return json.error
  }
  const [one, two, page] = (await read(id)).content
  const [three, four] = page.content
  return { ...asker, id, one, two, page, three, four, read, update, conflict }
}

test('a block that was read by ID is written although other blocks changed', async () => {
  const { ask, id, one, two, page, three, four, read, update } = await build()
  const blocks = await Promise.all([two, three, four].map((block) => read(block.id)))
  await update({ id: one.id, markdown: 'ONE' })
  await update({ id: page.id, markdown: 'PAGE' })
  await ask('POST /blocks', { markdown: 'zero', position: { position: 'before', siblingId: one.id } })
  await ask('PUT /blocks/move', { blockIds: [one.id], position: { position: 'end', pageId: id } })
  const { items } = await update(...blocks.map((block) => ({ ...block, markdown: `${block.markdown} NEW` })))
  expect(items.map(({ markdown }: Answer) => markdown)).toEqual(['two NEW', 'three NEW', '- [ ] four NEW'])
})

test('so is one that was read as part of its page, with the revision of that', async () => {
  const { id, one, two, read, update, conflict } = await build()
  const { revision } = await read(id)
  await update({ id: one.id, markdown: 'ONE' })
  await update({ id: two.id, markdown: 'TWO', revision })
  expect(await conflict({ id: one.id, markdown: 'mine', revision })).toContain('was changed since')
})

test('one that changed itself is refused as a conflict, and nothing is written', async () => {
  const { one, two, read, update, conflict } = await build()
  const block = await read(one.id)
  await update({ id: one.id, markdown: 'ONE' })
  expect(await conflict({ id: two.id, markdown: 'x' }, { ...block, markdown: 'mine' })).toBe(
    `At blocks[1].revision: Expected block ${one.id} as it was read at revision ${block.revision}, found that it was changed since; nothing was written, read it again.`,
  )
  await update({ ...(await read(one.id)), markdown: 'mine' })
})

test('also if it changed between other changes, or got a color, or was moved to another document meanwhile', async () => {
  const asker = await build()
  const { one, two, read, update, conflict, ask } = asker
  const block = await read(one.id)
  await update({ id: two.id, markdown: 'TWO' })
  await update({ id: one.id, color: '#ff0000' })
  await update({ id: two.id, markdown: 'two' })
  expect(await conflict({ ...block, markdown: 'mine' })).toContain('was changed since')
  const later = await read(two.id)
  const other = await documentBy(asker, 'x', 'Other')
  await ask('PUT /blocks/move', { blockIds: [two.id], position: { position: 'end', pageId: other } })
  expect((await ask('PUT /blocks', { blocks: [{ ...later, markdown: 'mine' }] })).status).not.toBe(200)
})

test('a page is renamed although its content changed; content that is sent as it was read is a conflict', async () => {
  const { page, three, read, update, conflict } = await build()
  const { content, ...read1 } = await read(page.id)
  await update({ id: three.id, markdown: 'THREE' })
  expect(await conflict({ ...read1, content, markdown: 'New' })).toBe(
    'At blocks[0].content: Expected content[0].markdown as it is ("THREE"), found "three"; it has changed since it was read; read it again, or leave it out.',
  )
  await update({ ...read1, markdown: 'New' })
  expect((await read(page.id)).markdown).toBe('New')
})

test('the revision of a part of a page is one, that of the past and of the future are not', async () => {
  const { ask, refused, id, page, read, update } = await build()
  const { json } = await ask(`GET /blocks?id=${page.id}&maxDepth=0`)
  expect(json.revision).toMatch(/-part$/)
  await update({ ...json, markdown: 'New' })
  const { revision } = await read(id)
  const past = `${revision}-past`
  expect(await refused(400, 'PUT /blocks', { blocks: [{ id: page.id, revision: past }] })).toBe(
    `At blocks[0].revision: Expected the revision of a block as it is, found ${past}, that of an earlier state; read it without at, or leave revision out to write the earlier state.`,
  )
  for (const wrong of ['1000', 'x', '-1', `${revision}-new`]) {
    expect(await refused(400, 'PUT /blocks', { blocks: [{ id: page.id, revision: wrong }] })).toBe(
      `At blocks[0].revision: Expected a revision as blocks_get returns it, at most ${revision}, found "${wrong}"; read the block again, or leave revision out.`,
    )
  }
})

test('a block of an earlier step may be written in a later one', async () => {
  const { ask, id, one, two, read } = await build()
  const block = await read(two.id)
  const steps = [
    { tool: 'blocks_update', arguments: { blocks: [{ id: one.id, markdown: 'ONE' }] } },
    { tool: 'blocks_update', arguments: { blocks: [{ ...block, markdown: 'TWO' }] } },
  ]
  expect((await ask('POST /batch', { steps })).status).toBe(200)
  expect((await read(id)).content.map(({ markdown }: Answer) => markdown).slice(0, 2)).toEqual(['ONE', 'TWO'])
})

test('what is no longer in the history counts as changed', async () => {
  const connected = await connect()
  const asker = await askerOf({ to: connected })
  const id = await documentBy(asker, 'one\n\ntwo')
  const [one, two] = (await asker.ask(`GET /blocks?id=${id}`)).json.content
  const block = (await asker.ask(`GET /blocks?id=${two.id}`)).json
  await asker.ask('PUT /blocks', { blocks: [{ id: one.id, markdown: 'ONE' }] })
  await connected.space.write(OPERATOR_LINK, ({ tx }) => forgetChangesBefore(tx, connected.clock.now, 10))
  const { status, json } = await asker.ask('PUT /blocks', { blocks: [{ ...block, markdown: 'TWO' }] })
  expect([status, json.code]).toEqual([409, 'CONFLICT'])
})
