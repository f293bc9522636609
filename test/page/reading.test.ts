/** The pages of a sample space, in a browser without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { preparedSpace } from '../support/prepared-space.ts'
import { fillSampleSpace, type Program, program, type SampleSpace } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let sample: SampleSpace
let anna: Program

const filledSpace = preparedSpace(({ space }) => fillSampleSpace(space))

beforeEach(async () => {
  const { made, ...to } = await filledSpace()
  serving = await servePages({ to })
  sample = made
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
})

test('documents are listed, and read with all their content', async () => {
  expect(textOf(await visitor.get('/documents'))).toContain('Harbour plan')
  const page = await visitor.get(`/d/${sample.plan}`)
  expect(page.status).toBe(200)
  for (const part of [
    /<h2/,
    /class="[^"]*callout/,
    /<math/,
    /class="hl-/,
    /<table/,
    /class="[^"]*quote/,
    /class="[^"]*toggles/,
    /<hr/,
  ]) {
    expect(page.text).toMatch(part)
  }
  expect(textOf(page)).toContain('Projects')
})

test('the page of a folder says in which of its subfolders a document is', async () => {
  const folder = async (name: string, parentFolderId: string): Promise<string> =>
    (await anna('folders_add', { folders: [{ name, parentFolderId }] })).items[0].id
  const inner = await folder('North quay', sample.projects)
  const deeper = await folder('2026', inner)
  await anna('documents_add', { documents: [{ title: 'Offers' }], destination: { folderId: deeper } })
  /** Titles with the folders that stand beside them. */
  const listed = ({ text }: Visited) =>
    Array.from(
      text.matchAll(
        /<li><a href="[^"]*\/d\/\d+">([^<]*)<\/a>(?: <a class="n" href="[^"]*(\/folders\/\d+)">([^<]*)<)?/g,
      ),
      ([, title, href = '', name = '']) => [title?.trim(), href, name.trim()].filter((part) => part !== '').join(' '),
    )
  const outside = await visitor.get(`/folders/${sample.projects}`)
  expect(listed(outside)).toContain(`Offers /folders/${deeper} North quay / 2026`)
  expect(listed(outside)).toContain('Harbour plan')
  expect(listed(await visitor.get(`/folders/${inner}`))).toEqual([`Offers /folders/${deeper} 2026`])
  expect(listed(await visitor.get(`/folders/${deeper}`))).toEqual(['Offers'])
})

test('a read-only link gets lists as lists, and nothing for editing', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  const page = await reader.get(`/d/${sample.plan}`)
  expect(page.text).toMatch(/<ol class="numbers">[\s\S]*<details/)
  expect(page.text).not.toMatch(/data-(?:markdown|fields|page|token)|page\/edit-/)
  expect((await reader.get(`/d/${sample.plan}/blocks`)).status).toBe(403)
})

test('a task can be ticked in place, and on the page of tasks', async () => {
  const page = await visitor.get(`/d/${sample.crane}`)
  const [, value = ''] = /form="tick" name="task" value="(\d+ done)"/.exec(page.text) ?? []
  expect(value).not.toBe('')
  const after = await visitor.send('/tasks', { task: value, back: `/d/${sample.crane}` })
  expect(after.text).toContain(`value="${value.replace('done', 'todo')}"`)
  expect(textOf(await visitor.get('/tasks?scope=logbook'))).toContain('Order the inspector')
})

test('a script that ticks a task gets only its line', async () => {
  const page = await visitor.get(`/d/${sample.crane}`)
  const [, value = ''] = /name="task" value="(\d+ done)"/.exec(page.text) ?? []
  const answer = await visitor.post('/tasks', { task: value }, { 'hx-request': 'true' })
  expect(answer.status).toBe(200)
  expect(answer.text).toMatch(/^<div class="line" hx-swap-oob="outerMorph:#b\d+ > \.line">/)
})

test('a document can be restored from the trash', async () => {
  const trash = await visitor.get('/trash')
  expect(textOf(trash)).toContain('Old rates')
  const restored = await visitor.press(trash, 'Restore')
  expect(textOf(restored)).toContain('Moved out of the trash, to where it was.')
  expect(textOf(await visitor.get('/unsorted'))).toContain('Old rates')
})

test('a collection is shown by its views', async () => {
  const board = await visitor.get(`/collections/${sample.suppliers}`)
  expect(board.text).toContain('class="board-view')
  expect(textOf(board)).toContain('Nordkran')
  expect(textOf(await visitor.get('/collections'))).toContain('Suppliers')
})

test('a whiteboard is an image without scripts or external content', async () => {
  expect(textOf(await visitor.get(`/whiteboards/${sample.board}`))).toContain('Site sketch')
  const picture = await visitor.get(`/whiteboards/${sample.board}/picture.svg`)
  expect(picture.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(picture.text).not.toMatch(/<script|href=|<foreignObject/)
})

test('days have a calendar, and an empty today says so', async () => {
  serving.clock.now += 3 * 86_400_000
  expect(textOf(await visitor.get('/days/today'))).toContain('No note for this day.')
  expect((await visitor.get('/days/2026-11-20')).status).toBe(200)
  expect((await visitor.get('/days/2026-02-30')).status).toBeGreaterThanOrEqual(400)
  expect((await visitor.get('/days')).status).toBe(200)
})

describe('finding', () => {
  test('matches the words of a title', async () => {
    const found = await visitor.get('/find?q=crane')
    expect(found.text).toContain(`href="${new URL(visitor.base).pathname}/d/${sample.crane}"`)
    expect(found.text).not.toContain('<html')
  })

  test('has pages within documents by their titles, and leads to them', async () => {
    const anna = program(serving.space, 'anna')
    const add = async (markdown: string, pageId: string) =>
      (await anna('blocks_add', { markdown, position: { position: 'end', pageId } })).items[0].id
    const [plan] = (await anna('documents_add', { documents: [{ title: 'Renovation of the kitchen' }] })).items
    const blocks = [{ type: 'page', title: 'Kitchen' }]
    const [page] = (await anna('blocks_add', { blocks, position: { position: 'end', pageId: plan.id } })).items
    await add('a new kitchen door', plan.id)
    const rows = [...(await visitor.get('/find?q=kitch')).text.matchAll(/<li><a href="[^"]*(\/d\/\d+)"/g)]
    expect(rows.map(([, path]) => path)).toEqual([`/d/${plan.id}`, `/d/${page.id}`])
    const alone = await anna('blocks_add', {
      blocks: [{ type: 'page', title: 'Scullery' }],
      position: { position: 'end', pageId: plan.id },
    })
    const [first] = [
      ...(await visitor.get('/search?q=scullery')).text.matchAll(/<ol class="results"><li><a href="([^"]*)"/g),
    ]
    expect(first?.[1]).toMatch(new RegExp(`/d/${alone.items[0].id}$`))
  })

  test('leads to the page within a document, or the row, that has the words, and names it', async () => {
    const add = async (blocks: object[], pageId: string) =>
      (await anna('blocks_add', { blocks, position: { position: 'end', pageId } })).items[0].id
    const page = await add([{ type: 'page', title: 'Marmalade' }], sample.crane)
    const inner = await add([{ type: 'page', title: 'Oranges' }], page)
    const line = await add([{ type: 'text', markdown: 'Peel the zest of the kumquat' }], inner)
    const { pathname } = new URL(visitor.base)
    const found = await visitor.get('/find?q=kumquat')
    expect(found.text).toContain(`<li><a href="${pathname}/d/${inner}#b${line}">`)
    expect(textOf(found)).toContain('Crane inspection › Marmalade › Oranges')
    const searched = await visitor.get('/search?q=kumquat')
    expect(searched.text).toContain(`<b>Crane inspection › Marmalade › Oranges</b>`)
    expect(searched.text).toContain(`href="${pathname}/d/${inner}#b${line}"`)
    // Its document is found by its title as well, which is another place.
    const deep = await add([{ type: 'text', markdown: 'The crane of the kumquat' }], inner)
    const two = await visitor.get('/find?q=crane+kumquat')
    expect(two.text).toContain(`/d/${inner}#b${deep}"`)
    const [row] = (await anna('items_add', { collectionId: sample.suppliers, items: [{ title: 'Kumquat traders' }] }))
      .items
    const rows = await visitor.get('/search?q=traders')
    expect(rows.text).toContain(`href="${pathname}/d/${row.id}"`)
    expect(textOf(rows)).toMatch(/ › Suppliers › Kumquat traders/)
  })

  test('without words lists the latest documents and the pages', async () => {
    expect(textOf(await visitor.get('/find'))).toMatch(
      /^ Site sketch .* Trash page Links and people page Settings page $/,
    )
  })

  test('has titles, texts, days, people, pages and commands at once, and forgives typing errors', async () => {
    const rows = async (query: string) => {
      const { text } = await visitor.get(`/find?q=${encodeURIComponent(query)}`)
      const of = (row: string) => textOf({ text: row } as Visited).trim()
      return [...text.matchAll(/<li>[\s\S]*?<\/li>/g)].map(([row]) => of(row))
    }
    const first = async (query: string) => (await rows(query))[0]
    expect(await first('harbour')).toBe('Harbour plan')
    expect(await first('harbuor paln')).toBe('Harbour plan')
    expect(await first('crane inspeciton')).toBe('Crane inspection')
    // The words are in a text, and in no title.
    expect(await first('promenade')).toMatch(/^Harbour plan .*promenade.* text$/)
    expect(await first('2026-11-24')).toBe('Tuesday, November 24, 2026 day')
    expect(await first('new task')).toBe('New task command')
    expect(await first('export')).toBe('Export command')
    expect(await first('go to trash')).toBe('Trash page')
    expect(await rows('owner')).toContainEqual(expect.stringMatching(/^Owner person/))
    // A document is listed once, by its title.
    expect((await rows('crane')).filter((row) => row.startsWith('Crane inspection'))).toHaveLength(1)
  })

  test('offers those who only read no commands that write', async () => {
    const reader = await visitByLink(serving, { access: 'read' })
    const words = textOf(await reader.get('/find?q=new'))
    expect(words).not.toContain('New task')
    expect(textOf(await visitor.get('/find?q=new'))).toContain('New task')
  })

  test('for a link names documents, days, and nothing out of reach', async () => {
    const targets = async (query: string) => JSON.parse((await visitor.get(`/targets?q=${query}`)).text)
    expect(await targets('crane')).toContainEqual({
      url: `block://${sample.crane}`,
      title: expect.stringMatching(/crane/i),
      about: '',
    })
    const [day] = await targets('tomor')
    expect(day.url).toBe(`date://${day.title}`)
    expect(await targets('next%20week')).toEqual([])
    const [member] = await targets('own')
    expect(member).toMatchObject({
      title: '@Owner',
      about: 'person',
      url: expect.stringMatching(/^person:\/\/\d{12}$/),
    })
  })

  test('in full text marks the matches', async () => {
    const found = await visitor.get('/search?q=diver')
    expect(found.text).toMatch(/<b[^>]*>diver<\/b>|<mark[^>]*>diver<\/mark>|<strong>diver<\/strong>/)
    expect(textOf(found)).toContain('Harbour plan')
    expect(textOf(await visitor.get('/search?q=zzzzz'))).toContain('Nothing')
    for (const signs of ['%', '!!', '🐙', '(*']) {
      const page = await visitor.get(`/search?q=${encodeURIComponent(signs)}`)
      expect([signs, page.status, textOf(page).includes('Nothing has these words')]).toEqual([signs, 200, true])
      expect((await visitor.get(`/find?q=${encodeURIComponent(signs)}`)).status).toBe(200)
    }
  })
})

describe('a read-only link', () => {
  test('is offered nothing that changes', async () => {
    const reader = await visitByLink(serving, { access: 'read' })
    for (const path of ['/', `/d/${sample.plan}`, '/tasks', '/trash', '/now', `/d/${sample.plan}/history`]) {
      const page = await reader.get(path)
      expect(page.status, path).toBe(200)
      expect(page.text.match(/<form [^>]*method="post"[^>]*>/g), path).toEqual([
        // Kept by the browser.
        `<form id="fold" method="post" action="${new URL(reader.base).pathname}/tree" hidden>`,
        `<form class="language" method="post" action="${new URL(reader.base).pathname}/language">`,
        `<form class="leave" method="post" action="${new URL(reader.base).pathname}/sign-out">`,
      ])
    }
  })
})

describe('a link to selected documents', () => {
  test('reads these, and gets the error of missing documents for all others', async () => {
    const visitor = await visitByLink(serving, { kind: 'selected', documents: [sample.crane] })
    expect(textOf(await visitor.get(`/d/${sample.crane}`))).toContain('Crane 1 is due first.')
    const missing = (await visitor.get('/d/100000000099')).text
    for (const path of [`/d/${sample.plan}`, `/d/${sample.plan}/history`, `/whiteboards/${sample.board}`]) {
      const { status, text } = await visitor.get(path)
      expect([status, text], path).toEqual([404, missing])
    }
    for (const path of ['/', '/now', '/collections', '/find?q=plan', '/search?q=quay']) {
      expect(textOf(await visitor.get(path)), path).not.toMatch(/Harbour plan|Suppliers|Quay meeting/)
    }
  })

  test('has no folders, trash or tasks', async () => {
    const visitor = await visitByLink(serving, { kind: 'selected', documents: [sample.crane] })
    for (const path of ['/trash', '/unsorted', `/folders/${sample.projects}`, '/tasks', '/days/today']) {
      expect((await visitor.get(path)).status, path).toBe(404)
    }
  })
})

test('a link to daily notes starts with today', async () => {
  const visitor = await visitByLink(serving, { kind: 'daily' })
  expect((await visitor.get('/')).headers.get('location')).toContain('/days/today')
  expect(offers(await visitor.get('/days/today'), 'Trash')).toBe(false)
  expect((await visitor.get(`/d/${sample.plan}`)).status).toBe(404)
})

test('an earlier version is shown as it was, read-only', async () => {
  const { items } = await anna('history_list', { documentId: sample.plan })
  const oldest = items.at(-1).callId
  const past = await visitor.get(`/d/${sample.plan}/at/${oldest}`)
  expect(textOf(past)).toContain('This is how it was')
  expect(past.text).not.toMatch(/<button class="box"(?![^>]* disabled)/)
})

test('an error has the layout of a page, and can be closed where it is shown over another one', async () => {
  const alone = await visitor.get('/d/nosuch')
  expect(alone.status).toBe(404)
  expect(alone.text).toContain('<div class="page"><h1>Nothing here</h1>')
  expect(alone.text).not.toContain('data-close')
  const over = await visitor.get('/d/nosuch/move', { 'hx-request': 'true' })
  expect(over.text).toContain('<div class="page"><h1>Nothing here</h1>')
  expect(over.text).toMatch(/<a class="button" href="[^"]*" data-close>Close<\/a>/)
})
