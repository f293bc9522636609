/** Menus of the tree: what they offer to whom, and what their forms do. */
import { beforeEach, expect, test } from 'vitest'
import type { Serving } from '../http/serving.ts'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let anna: Program
let plan: string
let folder: string
beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'anna')
  folder = (await anna('folders_add', { folders: [{ name: 'Works' }] })).items[0].id
  const added = await anna('documents_add', {
    documents: [{ title: 'Plan', markdown: 'one' }],
    destination: { folderId: folder },
  })
  plan = added.items[0].id
})

const titleOf = async (id: string) => (await anna('blocks_get', { id, maxDepth: 0 })).markdown

test('a document is renamed, and the notice takes it back', async () => {
  const form = await visitor.get(`/d/${plan}/rename`)
  const renamed = await visitor.press(form, 'Save', { title: 'Quay plan' })
  expect(await titleOf(plan)).toBe('Quay plan')
  await visitor.press(renamed, 'Undo')
  expect(await titleOf(plan)).toBe('Plan')
})

test('a document that is renamed keeps the marks of the words that stay', async () => {
  const attributes = [{ type: 'bold', start: 0, end: 4 }]
  await anna('blocks_update', { blocks: [{ id: plan, title: { value: 'Plan of the quay', attributes } }] })
  await visitor.press(await visitor.get(`/d/${plan}/rename`), 'Save', { title: 'Plan of the pier' })
  const { title } = await anna('blocks_get', { id: plan, maxDepth: 0 })
  expect(title).toMatchObject({ value: 'Plan of the pier', attributes })
  await anna('blocks_update', { blocks: [{ id: plan, title: 'Plan' }] })
})

test('an emoji becomes the icon, another one replaces it, and the marks of the title stay with their words', async () => {
  await anna('blocks_update', {
    blocks: [{ id: plan, title: { value: 'Plan', attributes: [{ type: 'bold', start: 0, end: 4 }] } }],
  })
  const choose = async (emoji: string) => visitor.press(await visitor.get(`/d/${plan}/icon`), 'Save', { emoji })
  await choose('\u{1f6a2}')
  await choose('\u{1f3d7}\ufe0f')
  const { title } = await anna('blocks_get', { id: plan, maxDepth: 0 })
  expect(title.value).toBe('\u{1f3d7}\ufe0f Plan')
  expect(
    title.attributes.map(({ start, end }: { start: number; end: number }) => title.value.slice(start, end)),
  ).toEqual(['Plan'])
  expect((await visitor.get(`/folders/${folder}`)).text).toContain('\u{1f3d7}\ufe0f Plan')
  const refused = await choose('ship')
  expect([refused.status, textOf(refused).includes('Expected one emoji')]).toEqual([400, true])
  await choose('')
  expect(await titleOf(plan)).toBe('Plan')
})

test('the menu of an open document has the icon, and each emoji that is offered becomes it with one press', async () => {
  expect(offers(await visitor.get(`/d/${plan}`), 'Icon…')).toBe(true)
  const form = await visitor.get(`/d/${plan}/icon`)
  const offered = [...form.text.matchAll(/<button class="plain" name="emoji" value="([^"]+)"/g)].map(
    ([, emoji = '']) => emoji,
  )
  expect(offered.length).toBeGreaterThan(40)
  expect(new Set(offered).size).toBe(offered.length)
  expect(offered.filter((emoji) => !/^\p{RGI_Emoji}$/v.test(emoji))).toEqual([])
  const [first = ''] = offered
  await visitor.press(form, first, { emoji: first })
  expect(await titleOf(plan)).toBe(`${first} Plan`)
  const chosen = await visitor.get(`/d/${plan}/icon`)
  expect(chosen.text).toContain(`value="${first}" aria-pressed="true"`)
  await visitor.press(chosen, 'No icon', { emoji: '' })
  expect(await titleOf(plan)).toBe('Plan')
})

test('the day of a daily note is no title that an icon could begin', async () => {
  const { id } = await anna('blocks_get', { date: '2026-11-25' }).catch(() =>
    anna('blocks_add', { markdown: 'one', position: { date: '2026-11-25', position: 'end' } }).then(() =>
      anna('blocks_get', { date: '2026-11-25' }),
    ),
  )
  expect(offers(await visitor.get(`/d/${id}`), 'Icon…')).toBe(false)
})

test('a page is made inside a document, and moved before another one', async () => {
  const form = await visitor.get(`/d/${plan}/pages/new`)
  await visitor.press(form, 'Make it', { title: 'First' })
  await visitor.press(form, 'Make it', { title: 'Second' })
  const pages = async () => {
    const { content } = await anna('blocks_get', { id: plan, maxDepth: 1 })
    return content.filter(({ type }: { type: string }) => type === 'page')
  }
  const [first, second] = await pages()
  await visitor.send(`/d/${second.id}/place`, { where: 'before', target: first.id })
  expect((await pages()).map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  await visitor.send(`/d/${second.id}/place`, { where: 'into', target: first.id })
  expect((await pages()).map(({ id }: { id: string }) => id)).toEqual([first.id])
})

/** A page within the plan, and one within it. */
async function innerPages(): Promise<{ outer: string; inner: string }> {
  const add = async (title: string, pageId: string) =>
    (await anna('blocks_add', { blocks: [{ type: 'page', title }], position: { position: 'end', pageId } })).items[0].id
  const outer = await add('Kitchen', plan)
  return { outer, inner: await add('Oven', outer) }
}

test('a page within a document has the menus of one, but for what only whole documents have', async () => {
  const { outer } = await innerPages()
  const page = await visitor.get(`/d/${outer}`)
  const both = ['Move…', 'Icon…', 'Cover…', 'Delete the page']
  for (const words of [...both, 'Remind me…', 'New whiteboard', 'New collection…', 'Export the document…'])
    expect(offers(page, words), words).toBe(true)
  for (const words of ['Move to the trash', 'Pin to Home', 'Lock against agents', 'Export…'])
    expect(offers(page, words), words).toBe(false)
  expect(page.text).toContain(`/export?document=${plan}"`)
  const actions = await visitor.get(`/d/${outer}/actions`)
  for (const words of both) expect(offers(actions, words), words).toBe(true)
  expect(offers(await visitor.get(`/d/${plan}`), 'Delete the page')).toBe(false)

  const reader = await visitByLink(serving, { access: 'read' })
  const read = await reader.get(`/d/${outer}`)
  for (const words of both) expect(offers(read, words), words).toBe(false)
  expect((await reader.get(`/d/${outer}/move-page`)).status).toBe(404)
  expect((await reader.post(`/d/${outer}/delete`)).status).toBeGreaterThanOrEqual(400)
})

test('a page within a document is deleted, which leads to the page around it, and the notice takes it back', async () => {
  const { outer, inner } = await innerPages()
  const deleted = await visitor.press(await visitor.get(`/d/${inner}`), 'Delete the page')
  expect(new URL(deleted.url).pathname.endsWith(`/d/${outer}`)).toBe(true)
  expect(textOf(deleted)).toContain('The page was deleted.')
  expect((await visitor.get(`/d/${inner}`)).status).toBe(404)
  await visitor.press(deleted, 'Undo')
  expect(await titleOf(inner)).toBe('Oven')
  // In the tree, the page around the open one is deleted with it.
  const fromTree = await visitor.get(`/d/${outer}/actions?back=/d/${inner}`)
  const both = await visitor.press(fromTree, 'Delete the page')
  expect(new URL(both.url).pathname.endsWith(`/d/${plan}`)).toBe(true)
  const refused = await visitor.post(`/d/${plan}/delete`)
  expect([refused.status, textOf(refused).includes('Expected a page within a document')]).toEqual([400, true])
  expect(await titleOf(plan)).toBe('Plan')
})

test('a page within a document is moved to another document, and the notice takes it back', async () => {
  const { outer, inner } = await innerPages()
  const [other] = (await anna('documents_add', { documents: [{ title: 'House' }] })).items
  const form = await visitor.get(`/d/${inner}/move-page`)
  expect(form.text).toContain('>House</option>')
  const moved = await visitor.press(form, 'Move it', { place: other.id })
  const around = async () =>
    (await anna('blocks_get', { id: inner, maxDepth: 0, fetchMetadata: true })).pageBlockPath.at(-1).id
  expect(await around()).toBe(other.id)
  await visitor.press(moved, 'Undo')
  expect(await around()).toBe(outer)
  const refused = await visitor.press(form, 'Move it', { place: 'Nowhere' })
  expect(textOf(refused)).toContain('Expected the name of a document, found “Nowhere”')
})

test('a folder is renamed and moved, and undo takes back the move', async () => {
  const [inner] = (await anna('folders_add', { folders: [{ name: 'Inner' }] })).items
  await visitor.send(`/folders/${inner.id}/name`, { name: 'Inside' })
  const moved = await visitor.send(`/folders/${inner.id}/move`, { place: folder })
  const own = async () =>
    (await anna('folders_list')).items.filter(({ id }: { id: string }) => /^\d+$/.test(id)) as {
      name: string
      folders: { name: string }[]
    }[]
  expect((await own()).map(({ name, folders }) => [name, folders.map((one) => one.name)])).toEqual([
    ['Works', ['Inside']],
  ])
  await visitor.press(moved, 'Undo')
  expect((await own()).map(({ name }) => name)).toEqual(['Works', 'Inside'])
})

test('a menu offers what the link may do, and links that only read have none', async () => {
  const actions = await visitor.get(`/d/${plan}/actions`)
  for (const words of ['Open', 'Rename…', 'Icon…', 'Move…', 'Pin to Home', 'New page inside…', 'Move to the trash'])
    expect(offers(actions, words), words).toBe(true)
  const ofFolder = await visitor.get(`/folders/${folder}/actions`)
  for (const words of ['Rename or move…', 'New document…', 'New folder…', 'Delete the folder'])
    expect(offers(ofFolder, words), words).toBe(true)
  expect((await visitor.get(`/folders/${folder}`)).text).toContain('class="entry-menu"')

  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/folders/${folder}`)).text).not.toContain('entry-menu')
  for (const path of [`/d/${plan}/actions`, `/d/${plan}/rename`, `/d/${plan}/icon`, `/folders/${folder}/actions`])
    expect((await reader.get(path)).status, path).toBe(404)
  expect((await reader.post(`/d/${plan}/rename`, { title: 'Taken' })).status).toBeGreaterThanOrEqual(400)
  expect(await titleOf(plan)).toBe('Plan')

  const proposer = await visitByLink(serving, { access: 'propose' })
  const proposed = await proposer.press(await proposer.get(`/d/${plan}/rename`), 'Save', { title: 'Proposed' })
  expect(textOf(proposed)).toContain('Proposed. It happens once it is approved.')
  expect(await titleOf(plan)).toBe('Plan')
})

test('among many folders, the one to move to is found by typing, also without scripts', async () => {
  const few = await visitor.get(`/d/${plan}/move`)
  expect(few.text).toContain('<select name="place">')
  const many = Array.from({ length: 30 }, (_, index) => ({ name: `Pier ${index + 1}` }))
  const piers: { id: string }[] = (await anna('folders_add', { folders: many })).items
  const inner = (
    await anna('folders_add', {
      folders: [
        { name: 'Cranes', parentFolderId: piers[0]?.id },
        { name: 'Cranes', parentFolderId: piers[1]?.id },
      ],
    })
  ).items
  const folderOf = async () =>
    (await anna('documents_list', { documentIds: [plan], fetchMetadata: true })).items[0].folderId
  const form = () => visitor.get(`/d/${plan}/move`)
  const { text } = await form()
  expect(text).toContain('list="place-places" value="Works"')
  expect(text).toContain('<option value="Pier 1 / Cranes"></option>')
  await visitor.press(await form(), 'Move it', { place: 'pier 7' })
  expect(await folderOf()).toBe(piers[6]?.id)
  await visitor.press(await form(), 'Move it', { place: 'Pier 2 / Cranes' })
  expect(await folderOf()).toBe(inner[1].id)
  const several = await visitor.press(await form(), 'Move it', { place: 'Cranes' })
  expect(textOf(several)).toContain('Expected one folder, found several called “Cranes”; choose one of the list')
  // Each of those with the same path can be chosen.
  const twin = { name: 'Cranes', parentFolderId: piers[0]?.id }
  const [second] = (await anna('folders_add', { folders: [twin] })).items
  expect((await form()).text).toContain('<option value="Pier 1 / Cranes (1)"></option>')
  await visitor.press(await form(), 'Move it', { place: 'Pier 1 / Cranes (2)' })
  expect([inner[0].id, second.id]).toContain(await folderOf())
  const first = await folderOf()
  await visitor.press(await form(), 'Move it', { place: 'Pier 1 / Cranes (1)' })
  expect([inner[0].id, second.id].filter((id) => id !== first)).toEqual([await folderOf()])
  await visitor.press(await form(), 'Move it', { place: 'Pier 2 / Cranes' })
  const none = await visitor.press(await form(), 'Move it', { place: 'Pear 7' })
  expect(none.status).toBe(400)
  expect(textOf(none)).toContain('Expected the name of a folder, found “Pear 7”; choose one of the list.')
  expect(none.text).toContain('value="Pear 7"')
  expect(await folderOf()).toBe(inner[1].id)
})
