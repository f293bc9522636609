/** Exports of Notion, in both formats. Names and markup are those of Notion. */
import { expect, test } from 'vitest'
import { notionFormat } from '../../../src/import/notion/notion-format.ts'
import type { Answer } from '../../connect.ts'
import { png } from '../../picture.ts'
import { bodyOf, type Files, imported, problemLines } from '../importing.ts'

/** 32 hex digits that end in a number. */
const id = (number: number): string => `1590080aa5a3802488c2e857dea7${String(number).padStart(4, '0')}`
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const page = (title: string, body: string, properties = ''): string =>
  `<html><head><meta charset="utf-8"/><title>${title}</title><style>p{}</style></head><body><article id="x" class="page sans"><header><h1 class="page-title">${title}</h1><p class="page-description"></p>${properties === '' ? '' : `<table class="properties"><tbody>${properties}</tbody></table>`}</header><div class="page-body">${body}</div></article></body></html>`

const property = (type: string, name: string, cell: string): string =>
  `<tr class="property-row property-row-${type}"><th><span class="icon property-icon"></span>${name}</th><td>${cell}</td></tr>`

const importedPages = (files: Files) => imported(files, notionFormat)
const readBody = async (body: string, more: Files = {}) => {
  const run = await importedPages({ [`Page ${id(1)}.html`]: page('Page', body), ...more })
  return { ...run, text: await run.read('Page'), problems: problemLines(run.report) }
}

test('text, headings, lists and tasks', async () => {
  const { text, problems } = await readBody(
    '<p id="a" class="">One <strong>bold</strong> <em>it</em> <code>x</code> <mark class="highlight-yellow_background">lit</mark></p><h2 id="b" class="">Head</h2><ul class="bulleted-list"><li style="list-style-type:disc">a<ul class="bulleted-list"><li>b</li></ul></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span><div class="indented"></div></li></ul><ol type="1" class="numbered-list"><li>c</li></ol><blockquote>said</blockquote><p>in</p><div class="indented"><p>deeper</p></div>',
  )
  expect(text).toBe(
    'One **bold** *it* `x` <highlight color="yellow">lit</highlight>\n\n## Head\n\n- a\n  - b\n- [x] done\n1. c\n\n> said\n\nin\n\n  deeper',
  )
  expect(problems).toEqual([])
})

test('toggles contain what follows, and keep the size of their heading', async () => {
  const { blocks } = await readBody(
    '<ul class="toggle"><li><details open=""><summary>More</summary><p>hidden</p></details></li></ul><details open=""><summary style="font-weight:600;font-size:1.5em;line-height:1.3;margin:0">Big</summary><div class="indented"><p>within</p></div></details>',
  )
  expect(await blocks('Page')).toMatchObject([
    { listStyle: 'toggle', markdown: '+ More' },
    { markdown: '  hidden', indentationLevel: 1 },
    { listStyle: 'toggle', textStyle: 'h2' },
    { markdown: '    within', indentationLevel: 2 },
  ])
})

test('callouts, code, formulas and columns', async () => {
  const { text, problems } = await readBody(
    '<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">Mind<p>this</p></div></figure><pre class="code"><code class="language-Python">a = 1\nb</code></pre><figure class="equation"><div class="equation-container"><span class="katex-display"><span class="katex"><annotation encoding="application/x-tex">x^2</annotation></span></span></div></figure><p>So <span class="notion-text-equation-token"><style>x</style><span class="katex"><annotation encoding="application/x-tex">y</annotation></span></span>\uFEFF is</p><div class="column-list"><div style="width:50%" class="column"><p>left</p></div><div style="width:50%" class="column"><p>right</p></div></div>',
  )
  expect(text).toBe(
    '<callout>\n💡 Mind\n\nthis\n</callout>\n\n```Python\na = 1\nb\n```\n\n$$\nx^2\n$$\n\nSo $y$ is\n\nleft\n\nright',
  )
  expect(problems).toEqual([`Page ${id(1)}.html changed: Columns stand one below the other.`])
})

test('links lead to pages and days, and files and pictures are those of the export', async () => {
  const folder = `Page ${id(1)}`
  const { text, idOf, problems } = await readBody(
    `<figure class="link-to-page"><a href="${encoded(`${folder}/Sub ${id(2)}.html`)}">Sub</a></figure><p><a href="https://www.notion.so/Sub-${id(2)}?pvs=4">by web</a>, <time>@March 1, 2024</time>, <a href="Gone%20${id(9)}.html">gone</a></p><figure class="image"><a href="${encoded(`${folder}/a b.png`)}"><img src="${encoded(`${folder}/a b.png`)}"/></a><figcaption>A dot</figcaption></figure><figure><a href="https://x.example/" class="bookmark source"><div class="bookmark-info"><div class="bookmark-title">X</div><div class="bookmark-description">About</div></div></a></figure>`,
    { [`${folder}/Sub ${id(2)}.html`]: page('Sub', '<p>s</p>'), [`${folder}/a b.png`]: png(3, 2) },
  )
  const sub = await idOf('Sub')
  expect(text.replace(/files\/\d+/, 'files/ID')).toBe(
    `[Sub](block://${sub})\n\n[by web](block://${sub}), [March 1, 2024](date://2024-03-01), [gone](<Gone%20${id(9)}.html>)\n\n![A dot](scriptorium://files/ID)\n\n[X](https://x.example/)`.replace(
      `<Gone%20${id(9)}.html>`,
      `Gone%20${id(9)}.html`,
    ),
  )
  expect(problems).toEqual([
    `Page ${id(1)}.html not found: A link is kept as it is: Gone ${id(9)}.html is not in the export.`,
  ])
})

test('a broken Markdown link is reported once, with its line', async () => {
  const gone = `Gone%20${id(9)}.csv`
  const path = `Page ${id(1)}.md`
  const { report, read } = await importedPages({ [path]: `# Page\n\nOne.\n\n[Gone](${gone}) [again](${gone})\n` })
  expect(await read('Page')).toBe(`One.\n\n[Gone](${gone}) [again](${gone})`)
  expect(problemLines(report)).toEqual([
    `${path}:5 not found: A link is kept as it is: Gone ${id(9)}.csv is not in the export.`,
  ])
})

test('pages are in folders named after their parents, without IDs', async () => {
  const { call } = await importedPages({
    [`Export-950ad927-7171-4abf-9001-821e5310d286/Top ${id(1)}.html`]: page('Top', ''),
    [`Export-950ad927-7171-4abf-9001-821e5310d286/Top ${id(1)}/Sub ${id(2)}.html`]: page('Sub', ''),
  })
  const { items } = await call('folders_list')
  expect(items.map(({ name }: { name: string }) => name)).toContain('Top')
  const { items: documents } = await call('documents_list')
  expect(documents.map(({ title }: { title: string }) => title).sort()).toEqual(['Sub', 'Top'])
})

const projects = `Projects ${id(10)}`
const tasks = `Tasks ${id(20)}`
const link = (folder: string, title: string, number: number) =>
  `<a href="../${encoded(`${folder}/${title} ${id(number)}.html`)}"><span class="icon">x</span>${title}</a>`
const choice = (...names: string[]) =>
  names.map((name) => `<span class="selected-value select-value-color-blue">${name}</span>`).join('')

const databases = (): Files => ({
  [`${projects}.csv`]: '\uFEFFName,Status,Budget,Tasks\nHouse,Open,120,Paint\nGarden,Done,R$5,\n',
  [`${projects}.html`]: page('Projects', '<table class="collection-content"></table>'),
  [`${projects}/House ${id(11)}.html`]: page(
    'House',
    '<p>All about it.</p>',
    property('select', 'Status', choice('Open')) +
      property('number', 'Budget', '120') +
      property('relation', 'Tasks', link(tasks, 'Paint', 21)) +
      property('multi_select', 'Tags', choice('a', 'b')),
  ),
  [`${projects}/Garden ${id(12)}.html`]: page(
    'Garden',
    '',
    property('select', 'Status', choice('Done')) + property('number', 'Budget', 'R$5'),
  ),
  [`${tasks}.csv`]: 'Task,Due,Project,Done\nPaint,"March 1, 2024",House,Yes\n',
  [`${tasks}/Paint ${id(21)}.html`]: page(
    'Paint',
    '',
    property('date', 'Due', '<time>@March 1, 2024</time>') +
      property('relation', 'Project', link(projects, 'House', 11)) +
      property('checkbox', 'Done', '<div class="checkbox checkbox-on"></div>'),
  ),
})

/** Each collection by name: its properties, and its items, with titles in relations. */
async function collectionsOf({ call }: Awaited<ReturnType<typeof importedPages>>) {
  const { items } = await call('collections_list')
  const found = new Map<string, { schema: string[]; items: Answer[] }>()
  const titles = new Map<string, string>()
  for (const { id: collectionId, name } of items) {
    const { properties } = await call('schema_get', { collectionId, format: 'schema' })
    const { items: rows } = await call('items_list', { collectionId })
    for (const row of rows) titles.set(row.id, row.title)
    found.set(name, { schema: properties.map((one: Answer) => `${one.name}: ${one.type}`), items: rows })
  }
  for (const { items: rows } of found.values()) {
    for (const { properties } of rows) {
      for (const [key, value] of Object.entries<Answer>(properties)) {
        if (value?.relations) properties[key] = value.relations.map((one: Answer) => titles.get(one.blockId))
      }
    }
  }
  return found
}

test('databases are imported as collections: types that fit every value, and one relation with both names', async () => {
  const run = await importedPages(databases())
  const collections = await collectionsOf(run)
  expect(collections.get('Projects')?.schema).toEqual([
    'Status: singleSelect',
    'Budget: text',
    'Tags: multiSelect',
    'Tasks: relation',
  ])
  expect(collections.get('Tasks')?.schema).toEqual(['Due: date', 'Done: boolean', 'Project: relation'])
  expect(collections.get('Projects')?.items).toMatchObject([
    {
      title: 'House',
      properties: {
        status: 'Open',
        budget: '120',
        tags: ['a', 'b'],
        tasks: ['Paint'],
      },
    },
    { title: 'Garden', properties: { status: 'Done', budget: 'R$5' } },
  ])
  expect(collections.get('Tasks')?.items).toMatchObject([
    { title: 'Paint', properties: { due: '2024-03-01', done: true, project: ['House'] } },
  ])
  expect(problemLines(run.report)).toEqual([])
  expect(run.report.counts).toMatchObject({ added: 2, failed: 0, conflicts: 0 })
})

test('documents with relations keep their times, and a second import writes nothing', async () => {
  const { call, again } = await importedPages(databases())
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items.map((one: { title: string; lastModifiedAt: string }) => [one.title, one.lastModifiedAt])).toEqual([
    ['Tasks', '2024-03-01T13:00:00.000Z'],
    ['Projects', '2024-03-01T13:00:00.000Z'],
  ])
  const { counts } = await again(databases())
  expect(counts).toMatchObject({ added: 0, updated: 0, unchanged: 2, conflicts: 0 })
})

test('Markdown with tables: rows are merged with their pages, which do not repeat them', async () => {
  const run = await importedPages({
    [`Books ${id(10)}.csv`]: '\uFEFFName,Author\nEmma,Austen\n',
    [`Books ${id(10)}_all.csv`]: '\uFEFFName,Author,Read\nEmma,Austen,Yes\nLost,Nobody,No\n',
    [`Books ${id(10)}/Emma ${id(11)}.md`]:
      '# Emma\n\nAuthor: Austen\nRead: Yes\n\nA comedy.\n\n<aside>\n💡 Note\n\n</aside>\n\n- [ ]  again\n',
    [`Home ${id(1)}.md`]: `# Home\n\n[Books](Books%20${id(10)}.csv) and [Emma](Books%20${id(10)}/Emma%20${id(11)}.md)\n`,
  })
  const books = (await collectionsOf(run)).get('Books')
  expect(books?.schema).toEqual(['Author: text', 'Read: boolean'])
  expect(books?.items).toMatchObject([
    { title: 'Emma', properties: { author: 'Austen', read: true } },
    { title: 'Lost', properties: { author: 'Nobody', read: false } },
  ])
  const emma = books?.items[0]
  expect(await run.read('Home')).toBe(`[Books](block://${await run.idOf('Books')}) and [Emma](block://${emma?.id})`)
  expect(bodyOf(await run.call('blocks_get', { id: emma?.id, format: 'markdown' }))).toBe(
    'A comedy.\n\n<callout>💡 Note</callout>\n\n- [ ] again',
  )
  expect(problemLines(run.report)).toEqual([])
})

test('relations in Markdown are links in the table', async () => {
  const run = await importedPages({
    [`${projects}.csv`]: `Name,Tasks\nHouse,"Paint (${encoded(`${tasks}/Paint ${id(21)}.md`)}), Clean (${encoded(`${tasks}/Clean ${id(22)}.md`)})"\n`,
    [`${projects}/House ${id(11)}.md`]: '# House\n',
    [`${tasks}.csv`]: 'Name,Hours\nPaint,3\nClean,1\n',
    [`${tasks}/Paint ${id(21)}.md`]: '# Paint\n\nHours: 3\n',
    [`${tasks}/Clean ${id(22)}.md`]: '# Clean\n\nHours: 1\n',
  })
  const collections = await collectionsOf(run)
  expect(collections.get('Projects')?.schema).toEqual(['Tasks: relation'])
  expect(collections.get('Projects')?.items).toMatchObject([
    { title: 'House', properties: { tasks: ['Paint', 'Clean'] } },
  ])
})

test('an import that stops before the relations writes them when it is repeated', async () => {
  const stopped = new AbortController()
  const run = await imported(databases(), notionFormat, {
    signal: stopped.signal,
    onProgress: ({ done, total }) => done === total && stopped.abort(),
  })
  expect((await collectionsOf(run)).get('Tasks')?.schema).toEqual(['Due: date', 'Done: boolean'])
  const goesOn = { signal: new AbortController().signal, onProgress: () => {} }
  const report = await run.again(databases(), goesOn)
  expect(report.counts).toMatchObject({ added: 0, conflicts: 0, failed: 0 })
  expect((await collectionsOf(run)).get('Tasks')?.schema).toEqual(['Due: date', 'Done: boolean', 'Project: relation'])
  expect((await run.again(databases(), goesOn)).counts).toMatchObject({ unchanged: 2 })
})

/** Changed databases: one project and one column more and less, and the task moved to another project. */
const changedDatabases = (): Files => {
  const { [`${projects}/Garden ${id(12)}.html`]: _, ...files } = databases()
  return {
    ...files,
    [`${projects}.csv`]: '\uFEFFName,Status,Owner,Tasks\nHouse,Done,Ada,\nShed,Open,,Paint\n',
    [`${projects}/House ${id(11)}.html`]: page(
      'House',
      '<p>All about it.</p><p>Sold.</p>',
      property('select', 'Status', choice('Done')) + property('text', 'Owner', 'Ada'),
    ),
    [`${projects}/Shed ${id(13)}.html`]: page(
      'Shed',
      '',
      property('select', 'Status', choice('Open')) + property('relation', 'Tasks', link(tasks, 'Paint', 21)),
    ),
    [`${tasks}/Paint ${id(21)}.html`]: page(
      'Paint',
      '',
      property('date', 'Due', '<time>@March 2, 2024</time>') +
        property('relation', 'Project', link(projects, 'Shed', 13)) +
        property('checkbox', 'Done', '<div class="checkbox checkbox-on"></div>'),
    ),
  }
}

test('a changed database is updated: rows, columns, values, content and relations', async () => {
  const run = await importedPages(databases())
  const before = await collectionsOf(run)
  const report = await run.again(changedDatabases())
  expect(problemLines(report)).toEqual([])
  expect(report.counts).toMatchObject({ added: 0, updated: 2, unchanged: 0, conflicts: 0, failed: 0 })
  const after = await collectionsOf(run)
  expect(after.get('Projects')?.schema).toEqual(['Status: singleSelect', 'Tasks: relation', 'Owner: text'])
  expect(after.get('Projects')?.items.map(({ title, properties }) => [title, properties])).toEqual([
    ['House', { status: 'Done', owner: 'Ada' }],
    ['Shed', { status: 'Open', tasks: ['Paint'] }],
  ])
  expect(after.get('Tasks')?.items.map(({ title, properties }) => [title, properties])).toEqual([
    ['Paint', { due: '2024-03-02', done: true, project: ['Shed'] }],
  ])
  const [house] = after.get('Projects')?.items ?? []
  expect(house?.id).toBe(before.get('Projects')?.items[0]?.id)
  expect(bodyOf(await run.call('blocks_get', { id: house?.id, format: 'markdown' }))).toBe('All about it.\n\nSold.')
  expect((await run.again(changedDatabases())).counts).toMatchObject({ unchanged: 2, conflicts: 0 })
  // Restored, which is a change like any other.
  expect(problemLines(await run.again(databases()))).toEqual([])
  expect((await collectionsOf(run)).get('Tasks')?.items).toMatchObject([{ properties: { project: ['House'] } }])
})

test('a database that was changed here as well is a conflict, and left alone', async () => {
  const run = await importedPages(databases())
  const { items } = await run.call('collections_list')
  const { id: collectionId } = items.find(({ name }: Answer) => name === 'Tasks')
  const { items: rows } = await run.call('items_list', { collectionId })
  const itemsToUpdate = [{ id: rows[0].id, properties: { due: '2024-05-05' } }]
  await run.call('items_update', { collectionId, itemsToUpdate })
  const report = await run.again({
    ...databases(),
    [`${tasks}.csv`]: 'Task,Due,Project,Done\nPaint,"March 2, 2024",House,Yes\n',
  })
  expect(problemLines(report)).toEqual([
    `${tasks} conflict: It changed here and in the source since it was imported: the document here is left as it is.`,
  ])
  expect((await run.call('items_list', { collectionId })).items).toMatchObject([{ properties: { due: '2024-05-05' } }])
})

test('rows without pages keep their items', async () => {
  const table = `Books ${id(10)}.csv`
  const run = await importedPages({ [table]: 'Name,Author\nEmma,Austen\nEmma,Nobody\nLost,Ann\n' })
  const before = (await collectionsOf(run)).get('Books')?.items ?? []
  await run.again({ [table]: 'Name,Author\nEmma,Jane Austen\nEmma,Nobody\nFound,Bo\n' })
  const after = (await collectionsOf(run)).get('Books')?.items ?? []
  expect(after.map(({ title, properties }) => `${title} ${properties.author}`)).toEqual([
    ...['Emma Jane Austen', 'Emma Nobody', 'Found Bo'],
  ])
  expect(after.slice(0, 2).map((one) => one.id)).toEqual(before.slice(0, 2).map((one) => one.id))
})
