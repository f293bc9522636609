/** Exports on the pages: what each form has, whom it is for, and that it is of one moment. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openZip } from '../../src/import/zip-source.ts'
import { PageCall } from '../../src/page/page-call.ts'
import { writeBlockJson } from '../../src/page/transfers/export-json.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import type { Answer } from '../connect.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'
import { program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

/** Submits the form of an export. @returns what would be saved */
async function exportAs(visitor: Visitor, as: string, fields: Record<string, string> = {}) {
  const page = await visitor.get('/export')
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const response = await fetch(`${visitor.base}/export`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({ token, as, ...fields }),
    headers: { cookie: visitor.cookie, origin: new URL(visitor.base).origin },
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = Buffer.from(bytes).toString()
  return { status: response.status, name: response.headers.get('content-disposition'), bytes, text }
}

/** The files of a zip, by path. */
async function filesOf(bytes: Uint8Array): Promise<Map<string, string>> {
  const path = join(folder(), 'a.zip')
  writeFileSync(path, bytes)
  const source = await openZip(path, { name: 'a', title: 'a', maxBytes: 1_000_000 })
  onTestFinished(() => source.close())
  const files = new Map<string, string>()
  for (const file of source.files) {
    const parts: Uint8Array[] = []
    for await (const part of file.open()) parts.push(part)
    files.set(file.path, Buffer.concat(parts).toString())
  }
  return files
}

/** An open document and a secret one, which lead to each other in every way that there is. */
async function fill(space: OpenSpace) {
  const call = program(space, 'editor')
  const { items: folders } = await call('folders_add', { folders: [{ name: 'Hidden folder' }] })
  const destination = { folderId: folders[0].id }
  const { items } = await call('documents_add', { documents: [{ title: 'Plan' }, { title: 'Hidden' }], destination })
  const [plan, hidden] = items.map(({ id }: Answer) => id) as [string, string]
  const at = (pageId: string) => ({ position: 'end', pageId })
  const collection = async (pageId: string, name: string, target?: string) => {
    const relation = { type: 'relation', name: 'Related', targetCollectionId: target }
    const properties = target === undefined ? [] : [relation]
    return (await call('collections_add', { schema: { name, properties }, position: at(pageId) })).collectionBlockId
  }
  const secrets = await collection(hidden, 'Hidden table')
  const row = (await call('items_add', { collectionId: secrets, items: [{ title: 'Hidden row' }] })).items[0].id
  const table = await collection(plan, 'Rows', secrets)
  const related = { title: 'Row', properties: { related: { relations: [{ blockId: row }] } } }
  await call('items_add', { collectionId: table, items: [related] })
  await call('blocks_add', { markdown: 'Hidden words', position: at(hidden) })
  const day = '[that day](date://2026-11-20)'
  const markdown = `See [it](block://${hidden}) and ${day}.\n\n<page><pageTitle>Inner</pageTitle><content>Deep words</content></page>`
  const added = await call('blocks_add', { markdown, position: at(plan) })
  await call('comments_add', { comments: [{ blockId: added.items[0].id, content: `Like block://${hidden}` }] })
  await call('blocks_add', { markdown: 'Of the day', position: { position: 'end', date: '2026-11-20' } })
  await call('tasks_add', { tasks: [{ markdown: `Ask [them](block://${hidden})`, location: { type: 'inbox' } }] })
  return {
    call,
    plan,
    hidden,
    folder: folders[0].id as string,
    secrets: [hidden, secrets, row, folders[0].id] as string[],
  }
}

describe('an export', () => {
  test('as HTML is one file that loads nothing, with pictures, and links within it', async () => {
    const serving = await servePages()
    const { call, plan, hidden, folder } = await fill(serving.space)
    const picture = Buffer.from(png(2, 2, 0x80)).toString('base64')
    await call('files_add', { data: picture, mimeType: 'image/png', position: { position: 'end', pageId: plan } })
    const visitor = await visitAsOperator(serving)
    expect(offers(await visitor.get(`/d/${plan}`), 'Export…')).toBe(true)
    expect(textOf(await visitor.get(`/export?document=${plan}`))).toContain(
      'The document “Plan”, with the pages in it.',
    )
    const { text, name } = await exportAs(visitor, 'html', { document: plan })
    expect(name).toBe('attachment; filename="Plan.html"')
    expect(text).toContain('<footer class="left-out">1 comment left out. An export as Markdown has them.</footer>')
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
    expect(text).not.toMatch(/<script|<link|<form|own:|url\(|@import/)
    expect([...text.matchAll(/ src="([^"]{0,30})/g)].map(([, address]) => address)).toEqual([
      'data:image/png;base64,iVBORw0K',
    ])
    expect(text).toContain(`data:image/png;base64,${picture}"`)
    expect(text).toMatch(/<h2 dir="auto">Inner<\/h2>[\s\S]*Deep words/)
    expect(text).toMatch(/See <a[^>]*>it<\/a>/)
    expect(text).not.toContain(`href="#p${hidden}"`)
    // In a file with both, the link leads to the other.
    const both = await exportAs(visitor, 'html', { folder })
    expect([both.name, both.text]).toEqual([
      'attachment; filename="Hidden folder.html"',
      expect.stringContaining(`href="#p${hidden}"`),
    ])
    const all = (await exportAs(visitor, 'html')).text
    expect(all).toMatch(/Of the day/)
    expect(/href="#p(\d+)"[^>]*>that day/.exec(all)?.[1]).toMatch(/^\d{12}$/)
    expect((await exportAs(visitor, 'html', { document: hidden })).text).not.toContain('class="left-out"')
  })

  test('as JSON has the blocks as they are read, and as Markdown the notes of a folder', async () => {
    const serving = await servePages()
    const { call, plan, folder } = await fill(serving.space)
    const visitor = await visitAsOperator(serving)
    const { documents } = JSON.parse((await exportAs(visitor, 'json')).text)
    const found = documents.find(({ id }: Answer) => id === plan)
    const { webLink: _, ...read } = await call('blocks_get', { id: plan, maxDepth: -1, fetchMetadata: true })
    expect([found.title, found.folderId]).toEqual(['Plan', folder])
    expect(JSON.parse(JSON.stringify(found.block))).toEqual(read)
    expect(documents.map(({ block }: Answer) => block.markdown).sort()).toEqual([
      ...['Friday, November 20, 2026', 'Hidden', 'Inbox', 'Plan'],
    ])
    const files = await filesOf((await exportAs(visitor, 'markdown', { folder })).bytes)
    expect([...files.keys()]).toEqual(expect.arrayContaining(['Hidden folder/Plan.md', 'Hidden folder/Hidden.md']))
    await call('folders_delete', { folderIds: [folder] })
    expect((await exportAs(visitor, 'html', { folder })).status).toBe(404)
    expect((await visitor.get(`/export?folder=${folder}`)).status).toBe(404)
    expect((await exportAs(visitor, 'json', { document: '100000000999' })).status).toBe(404)
  })
})

test('as JSON has the elements of whiteboards and the schemas of collections, and says what it lacks', async () => {
  const serving = await servePages()
  const { call, plan } = await fill(serving.space)
  const { whiteboardBlockId } = await call('whiteboards_add', { position: { position: 'end', pageId: plan } })
  const elements = [{ id: 'a', type: 'rectangle', x: 1, y: 2, width: 30, height: 40 }]
  await call('elements_add', { whiteboardBlockId, elements })
  const visitor = await visitAsOperator(serving)
  const exported = JSON.parse((await exportAs(visitor, 'json', { document: plan })).text)
  expect(exported.notIncluded).toContainEqual(expect.stringContaining('The bytes of files'))
  const [{ whiteboards, collections }] = exported.documents
  expect(whiteboards).toEqual([{ whiteboardBlockId, ...(await call('elements_list', { whiteboardBlockId })) }])
  expect(whiteboards[0].elements).toMatchObject(elements)
  const [{ collectionBlockId }] = collections
  expect(collections).toEqual([
    {
      schema: await call('schema_get', { collectionId: collectionBlockId, format: 'schema' }),
      ...(await call('views_list', { collectionId: collectionBlockId })),
    },
  ])
})

test('a value that a form does not offer is refused, and names those that it offers', async () => {
  const visitor = await visitAsOperator(await servePages())
  for (const [as, fields, sentence] of [
    ['pdf', {}, 'Expected one of markdown, html, json as as, found pdf; choose one of them.'],
    ['markdown', { links: 'absolute' }, 'Expected one of relative, wiki as links, found absolute; choose one of them.'],
    ['markdown', { plain: 'no' }, 'Expected one of true as plain, found no; choose one of them.'],
  ] as const) {
    const { status, text } = await exportAs(visitor, as, fields)
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
  }
})

test.each(['selected', 'daily'] as const)('a %s link exports what it reads, and nothing else', async (kind) => {
  const serving = await servePages()
  const { plan, hidden, folder, secrets } = await fill(serving.space)
  const link = { kind, access: 'read', documents: kind === 'selected' ? [plan] : [] } as const
  const visitor = await visitByLink(serving, link as Parameters<typeof visitByLink>[1])
  const exported = [
    (await exportAs(visitor, 'html')).text,
    (await exportAs(visitor, 'json')).text,
    [...(await filesOf((await exportAs(visitor, 'markdown')).bytes))].join('\n'),
  ]
  const own = kind === 'selected' ? 'Deep words' : 'Of the day'
  for (const text of exported) {
    expect(text).toContain(own)
    expect(text).not.toMatch(/Hidden/)
    for (const id of secrets) expect(text).not.toContain(id)
    if (kind === 'daily') expect(text).not.toContain(plan)
  }
  expect((await exportAs(visitor, 'html', { document: hidden })).status).toBe(404)
  // There are no folders for it.
  expect((await exportAs(visitor, 'json', { folder })).status).toBe(404)
})

test('the name of a saved file is one that can be sent, whatever the title is', async () => {
  const serving = await servePages()
  const call = program(serving.space, 'editor')
  const visitor = await visitAsOperator(serving)
  for (const [title, name] of [
    [`${'a'.repeat(79)}😀 and more`, `${'a'.repeat(79)}😀`],
    ['a/../../etc;"y";filename*=b', 'a .. .. etc; y ;filename =b'],
    ['..', '..'],
  ] as const) {
    const { items } = await call('documents_add', { documents: [{ title }] })
    const exported = await exportAs(visitor, 'json', { document: items[0].id })
    expect([exported.status, decodeURIComponent(exported.name ?? '')]).toEqual([200, expect.stringContaining(name)])
  }
})

test('an export is of one moment: what is written meanwhile does not change it', async () => {
  const space = await openSpace(join(folder(), 'space.sqlite'), { timezone: 'UTC' })
  onTestFinished(() => space.close())
  const { call } = await fill(space)
  const url = new URL('http://localhost/view/key/export')
  const page = new PageCall(
    {
      ...{ request: new Request(url), url, path: '/export', base: '/view/key', root: '', origin: url.origin },
      caller: { space, link: await space.createAccessLink('full', []) },
      ...{ isOperator: false, formToken: '', isKept: false, owner: '', form: new URLSearchParams(), now: Date.now() },
      ...{ log: () => {}, markLongLived: () => {} },
    },
    endpoints,
  )
  const texts: string[] = []
  await writeBlockJson(page, {}, async (text) => {
    if (texts.push(text) === 1) await call('documents_add', { documents: [{ title: 'Meanwhile' }] })
  })
  const titles = JSON.parse(texts.join('')).documents.map(({ block }: Answer) => block.markdown)
  expect([titles.length, titles.includes('Meanwhile')]).toEqual([4, false])
  expect((await call('documents_list', {})).items.map(({ title }: Answer) => title)).toContain('Meanwhile')
})
