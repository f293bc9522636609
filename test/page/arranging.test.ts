/** Documents and folders are created, moved and deleted by forms without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: ReturnType<typeof program>
let projects: string
let plan: string

beforeEach(async () => {
  serving = await servePages()
  anna = program(serving.space, 'editor')
  projects = (await anna('folders_add', { folders: [{ name: 'Projects' }] })).items[0].id
  const added = await anna('documents_add', { documents: [{ title: 'Plan' }], destination: { folderId: projects } })
  plan = added.items[0].id
  visitor = await visitAsOperator(serving)
})

const documents = async (query: object) =>
  (await anna('documents_list', query)).items.map(({ title }: { title: string }) => title)
const folders = async () => (await anna('folders_list')).items

describe('a document', () => {
  test('is created in the folder that was open', async () => {
    const form = await visitor.get(`/documents/new?folder=${projects}`)
    expect(form.text).toContain(`<option value="${projects}" selected>Projects</option>`)
    const made = await visitor.press(form, 'Make it', { title: 'Quay & crane', place: projects })
    expect(made.text).toContain('<h1 dir="auto">Quay &amp; crane</h1>')
    expect(await documents({ folderId: projects })).toEqual(['Plan', 'Quay & crane'])
  })

  test('is created from a template', async () => {
    const { items } = await anna('documents_add', {
      documents: [{ title: 'Report', markdown: 'What was done:' }],
      destination: { destination: 'templates' },
    })
    const form = await visitor.get(`/documents/new?template=${items[0].id}`)
    expect(form.text).toContain(`<option value="${items[0].id}" selected>Report</option>`)
    const made = await visitor.press(form, 'Make it', { title: 'Week 48', place: '', template: items[0].id })
    expect(textOf(made)).toContain('What was done:')
    expect(await documents({ location: 'unsorted' })).toEqual(['Week 48'])
  })

  test('without a title is not created: the form says so, and keeps the choices', async () => {
    const refused = await visitor.post('/documents/new', { title: ' ', place: projects })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).toContain(`<option value="${projects}" selected>`)
  })

  test('is moved, and the previous page is shown again', async () => {
    const page = await visitor.get(`/d/${plan}`)
    expect(offers(page, 'Move…')).toBe(true)
    const form = await visitor.get(`/d/${plan}/move?back=${encodeURIComponent(`/d/${plan}`)}`)
    const moved = await visitor.press(form, 'Move it', { place: 'unsorted' })
    expect(textOf(moved)).toContain('Moved.')
    expect(await documents({ location: 'unsorted' })).toEqual(['Plan'])
  })

  test('goes to the trash, and can be restored from the notice', async () => {
    const trashed = await visitor.press(await visitor.get(`/d/${plan}`), 'Move to the trash')
    expect(textOf(trashed)).toContain('Moved to the trash.')
    expect(await documents({ location: 'trash' })).toEqual(['Plan'])
    await visitor.press(trashed, 'Restore')
    expect(await documents({ location: 'trash' })).toEqual([])
  })
})

describe('in a document', () => {
  test('a whiteboard is created, which people can draw on and download', async () => {
    const board = await visitor.press(await visitor.get(`/d/${plan}`), 'New whiteboard')
    const [, id = ''] = /data-whiteboard="(\d+)"/.exec(board.text) ?? []
    expect(board.text).toContain('role="toolbar"')
    await anna('elements_add', {
      whiteboardBlockId: id,
      elements: [{ id: 'a', type: 'rectangle', x: 1, y: 2, width: 30, height: 40 }],
    })
    const picture = await visitor.get(`/whiteboards/${id}/picture.svg`)
    expect(picture.text).toContain('id="element-a"')
    const file = await visitor.get(`/whiteboards/${id}/drawing.excalidraw`)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="drawing.excalidraw"')
    expect(JSON.parse(file.text)).toMatchObject({
      type: 'excalidraw',
      version: 2,
      elements: [{ id: 'a', x: 1 }],
      files: {},
    })
    const reader = await visitByLink(serving, { access: 'read' })
    expect((await reader.get(`/whiteboards/${id}`)).text).not.toMatch(/data-whiteboard|toolbar/)
    expect((await reader.post(`/d/${plan}/whiteboards`)).status).toBe(403)
  })

  test('a collection is created, and then gets its columns', async () => {
    const form = await visitor.get(`/d/${plan}/collections/new`)
    const made = await visitor.press(form, 'Make it', { name: 'Cranes' })
    expect(made.text).toContain('<h1>Cranes</h1>')
    expect(offers(made, 'New column…')).toBe(true)
  })
})

describe('a folder', () => {
  test('is created in another', async () => {
    const form = await visitor.get(`/folders/new?folder=${projects}`)
    await visitor.press(form, 'Make it', { name: 'Quays', parent: projects })
    const [, , , own] = await folders()
    expect(own).toMatchObject({ name: 'Projects', folders: [{ name: 'Quays' }] })
  })

  test('is renamed and moved at once, and cannot be moved into itself', async () => {
    const { items } = await anna('folders_add', { folders: [{ name: 'Old' }] })
    const form = await visitor.get(`/folders/${projects}/edit`)
    expect(form.text).not.toContain(`<option value="${projects}"`)
    await visitor.press(form, 'Save', { name: 'Works', parent: items[0].id })
    expect((await folders()).at(-1)).toMatchObject({ name: 'Old', folders: [{ name: 'Works', id: projects }] })
  })

  test('is deleted, and its content stays', async () => {
    const form = await visitor.get(`/folders/${projects}/edit`)
    const after = await visitor.press(form, 'Delete the folder')
    expect(textOf(after)).toContain('The folder was deleted. What it held is still here.')
    expect(await documents({ location: 'unsorted' })).toEqual(['Plan'])
  })
})

test('no form leads to another server', async () => {
  for (const back of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/d/1"x']) {
    const form = await visitor.get(`/documents/new?back=${encodeURIComponent(back)}`)
    expect(form.text).toContain('<input type="hidden" name="back" value="/">')
  }
})

describe('a link that may not', () => {
  const paths = () => ['/documents/new', '/folders/new', `/d/${plan}/move`, `/folders/${projects}/edit`]

  test('write has none of these forms, and its requests are rejected', async () => {
    const reader = await visitByLink(serving, { access: 'read' })
    for (const path of paths()) expect((await reader.get(path)).status, path).toBe(404)
    for (const words of ['New document…', 'New folder…', 'Edit folder…'])
      expect(offers(await reader.get(`/folders/${projects}`), words)).toBe(false)
    const sent = await reader.post('/documents/new', { title: 'Sneaked in', place: '' })
    expect(sent.status).toBe(400)
    expect((await reader.post(`/d/${plan}/trash`)).status).toBe(403)
    expect(await documents({})).toEqual(['Plan'])
  })

  test('delete cannot move documents to the trash', async () => {
    const writer = await visitByLink(serving, { access: 'no-delete' })
    expect(offers(await writer.get(`/d/${plan}`), 'Move to the trash')).toBe(false)
    expect(offers(await writer.get(`/folders/${projects}/edit`), 'Delete the folder')).toBe(false)
    expect((await writer.post(`/folders/${projects}/delete`)).status).toBe(403)
  })

  test('reach folders starts with its documents', async () => {
    const selected = await visitByLink(serving, { kind: 'selected', documents: [plan] })
    for (const path of paths()) expect((await selected.get(path)).status, path).toBe(404)
  })

  test('write without approval creates proposals', async () => {
    const proposer = await visitByLink(serving, { access: 'propose' })
    const form = await proposer.get('/documents/new')
    const after = await proposer.press(form, 'Make it', { title: 'Perhaps', place: '' })
    expect(textOf(after)).toContain('Proposed. It happens once it is approved.')
    expect(await documents({})).toEqual(['Plan'])
  })
})
