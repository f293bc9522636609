/** Small promises of the interface that are easily lost. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { askerOf } from '../rest/rest-asker.ts'

test('a daily note in the trash tells the day that it was of', async () => {
  const { call } = await connect()
  const position = { position: 'end', date: '2026-11-20' }
  const { items } = await call('blocks_add', { markdown: 'words', position })
  const { documentId } = items[0]
  await call('documents_delete', { documentIds: [documentId] })
  expect((await call('documents_list', { location: 'trash' })).items).toMatchObject([
    { id: documentId, isDeleted: true, dailyNoteDate: '2026-11-20' },
  ])
})

test('a file that was sent without a name has none', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  await connected.call('files_add', { position: { position: 'end', pageId: id }, text: 'a;b', mimeType: 'text/csv' })
  const [file] = (await connected.call('blocks_get', { id })).content
  expect(file.type).toBe('file')
  expect(file.fileName).toBeUndefined()
})

test('an upload says where beside its page it is to stand', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  const { refused } = await askerOf({ to: connected })
  expect(await refused(400, `POST /upload?pageId=${id}`, new Blob(['a']), { 'content-type': 'text/plain' })).toBe(
    'Expected position as start, end, before or after beside pageId, found none; say which.',
  )
})

test('an empty object clears the settings of a gallery', async () => {
  const connected = await connect()
  const id = await documentOf(connected, '')
  const schema = { name: 'Things', properties: [{ name: 'Note', type: 'text' }] }
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema,
    position: { position: 'end', pageId: id },
  })
  const view = { name: 'Cards', type: 'gallery', gallery: { cardSize: 'small' } }
  const { id: viewId } = await connected.call('views_add', { collectionId, view })
  const update = (gallery: object) => connected.call('views_update', { collectionId, viewId, view: { gallery } })
  expect((await update({ visibleFields: ['note'] })).gallery).toEqual({ cardSize: 'small', visibleFields: ['note'] })
  expect((await update({})).gallery).toEqual({})
})
