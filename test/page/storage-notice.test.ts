/** What pages show of the bytes that a space stores. */
import { expect, test, vi } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { type Quotas, sumOfBytes } from '../../src/space/model/quota.ts'
import { buildSpace } from '../build.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const WITHOUT_ROOM =
  'Without room, only deleting and undo work. What was deleted counts as long as its history is kept.'

async function served(quotas: Quotas) {
  const serving = await servePages({ to: await buildSpace(undefined, { quotas }) })
  const { items } = await program(serving.space, 'editor')('documents_add', { documents: [{ title: 'Plan' }] })
  return { serving, plan: items[0].id as string }
}

test('the pages of links and settings show what each link wrote, and what the space stores', async () => {
  const { serving } = await served({ space: 10_000_000_000 })
  const link = await serving.link({ name: 'Robot' })
  await link.ask('POST /documents', { documents: [{ title: 'x'.repeat(1000) }] })
  const operator = await visitAsOperator(serving)
  expect(textOf(await operator.get('/links'))).toMatch(/ · wrote 1\.\d kB /)
  expect(textOf(await operator.get('/settings'))).toMatch(
    /Storage The space stores 2\.\d kB of 10 GB: 1\.\d kB of documents, \d+ bytes of history and 0 bytes of files\./,
  )
})

test('every page says that a quota is nearly used up, to links that reach the whole space', async () => {
  const quotas: Quotas = {}
  const { serving, plan } = await served(quotas)
  const anna = await visitByLink(serving)
  const narrow = await visitByLink(serving, { kind: 'selected', documents: [plan] })
  expect(textOf(await anna.get('/'))).not.toContain('Without room')
  quotas.space = sumOfBytes((await serving.space.storedBytes()).space)
  expect(textOf(await anna.get(`/d/${plan}`))).toMatch(
    new RegExp(`This space stores [\\d.]+ (bytes|kB) of [\\d.]+ (bytes|kB)\\. ${WITHOUT_ROOM}`),
  )
  expect(textOf(await narrow.get(`/d/${plan}`))).not.toContain('Without room')
})

test('a form that is refused for lack of room shows why, and keeps what was typed', async () => {
  const quotas: Quotas = {}
  const { serving } = await served(quotas)
  const anna = await visitByLink(serving)
  quotas.space = 1
  const page = await anna.get('/documents/new')
  const again = await anna.press(page, 'Make it', { title: 'Typed title' })
  expect(again.status).toBe(400)
  expect(textOf(again)).toContain('Expected the space to stay within its quota of 1 B')
  expect(again.text).toContain('Typed title')
})

test('the pages open although their log cannot be written', async () => {
  const serving = await servePages()
  const full = new ScriptoriumError('STORAGE_FULL', 'The disk is full.')
  const write = vi.spyOn(serving.space, 'write').mockRejectedValue(full)
  const operator = await visitAsOperator(serving)
  expect((await operator.get('/documents')).status).toBe(200)
  expect(write).toHaveBeenCalled()
  write.mockRestore()
})
