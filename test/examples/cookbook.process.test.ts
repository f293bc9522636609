/** The ten programs of examples/cookbook, each on a space as it finds one, and run again where that must change nothing. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, EXAMPLES, runExample, type Served, served, startExample } from './running.ts'

const COOKBOOK = join(EXAMPLES, 'cookbook')
/** What a page reads as, without the tags around it. */
async function textOf({ restUrl }: Served, query: string): Promise<string> {
  const response = await fetch(`${restUrl}/blocks?${query}`, { headers: { accept: 'text/markdown' } })
  return (await response.text()).replace(/^[\s\S]*<content>\n?|\n?<\/content>[\s\S]*$/g, '')
}
const addDocument = async ({ send }: Served, title: string, markdown = '') =>
  (await send('POST /documents', { documents: [{ title, markdown }] })).items[0].id
const addTask = async ({ send }: Served, markdown: string, taskInfo: object = {}) =>
  (await send('POST /tasks', { tasks: [{ markdown, location: { type: 'inbox' }, taskInfo }] })).items[0].id

async function addTable(server: Served, schema: object, items: object[]): Promise<string> {
  const pageId = await addDocument(server, 'Page')
  const position = { position: 'end', pageId }
  const { collectionBlockId } = await server.send('POST /collections', { schema, position })
  await server.send(`POST /collections/${collectionBlockId}/items`, { items })
  return collectionBlockId
}

test('there are ten, each of 40 to 80 lines, and docs/cookbook.md describes each', () => {
  const programs = readdirSync(COOKBOOK).filter((name) => name.endsWith('.ts') && name !== 'rest.ts')
  expect(programs).toHaveLength(10)
  const page = readFileSync(join(EXAMPLES, '../docs/cookbook.md'), 'utf8')
  expect(programs.filter((name) => !page.includes(`](../examples/cookbook/${name})`))).toEqual([])
  for (const name of programs) {
    const lines = readFileSync(join(COOKBOOK, name), 'utf8').trimEnd().split('\n').length
    expect([name, lines >= 40 && lines <= 80]).toEqual([name, true])
  }
})

test('nightly summary: what others changed is in the daily note once, with links', async () => {
  const server = await served()
  const robot = { ...server, ...(await server.link('--name', 'Summary')) }
  const plan = await addDocument(server, 'Plan [draft]', 'a')
  await server.send('POST /blocks', { markdown: 'b', position: { position: 'end', pageId: plan } })
  expect(await runExample(robot, 'cookbook/nightly-summary.ts')).toBe('changes: 2')
  const text = await textOf(server, 'date=today&ids=short')
  expect(text).toBe(`## What changed today\n\n- [Plan [draft]](block://${plan.slice(-12)}): 2 changes by Owner`)
  expect(await runExample(robot, 'cookbook/nightly-summary.ts')).toBe('changes: 0')
  expect(await textOf(server, 'date=today&ids=short')).toBe(text)
})

test('inbox triage: tasks get dates and documents by words, and others stay', async () => {
  const server = await served()
  await addTask(server, 'Pay the invoice tomorrow')
  await addTask(server, 'Water the garden')
  await addTask(server, 'Think')
  const rules = ['Home=groceries,garden', 'Work=invoice']
  expect(await runExample(server, 'cookbook/inbox-triage.ts', rules)).toBe('2 of 3 tasks sorted')
  const { items } = await server.send('GET /tasks?scope=inbox')
  expect(items.map(({ markdown }: Answer) => markdown)).toEqual(['- [ ] Think'])
  const { items: found } = await server.send('GET /documents')
  expect(found.map(({ title }: Answer) => title).sort()).toEqual(['Home', 'Work'])
  const { items: tomorrow } = await server.send('GET /tasks?scope=upcoming')
  expect(tomorrow.map(({ markdown }: Answer) => markdown)).toEqual(['- [ ] Pay the invoice tomorrow'])
  expect(await runExample(server, 'cookbook/inbox-triage.ts', rules)).toBe('0 of 1 tasks sorted')
})

test('research notebook: each source comes in once, and questions are open tasks', async () => {
  const server = await served()
  const one = { finding: 'They heat', source: 'https://example.org/1', question: 'How loud?' }
  const two = { finding: 'They cool', source: 'https://example.org/2' }
  const run = (findings: object[]) =>
    runExample(server, 'cookbook/research-notebook.ts', ['Heat', 'pumps'], JSON.stringify(findings))
  expect(await run([one])).toBe('findings: 1, questions: 1')
  expect(await run([one, two])).toBe('findings: 1, questions: 0')
  const { items } = await server.send('GET /documents')
  expect(items.map(({ title }: Answer) => title)).toEqual(['Notebook: Heat pumps'])
  expect(await textOf(server, `id=${items[0].id}`)).toBe(
    [
      '## Findings\n',
      '- They heat ([source](https://example.org/1))',
      '- They cool ([source](https://example.org/2))\n',
      '## Open questions\n',
      '- [ ] How loud?',
    ].join('\n'),
  )
})

test('meeting notes: decisions, tasks for members and all other lines are in one document, of one call', async () => {
  const server = await served()
  await server.command('participants', 'add', 'Anna Berg')
  const notes = 'We met late.\nDecision: ship on Friday\nAnna will write the notes\nBob will call\n'
  expect(await runExample(server, 'cookbook/meeting-notes.ts', ['Standup'], notes)).toBe('decisions: 1, tasks: 2')
  const { items } = await server.send('GET /documents')
  const text = await textOf(server, `id=${items[0].id}`)
  expect(text).toContain('## Decisions\n\n- ship on Friday\n\n## Notes\n\n- We met late.')
  const tasks = await server.send(`GET /tasks?scope=document&documentId=${items[0].id}`)
  expect(tasks.items.map(({ markdown, taskInfo }: Answer) => [markdown, taskInfo.assignee?.name]).sort()).toEqual([
    ['- [ ] Bob: call', undefined],
    ['- [ ] write the notes', 'Anna Berg'],
  ])
  expect((await server.send('GET /history')).items).toHaveLength(1)
})

test('board worker: several of them do each card once', async () => {
  const server = await served()
  const options = ['To do', 'Doing', 'Done'].map((name) => ({ name }))
  const properties = [
    { name: 'Status', type: 'singleSelect', options },
    { name: 'Result', type: 'text' },
  ]
  const titles = Array.from({ length: 12 }, (_, index) => `Card ${index + 1}`)
  const cards = titles.map((title) => ({ title, properties: { status: 'To do' } }))
  const collection = await addTable(server, { name: 'Cards', properties }, cards)
  const workers = [1, 2, 3].map(() => startExample(server, 'cookbook/board-worker.ts', { COLLECTION: collection }))
  await Promise.all(workers.map(({ child }) => new Promise((resolve) => child.once('close', resolve))))
  const done = workers.flatMap((worker) => worker.output().split('\n').filter(Boolean))
  expect(done.sort()).toEqual(titles.toSorted())
  const { items } = await server.send(`GET /collections/${collection}/items`)
  expect(items.map((item: Answer) => item.properties.status)).toEqual(titles.map(() => 'Done'))
})

test('code-review notes: each questioned line has its comment, whatever it contains', async () => {
  const server = await served()
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,4 @@',
    ' const a = 1\n+console.log(`a ``b`` {a}`) // TODO\n+const b = 2\n+console.log(b)',
    'diff --git a/b.md b/b.md\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-a\n+b\n',
  ].join('\n')
  expect(await runExample(server, 'cookbook/code-review-notes.ts', ['fix'], diff)).toBe('files: 2, comments: 2')
  const { items } = await server.send('GET /documents')
  expect(items.map(({ title }: Answer) => title)).toEqual(['Review of fix'])
  const { content } = await server.send(`GET /blocks?id=${items[0].id}&fetchMetadata=true`)
  const asked = content.flatMap(({ markdown, metadata }: Answer) =>
    (metadata?.comments ?? []).map(({ content: text }: Answer) => [markdown.replace(/<[^>]+>/g, ''), text]),
  )
  expect(asked).toEqual([
    ['- ```console.log(`a ``b`` {a}`) // TODO```', 'Is there an issue for this?'],
    ['- `console.log(b)`', 'Left over from debugging?'],
  ])
  expect(await textOf(server, `id=${items[0].id}`)).toContain('## b.md\n\n1 lines added.\n\nNothing to ask.')
})

test('CRM hygiene: changes are proposed, and a person approves them', async () => {
  const server = await served()
  const properties = ['Email', 'Phone', 'Note'].map((name) => ({ name, type: 'text' }))
  const collection = await addTable(server, { name: 'Contacts', properties }, [
    { title: 'Anna', properties: { email: 'mailto:Anna@Example.org', phone: '0049 (30) 1234-567' } },
    { title: 'A. Berg', properties: { email: 'anna@example.org' } },
    { title: 'Ben', properties: { email: 'ben at example', phone: '+49301234568' } },
    { title: 'Eve', properties: { email: 'eve@example.org' } },
  ])
  const robot = { ...server, ...(await server.link('--name', 'Hygiene', '--access', 'propose')) }
  const contacts = async () => {
    const { items } = await server.send(`GET /collections/${collection}/items`)
    return items.map(({ title, properties: { email, phone, note } }: Answer) => [title, email, phone, note])
  }
  const before = await contacts()
  expect(await runExample(robot, 'cookbook/crm-hygiene.ts', [collection])).toBe('3 of 4 contacts changed')
  expect(await contacts()).toEqual(before)
  const [{ proposalId }] = (await server.send('GET /proposals')).items
  const [{ fingerprint }] = (await server.send(`GET /proposals?proposalId=${proposalId}`)).items
  await server.send(`POST /proposals/${proposalId}/approve`, { fingerprint })
  expect(await contacts()).toEqual([
    ['Anna', 'anna@example.org', '+49301234567', undefined],
    ['A. Berg', 'anna@example.org', undefined, 'Same address as Anna'],
    ['Ben', 'ben at example', '+49301234568', 'The address cannot be right'],
    ['Eve', 'eve@example.org', undefined, undefined],
  ])
  expect(await runExample(robot, 'cookbook/crm-hygiene.ts', [collection])).toBe('0 of 4 contacts changed')
})

test('daily plan: late tasks come first, at most five, once a day', async () => {
  const server = await served()
  for (const day of [3, 1, 2, 6, 5, 4]) await addTask(server, `Task ${day}`, { scheduleDate: `2026-01-0${day}` })
  expect(await runExample(server, 'cookbook/daily-plan.ts')).toBe('5 of 6 tasks planned')
  const text = await textOf(server, 'date=today&ids=short')
  expect(text.replace(/block:\/\/\d+/g, 'ID')).toBe(
    [
      '## Plan\n',
      ...[1, 2, 3, 4, 5].map((day) => `1. [Task ${day}](ID), late since 2026-01-0${day}`),
      '\n1 more can wait.',
    ].join('\n'),
  )
  await addTask(server, 'Late', { scheduleDate: '2026-01-01' })
  expect(await runExample(server, 'cookbook/daily-plan.ts')).toBe('planned already')
  expect(await textOf(server, 'date=today&ids=short')).toBe(text)
})

test('import watcher: an import adds tasks to look at what came in', async () => {
  const server = await served()
  const notes = join(server.path, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'a.md'), 'One')
  writeFileSync(join(notes, 'b.md'), 'Two')
  const watcher = startExample(server, 'cookbook/import-watcher.ts')
  await watcher.until(/listening/)
  await server.command('import', notes, '--no-welcome', '--json')
  await watcher.until(/notes: tasks added: 1/)
  const { items } = await server.send('GET /tasks?scope=inbox')
  expect(items.map(({ markdown }: Answer) => markdown)).toEqual([
    expect.stringMatching(
      /^- \[ \] Look at what was imported from notes, beginning with \[[ab]\]\(block:\/\/[\w-]+\)$/,
    ),
  ])
})

test('approval bot: additions are approved, deletions rejected, and changes and links left to people', async () => {
  const server = await served()
  const page = await addDocument(server, 'Page', 'first\n\nsecond')
  const [{ id: first }, { id: second }] = (await server.send(`GET /blocks?id=${page}`)).content
  const { restUrl } = await server.link('--name', 'Robot', '--access', 'propose')
  const propose = async (method: string, at: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(restUrl + at, { method, headers, body: JSON.stringify(body) })
    expect(status).toBe(202)
  }
  const position = { position: 'end', pageId: page }
  await propose('POST', '/blocks', { markdown: 'third', position })
  await propose('POST', '/blocks', { markdown: 'see https://example.org', position })
  await propose('PUT', '/blocks', { blocks: [{ id: first, markdown: 'changed' }] })
  await propose('DELETE', '/blocks', { blockIds: [second] })
  const bot = { ...server, ...(await server.link('--name', 'Approval bot')) }
  const output = await runExample(bot, 'cookbook/approval-bot.ts')
  expect(output.split('\n').map((line) => line.split(':')[0])).toEqual(['approved', 'left', 'left', 'rejected'])
  expect(await textOf(server, `id=${page}`)).toBe('first\n\nsecond\n\nthird')
  const { items } = await server.send('GET /proposals?state=all')
  expect(items.map(({ state, decidedBy }: Answer) => [state, decidedBy]).reverse()).toEqual([
    ['approved', 'Approval bot'],
    ['waiting', undefined],
    ['waiting', undefined],
    ['rejected', 'Approval bot'],
  ])
  expect(await runExample(bot, 'cookbook/approval-bot.ts')).not.toMatch(/approved|rejected/)
})
