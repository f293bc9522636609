/** Getting documents back: out of the trash, and as they were. */
import { beforeEach, expect, test } from 'vitest'
import type { Serving } from '../http/serving.ts'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let anna: Program
let folder: string
let plan: string
beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'anna')
  folder = (await anna('folders_add', { folders: [{ name: 'Works' }] })).items[0].id
  plan = await add({ folderId: folder })
})

const add = async (destination: object): Promise<string> =>
  (await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }], destination })).items[0].id

const placeOf = async (id: string) => {
  const [entry] = (await anna('documents_list', { documentIds: [id] })).items
  return entry.folderId ?? entry.location
}

const restore = async (from: Visitor, id: string) => {
  await anna('documents_delete', { documentIds: [id] })
  return from.press(await from.get(`/d/${id}`), 'Restore')
}

test('a document goes back to the folder that it was in, also after that was renamed', async () => {
  await anna('folders_update', { folders: [{ id: folder, name: 'Yard' }] })
  const restored = await restore(visitor, plan)
  expect(await placeOf(plan)).toBe(folder)
  expect(textOf(restored)).toContain('Moved out of the trash, to where it was.')
  expect(textOf(restored)).toContain('Yard')
})

test('one that was moved since goes to its last place, and templates and unsorted ones to theirs', async () => {
  await anna('documents_move', { documentIds: [plan], destination: { destination: 'templates' } })
  await restore(visitor, plan)
  expect(await placeOf(plan)).toBe('templates')
  const loose = await add({ destination: 'unsorted' })
  await anna('documents_move', { documentIds: [loose], destination: { folderId: folder } })
  await anna('documents_move', { documentIds: [loose], destination: { destination: 'unsorted' } })
  await restore(visitor, loose)
  expect(await placeOf(loose)).toBe('unsorted')
})

test('without its folder it goes to Unsorted, which the notice says', async () => {
  await anna('documents_delete', { documentIds: [plan] })
  await anna('folders_delete', { folderIds: [folder] })
  const restored = await visitor.press(await visitor.get(`/d/${plan}`), 'Restore')
  expect(await placeOf(plan)).toBe('unsorted')
  expect(textOf(restored)).toContain('Moved out of the trash to Unsorted: the folder it was in is gone')
})

test('a daily note goes back to its day', async () => {
  await anna('blocks_add', { markdown: 'one', position: { date: '2026-11-25', position: 'end' } })
  const { id } = await anna('blocks_get', { date: '2026-11-25' })
  await restore(visitor, id)
  expect(await placeOf(id)).toBe('daily_notes')
})

test('one that was restored and moved meanwhile stays where it is', async () => {
  await anna('documents_delete', { documentIds: [plan] })
  const open = await visitor.get(`/d/${plan}`)
  await anna('documents_move', { documentIds: [plan], destination: { destination: 'unsorted' } })
  await visitor.press(open, 'Restore')
  expect(await placeOf(plan)).toBe('unsorted')
})

test('over a link that proposes, it waits for approval', async () => {
  const proposer = await visitByLink(serving, { access: 'propose' })
  expect(textOf(await restore(proposer, plan))).toContain('Proposed. It happens once it is approved.')
  expect(await placeOf(plan)).toBe('trash')
})

test('an earlier version is restored from where it is read, and the latest one offers nothing', async () => {
  const { content } = await anna('blocks_get', { id: plan, maxDepth: 1 })
  await anna('blocks_update', { blocks: [{ id: content[0].id, markdown: 'two' }] })
  await anna('blocks_update', { blocks: [{ id: content[0].id, markdown: 'three' }] })
  const { items } = await anna('history_list', { documentId: plan })
  const [latest, second, first] = items.map(({ callId }: { callId: string }) => callId)
  const textNow = async () => (await anna('blocks_get', { id: plan, maxDepth: 1 })).content[0].markdown
  expect(offers(await visitor.get(`/d/${plan}/at/${latest}`), 'Restore this version')).toBe(false)
  await visitor.press(await visitor.get(`/d/${plan}/at/${second}`), 'Restore this version')
  expect(await textNow()).toBe('two')
  await visitor.press(await visitor.get(`/d/${plan}/at/${first}`), 'Restore this version')
  expect(await textNow()).toBe('one')
  const reader = await visitByLink(serving, { access: 'read' })
  expect(offers(await reader.get(`/d/${plan}/at/${first}`), 'Restore this version')).toBe(false)
})
