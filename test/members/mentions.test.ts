/** Mentions: links to members in texts, titles, cells and comments, within reach and out of it. */
import { expect, test } from 'vitest'
import {
  addAccessLink,
  exposeDocuments,
  getActiveLink,
  type NewAccessLink,
} from '../../src/auth/access-links/access-links.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { exportOf, filesIn, importOf } from '../export/vault-exports.ts'

const NEW: NewAccessLink = { kind: 'selected', access: 'full', documents: [], isBearer: false, participant: 'Owner' }

/** A space with Anna and Bob, who wrote nothing, and connections to parts of it. */
async function opened() {
  const full = await connect()
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  for (const name of ['Anna', 'Bob']) await write((view) => addParticipant(view, name))
  const { members } = await full.call('connection_get')
  const idOf = (name: string): string => members.find((one: Answer) => one.name === name).id
  const narrow = async (...documents: string[]) => {
    const { info } = await write((view) => addAccessLink(view, { ...NEW, name: 'guest', documents }))
    const link = (await full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, info.id))) as AccessLink
    return { info, ...(await connect('selected', { to: full, documents, caller: { link } })) }
  }
  return { full, write, narrow, anna: idOf('Anna'), bob: idOf('Bob') }
}

const names = async (connected: Awaited<ReturnType<typeof connect>>) =>
  (await connected.call('connection_get')).members.map(({ name }: Answer) => name)

test('a mention stays as it was written, wherever text is', async () => {
  const { full, anna } = await opened()
  const mention = `[@Anna](person://${anna})`
  const document = await documentOf(full, `Ask ${mention} today.\n\n| who |\n| --- |\n| ${mention} |`)
  const [text, table] = await contentOf(full, document)
  expect(text.markdown).toBe(`Ask ${mention} today.`)
  expect(table.markdown).toContain(`| ${mention} |`)
  await full.call('blocks_update', { blocks: [{ id: text.id, markdown: `**Ask** ${mention} today.` }] })
  const attributes = [{ type: 'link', url: `person://${anna}`, start: 4, end: 9 }]
  await full.call('blocks_update', { blocks: [{ id: document, title: { value: 'For @Anna', attributes } }] })
  await full.call('comments_add', { comments: [{ blockId: text.id, content: `${mention}?` }] })
  const page = await full.call('blocks_get', { id: document, fetchMetadata: true })
  expect(page.title).toEqual({ value: 'For @Anna', attributes })
  expect(page.content[0].markdown).toContain(`**Ask** ${mention} today.`)
  expect(page.content[0].metadata.comments[0].content).toBe(`${mention}?`)
})

test('an export keeps mentions, and an import into the same space changes nothing', async () => {
  const { full, anna } = await opened()
  await documentOf(full, `Ask [@Anna](person://${anna}) today.`)
  const { path, report, read } = await exportOf(full)
  expect(report.problems).toEqual([])
  const [file = ''] = filesIn(path)
  expect(read(file)).toContain(`Ask [@Anna](person://${anna}) today.`)
  const { problems, call } = await importOf(path)
  expect(problems).toEqual([])
  const [{ id }] = (await call('documents_list')).items
  expect((await contentOf({ call } as typeof full, id))[0].markdown).toBe(`Ask [@Anna](person://${anna}) today.`)
})

test('who is mentioned within reach is known there, and the others are out of scope', async () => {
  const { full, narrow, anna, bob } = await opened()
  const shown = await documentOf(full, `Ask [@Anna](person://${anna}).`)
  const hidden = await documentOf(full, `Ask [@Bob](person://${bob}).`)
  const guest = await narrow(shown)
  expect(await names(guest)).toEqual(['Anna', 'guest'])
  const [block] = await contentOf(guest, shown)
  expect(block.markdown).toBe(`Ask [@Anna](person://${anna}).`)
  // Who is named in a comment does not become known.
  await guest.call('comments_add', { comments: [{ blockId: block.id, content: `[@Bob](person://${bob})?` }] })
  const commentOf = async (connected: typeof full) =>
    (await connected.call('blocks_get', { id: block.id, fetchMetadata: true })).metadata.comments[0]
  const comment = await commentOf(guest)
  expect(comment.content).toBe('[@Bob](invalid:out_of_scope)?')
  // Written back, it is what it was.
  await guest.call('comments_update', { comments: [{ id: comment.id, content: `${comment.content} Soon.` }] })
  expect((await commentOf(full)).content).toBe(`[@Bob](person://${bob})? Soon.`)
  expect(await names(guest)).toEqual(['Anna', 'guest'])
  await full.call('blocks_delete', { blockIds: [block.id] })
  expect(await names(guest)).toEqual(['guest'])
  expect(await names(await narrow(hidden))).toEqual(['Bob', 'guest'])
})

test('an ID from elsewhere tells a narrow connection nothing, whether there is such a member or not', async () => {
  const { full, narrow, bob } = await opened()
  const shown = await documentOf(full, 'words')
  const guest = await narrow(shown)
  const [block] = await contentOf(guest, shown)
  const none = String(Number(bob) === 999_999_999_999 ? 999_999_999_998 : 999_999_999_999)
  const answers: unknown[] = []
  for (const id of [bob, none]) {
    const mention = `[@x](person://${id})`
    const position = { position: 'end', pageId: shown }
    const added = await guest.call('blocks_add', { markdown: `a ${mention}\n\n| ${mention} |\n| --- |`, position })
    const updated = await guest.call('blocks_update', { blocks: [{ id: block.id, markdown: `b ${mention}` }] })
    const titled = await guest.call('blocks_update', { blocks: [{ id: shown, markdown: `c ${mention}` }] })
    const link = { type: 'richUrl', url: `person://${id}` }
    const linked = await guest.call('blocks_add', { blocks: [link], position })
    const seen = [added, updated, titled, linked, await names(guest), await contentOf(guest, shown)]
    answers.push(JSON.parse(JSON.stringify(seen).replaceAll(id, 'ID')))
    const ids = [...added.items, ...linked.items].map((item: Answer) => item.id)
    await guest.call('blocks_delete', { blockIds: ids })
  }
  const withoutIds = (answer: unknown) =>
    JSON.stringify(answer)
      .replaceAll(/1000000\d{5}/g, '#')
      .replaceAll(/"revision":"[^"]*"/g, '')
  expect(withoutIds(answers[0])).toBe(withoutIds(answers[1]))
  expect(withoutIds(answers[0])).toContain('[@x](invalid:out_of_scope)')
  expect((await contentOf(full, shown))[0].markdown).toBe('b [@x](invalid:out_of_scope)')
})

test('a mention of somebody who is not known any more stays in a block that is written again', async () => {
  const { full, write, narrow, anna } = await opened()
  const shown = await documentOf(full, `Ask [@Anna](person://${anna}).`)
  const guest = await narrow(shown)
  const [block] = await contentOf(guest, shown)
  await guest.call('blocks_update', { blocks: [{ id: block.id, markdown: `${block.markdown} Now.` }] })
  expect((await contentOf(full, shown))[0].markdown).toBe(`Ask [@Anna](person://${anna}). Now.`)
  const other = await documentOf(full, 'other words')
  await write((view) => exposeDocuments(view, guest.info.id, [other]))
  const link = (await full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, guest.info.id))) as AccessLink
  const moved = await connect('selected', { to: full, documents: [other], caller: { link } })
  await moved.call('blocks_add', {
    markdown: `[@Anna](person://${anna})`,
    position: { position: 'end', pageId: other },
  })
  expect((await contentOf(full, other)).at(-1).markdown).toBe('[@Anna](invalid:out_of_scope)')
})
