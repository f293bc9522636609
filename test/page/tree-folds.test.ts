/** Folders, documents and pages of the tree, opened and closed without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: Program
let [works, inner, plan, detail, loose] = ['', '', '', '', '']

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  const folder = async (name: string, more: object = {}): Promise<string> =>
    (await anna('folders_add', { folders: [{ name, ...more }] })).items[0].id
  works = await folder('Works')
  inner = await folder('Inner', { parentFolderId: works })
  await folder('Empty')
  plan = await add('Plan', works)
  detail = await add('Detail', inner)
  loose = await add('Loose')
})

async function add(title: string, folderId?: string, markdown?: string): Promise<string> {
  const destination = folderId === undefined ? undefined : { folderId }
  const documents = [{ title, ...(markdown !== undefined && { markdown }) }]
  const [made] = (await anna('documents_add', { documents, ...(destination && { destination }) })).items
  return made.id
}

/** A page within a document, as Markdown. */
const nested = (title: string, content: string): string =>
  `<page><pageTitle>${title}</pageTitle><content>\n\n${content}\n\n</content></page>`

/** The pages directly within a document or page. */
const pagesOf = async (id: string): Promise<string[]> =>
  (await anna('blocks_get', { id, maxDepth: 1, format: 'json' })).content
    .filter(({ type }: { type: string }) => type === 'page')
    .map((page: { id: string }) => page.id)

/**
 * The tree: names of what is open with `-`, of what is closed with `+`, of what is shown with `*`, then what is in them;
 * pages within documents in parentheses.
 */
const treeOf = ({ text }: { text: string }): string => {
  const [tree = ''] = /<ul class="tree"[\s\S]*?<\/section>/.exec(text) ?? []
  const lists: string[] = []
  const shown: string[] = []
  const parts =
    /<(\/?)ul(?: class="([^"]*)")?|aria-expanded="(true|false)"|<a (?!class="entry)[^>]*?( aria-current="page")?>(?:<svg.*?<\/svg>)? ?([^<]*)/g
  for (const [all, end, list = '', open, current = '', name = ''] of tree.matchAll(parts)) {
    if (end === '') lists.push(list)
    if (all.startsWith('<ul') ? list === 'nested' : end === '/' && lists.pop() === 'nested') shown.push(end ? ')' : '(')
    else if (open !== undefined) shown.push(open === 'true' ? '-' : '+')
    else if (all.startsWith('<a')) shown.push(`${name.trim()}${current && '*'}`)
  }
  return shown.join(' ')
}

/** Presses the button of a place, as a browser does that keeps the cookies. */
async function fold(place: string, page: Visited & { cookie?: string }): Promise<Visited & { cookie: string }> {
  const [, name = ''] =
    new RegExp(`form="fold" id="fold-${place}" name="(open|close)" value="${place}"`).exec(page.text) ?? []
  const answer = await visitor.post('/tree', { [name]: place }, { referer: page.url, cookie: cookieOf(page) })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(page.url).pathname])
  const [set = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('scriptorium-tree='))
  // It ends with the session of the browser.
  expect(set).toMatch(/^scriptorium-tree=[\w.-]*; Path=\/view\/\w+; HttpOnly; SameSite=Lax$/)
  const cookie = set.split(';')[0] ?? ''
  return {
    ...(await visitor.get(new URL(page.url).pathname.slice(pathOf().length), {
      cookie: `${visitor.cookie}; ${cookie}`,
    })),
    cookie,
  }
}
const pathOf = () => new URL(visitor.base).pathname
const cookieOf = ({ cookie }: { cookie?: string }) =>
  cookie === undefined ? visitor.cookie : `${visitor.cookie}; ${cookie}`

test('a folder shows what is in it once it is opened, on each page, until it is closed', async () => {
  const first = await visitor.get('/tasks')
  expect(treeOf(first)).toBe('+ Works Empty + Unsorted Trash')
  const opened = await fold(works, first)
  expect(treeOf(opened)).toBe('- Works + Inner Plan Empty + Unsorted Trash')
  const both = await fold(inner, opened)
  const all = '- Works - Inner Detail Plan Empty + Unsorted Trash'
  expect(treeOf(both)).toBe(all)
  const cookie = cookieOf(both)
  // Elsewhere, what is there is open as well.
  const elsewhere = await visitor.get(`/d/${loose}`, { cookie })
  expect(treeOf(elsewhere)).toBe('- Works - Inner Detail Plan Empty - Unsorted Loose* Trash')
  // An update of the tree has the same, and nothing as long as nothing else changed.
  const news = await visitor.get(`/news?document=${loose}&had=nav:`, { cookie, 'hx-request': 'true' })
  expect(treeOf(news)).toBe(treeOf(elsewhere))
  const [, had = ''] = /<nav[^>]* data-had="([^"]+)"/.exec(elsewhere.text) ?? []
  expect((await visitor.get(`/news?document=${loose}&had=nav:${had}`, { cookie, 'hx-request': 'true' })).text).toBe('')
  const closed = await fold(works, both)
  expect(treeOf(closed)).toBe('+ Works Empty + Unsorted Trash')
  // What was open in it is open again with it.
  expect(treeOf(await fold(works, closed))).toBe(all)
})

test('the folder of the page is open, unless somebody closed it', async () => {
  const shown = await visitor.get(`/d/${detail}`)
  expect(treeOf(shown)).toBe('- Works - Inner Detail* Plan Empty + Unsorted Trash')
  const closed = await fold(works, shown)
  expect(treeOf(closed)).toBe('+ Works Empty + Unsorted Trash')
  expect(treeOf(await visitor.get(`/d/${plan}`, { cookie: cookieOf(closed) }))).toBe('+ Works Empty + Unsorted Trash')
})

test('a folder lists 30 documents, the open one, and a link to the others', async () => {
  const documents = Array.from({ length: 40 }, (_, index) => ({ title: `Note ${index}` }))
  const made: Answer = await anna('documents_add', { documents, destination: { folderId: works } })
  const page = await visitor.get(`/folders/${works}`)
  expect(treeOf(page).match(/Note \d+/g)).toHaveLength(29)
  expect(page.text).toContain(`<a class="more" href="${pathOf()}/folders/${works}">11 more</a>`)
  const last = await visitor.get(`/d/${made.items[39].id}`)
  expect(treeOf(last)).toContain('Note 28 Note 39* 10 more')
  const opened = await fold('unsorted', await visitor.get('/tasks'))
  expect(treeOf(opened)).toBe('+ Works Empty - Unsorted Loose Trash')
})

test('a level lists 100 folders, the open one, and a link to the others', async () => {
  const folders = Array.from({ length: 110 }, (_, index) => ({ name: `Box ${index}`, parentFolderId: works }))
  const made: Answer = await anna('folders_add', { folders: folders.slice(0, 60) })
  await anna('folders_add', { folders: folders.slice(60) })
  expect(made.items).toHaveLength(60)
  const page = await visitor.get(`/folders/${works}`)
  expect(treeOf(page).match(/Box \d+/g)).toHaveLength(99)
  expect(page.text).toContain(`<a class="more" href="${pathOf()}/folders/${works}">11 more folders</a>`)
})

test('what is kept is bounded, and no folder is refused', async () => {
  const cookie = `${visitor.cookie}; scriptorium-tree=${Array.from({ length: 40 }, (_, index) => 100000000100 + index).join('.')}`
  const answer = await visitor.post('/tree', { open: works }, { cookie })
  const [set = ''] = answer.headers.getSetCookie()
  const kept = /^scriptorium-tree=([^;]*)/.exec(set)?.[1]?.split('.') ?? []
  expect([kept.length, kept.at(-1)]).toEqual([30, works])
  for (const open of ['x', `-${works}`, '']) expect((await visitor.post('/tree', { open })).status, open).toBe(400)
  // Folders that are gone are left out, and so is what is no ID.
  const odd = await visitor.get('/tasks', { cookie: `${visitor.cookie}; scriptorium-tree=999999999999.<b>.${works}` })
  expect(treeOf(odd)).toBe('- Works + Inner Plan Empty + Unsorted Trash')
})

test('those who only read open folders, and a link to selected documents has none', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get('/tasks')).text).toContain(`id="fold-${works}"`)
  const selected = await visitByLink(serving, { kind: 'selected', documents: [plan] })
  expect((await selected.get(`/d/${plan}`)).text).not.toContain('class="fold"')
  const daily = await visitByLink(serving, { kind: 'daily' })
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await daily.get('/days/today')).text) ?? []
  expect((await daily.post('/tree', { token, open: works })).status).toBe(404)
})

describe('pages within documents', () => {
  test('are below the open document, and folded below pages that are not open', async () => {
    const id = await add(
      'Quays',
      inner,
      `Text\n\n${nested('North', nested('Cranes', 'two'))}\n\n${nested('South', 'none')}`,
    )
    const [north = ''] = await pagesOf(id)
    const [cranes = ''] = await pagesOf(north)
    const around = (tree: string) => `- Works - Inner Detail ${tree} Plan Empty + Unsorted Trash`
    expect(treeOf(await visitor.get(`/d/${id}`))).toBe(around('- Quays* ( + North South )'))
    expect(treeOf(await visitor.get(`/d/${north}`))).toBe(around('- Quays ( - North* ( Cranes ) South )'))
    const shown = around('- Quays ( - North ( Cranes* ) South )')
    expect(treeOf(await visitor.get(`/d/${cranes}`))).toBe(shown)
    // After a change, the tree is loaded again.
    const news = await visitor.get(`/news?folder=${inner}&document=${id}&page=${cranes}`)
    expect(treeOf(news)).toBe(shown)
  })

  test('are below each listed document once it is opened, on each page, until it is closed', async () => {
    const id = await add('Quays', works, nested('North', nested('Cranes', 'two')))
    const [north = ''] = await pagesOf(id)
    const first = await visitor.get(`/folders/${works}`)
    const around = (tree: string, folder = 'Works*') => `- ${folder} + Inner Plan ${tree} Empty + Unsorted Trash`
    expect(treeOf(first)).toBe(around('+ Quays'))
    const opened = await fold(id, first)
    expect(treeOf(opened)).toBe(around('- Quays ( + North )'))
    const both = await fold(north, opened)
    const all = '- Quays ( - North ( Cranes ) )'
    expect(treeOf(both)).toBe(around(all))
    const kept = await fold(works, await visitor.get('/tasks'))
    const cookie = `${visitor.cookie}; ${kept.cookie}.${both.cookie.split('=')[1]}`
    expect(treeOf(await visitor.get('/tasks', { cookie }))).toBe(around(all, 'Works'))
    expect(treeOf(await visitor.get('/news', { cookie }))).toBe(around(all, 'Works'))
    // Somebody closed what is shown.
    const closed = await fold(id, both)
    expect(treeOf(closed)).toBe(around('+ Quays'))
    expect(treeOf(await visitor.get(`/d/${north}`, { cookie: cookieOf(closed) }))).toBe(around('+ Quays', 'Works'))
  })

  test('are listed for a link to selected documents, without those of others', async () => {
    const id = await add('Quays', works, nested('North', 'one'))
    const other = await add('Ships', works, nested('Ferry', 'one'))
    const reader = await visitByLink(serving, { kind: 'selected', documents: [id, plan], access: 'read' })
    expect(treeOf(await reader.get(`/d/${id}`))).toBe('Plan - Quays* ( North )')
    const closed = await reader.get(`/d/${plan}`)
    expect(treeOf(closed)).toBe('Plan* + Quays')
    // Whatever a cookie or an address names.
    const [ferry = ''] = await pagesOf(other)
    for (const hidden of [other, ferry]) {
      const answer = await reader.post('/tree', { open: hidden })
      expect(answer.status).toBe(303)
      const cookie = `${reader.cookie}; ${answer.headers.getSetCookie()[0]?.split(';')[0]}.${id}`
      expect(treeOf(await reader.get(`/d/${plan}`, { cookie }))).toBe('Plan* - Quays ( North )')
      const news = await reader.get(`/news?document=${hidden}&page=${ferry}`, { cookie })
      expect(treeOf(news)).toBe('Plan - Quays ( North )')
      expect(news.text).not.toContain('Ferry')
    }
  })

  test('are not listed once their document was deleted', async () => {
    const id = await add('Quays', works, nested('North', 'one'))
    const reader = await visitByLink(serving, { kind: 'selected', documents: [id, plan], access: 'read' })
    const cookie = `${reader.cookie}; scriptorium-tree=${id}`
    expect(treeOf(await reader.get(`/d/${plan}`, { cookie }))).toBe('Plan* - Quays ( North )')
    await visitor.post(`/d/${id}/trash`)
    const shown = await reader.get(`/d/${plan}`, { cookie })
    expect(treeOf(shown)).toBe('Plan* [Deleted Document]')
    expect(shown.text).not.toContain('North')
  })

  test('are bounded, with the one that is shown and a link to the others', async () => {
    const titles = Array.from({ length: 103 }, (_, index) => nested(`Page ${index}`, 'x'))
    const id = await add('Many', works, titles.join('\n\n'))
    const page = await visitor.get(`/d/${id}`)
    expect(treeOf(page).match(/Page \d+/g)).toHaveLength(100)
    expect(page.text).toContain(`<a class="more" href="${pathOf()}/d/${id}">3 more</a>`)
    const last = (await pagesOf(id)).at(-1)
    expect(treeOf(await visitor.get(`/d/${last}`))).toContain('Page 98 Page 99 Page 102* 2 more )')
  })
})
