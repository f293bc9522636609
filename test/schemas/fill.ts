/**
 * Fills a new space with one thing of each kind, only by calls and commands, so that any version of the program can do
 * it: what a version does not support is skipped.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Answer } from '../connect.ts'
import { drawing } from '../drawings.ts'
import { MADE_ASSETS } from '../made-board.ts'
import { png } from '../picture.ts'
import { noWelcomeFlags } from '../support/no-welcome.ts'

/** In the `_meta` of calls whose responses are stored. */
export const KEY_NAME = 'scriptorium/idempotencyKey'
/** A call with a key, which a test repeats. */
export const KEYED = { key: 'fixture', name: 'documents_add', arguments: { documents: [{ title: 'Once' }] } }

export interface Filling {
  /** The folder of the program: a checkout. */
  program: string
  /** The path of the space, which does not exist yet. */
  file: string
}

type Args = Record<string, unknown>

/** Calls a tool; does nothing if there is no such tool. */
type Do = (name: string, args: Args, meta?: Args) => Promise<Answer>

/** @returns the calls that the program rejected, which must be none in the current version */
export async function fill({ program, file }: Filling): Promise<string[]> {
  const refused: string[] = []
  const { does, close } = await connect({ program, file }, refused)
  const documents = await addDocuments(does)
  const blocks = await addBlocks(does, documents)
  await addCollections(does, documents.project, blocks.first)
  await addTasks(does, documents.project)
  await addBesideBlocks(does, blocks)
  await addFiles(does, documents.project)
  await addBoard(does, documents.project)
  await does(KEYED.name, KEYED.arguments, { [KEY_NAME]: KEYED.key })
  await close()
  await addProposals({ program, file }, documents.project, refused)
  await importDocument({ program, file }, refused)
  const run = (args: string, input = '') => runCommand({ program, file }, args.split(' '), input, refused)
  await run('participants add Grace')
  await run('participants remove Grace')
  await run('participants add Owner --oauth-issuer https://id.example --subject ada')
  await run('participants add Owner --password', 'a password of some length\n')
  await run(`links add --kind selected --documents ${documents.project} --name Project --access no-delete`)
  await run('links add --kind daily --bearer --expires 2099-01-01')
  const { id } = JSON.parse((await run('links add --name Ended --json')) || '{}')
  if (id !== undefined) await run(`links revoke ${id}`)
  return refused
}

/** Connects to the program over stdio. */
async function connect({ program, file }: Filling, refused: string[], more: readonly string[] = []) {
  const client = new Client({ name: 'fixture', version: '1.0.0' })
  const flags = ['--space', file, '--name', 'Fixture', '--timezone', 'Europe/Budapest', ...more]
  const args = ['src/start.js', 'stdio', ...flags, ...noWelcomeFlags('src/start.js', program)]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: program, env: getDefaultEnvironment() }),
  )
  const tools = new Set((await client.listTools()).tools.map(({ name }) => name))
  const does: Do = async (name, args, meta) => {
    if (!tools.has(name)) return {}
    const result = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })
    if (!result.isError) return result.structuredContent ?? {}
    refused.push(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result.content)}`)
    return {}
  }
  return { does, close: () => client.close() }
}

/** Proposes changes, which wait. */
async function addProposals(filling: Filling, pageId: string, refused: string[]): Promise<void> {
  const { does, close } = await connect(filling, refused, ['--access', 'propose'])
  await does('documents_add', { documents: [{ title: 'Proposed', markdown: 'waits' }] })
  await does('files_add', { position: { position: 'end', pageId }, text: 'proposed words', fileName: 'proposed.txt' })
  await close()
}

async function importDocument(filling: Filling, refused: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-fixture-import-'))
  const file = join(folder, 'Imported.md')
  writeFileSync(file, '# Imported\n\nfrom a file\n')
  await runCommand(filling, ['import', file], '', refused)
  rmSync(folder, { recursive: true })
}

const idsOf = ({ items = [] }: Answer): string[] => items.map(({ id }: Answer) => id)

const PROJECT = `# Plan

Words with **bold**, *italic*, \`code\`, ==highlight== and $x^2$.

- one
  - two
    - three
1. first
2. second

> quoted

| Name | Sum |
| - | -: |
| a | 1 |
| b | 2 |

\`\`\`typescript
const answer = 42
\`\`\`

---

<callout>

Mind this.

</callout>`

async function addDocuments(does: Do) {
  const [work = ''] = idsOf(await does('folders_add', { folders: [{ name: 'Work' }] }))
  const [plans = ''] = idsOf(await does('folders_add', { folders: [{ name: 'Plans', parentFolderId: work }] }))
  const [spare = ''] = idsOf(await does('folders_add', { folders: [{ name: 'Spare' }] }))
  await does('folders_delete', { folderIds: [spare] })
  const [project = ''] = idsOf(
    await does('documents_add', {
      documents: [{ title: 'Project', markdown: PROJECT }],
      destination: { folderId: plans },
    }),
  )
  const [loose = '', gone = '', back = ''] = idsOf(
    await does('documents_add', {
      documents: [{ title: 'Loose' }, { title: 'Gone', markdown: 'thrown away' }, { title: 'Back' }],
    }),
  )
  await does('documents_add', {
    documents: [{ title: 'Form', markdown: 'a template' }],
    destination: { destination: 'templates' },
  })
  await does('documents_delete', { documentIds: [gone, back] })
  await does('documents_move', { documentIds: [back], destination: { folderId: work } })
  return { project, loose }
}

async function addBlocks(does: Do, { project, loose }: { project: string; loose: string }) {
  const end = { position: 'end', pageId: project }
  const [first = '', last = ''] = idsOf(
    await does('blocks_add', { markdown: 'A block to talk about\n\nto go', position: end }),
  )
  const inner = '<page><pageTitle>Inner</pageTitle><content>deep inside</content></page>'
  const [page = ''] = idsOf(
    await does('blocks_add', {
      markdown: `<page><pageTitle>Outer</pageTitle><content>within\n\n${inner}</content></page>`,
      position: end,
    }),
  )
  await does('blocks_add', {
    blocks: [
      { type: 'richUrl', url: 'https://example.org/', title: 'Example', description: 'A place', layout: 'card' },
      { type: 'line', lineStyle: 'strong' },
      { type: 'text', markdown: `See [the page](block://${page}) and [the day](date://2026-11-20)`, color: '#336699' },
    ],
    position: end,
  })
  await does('blocks_update', { blocks: [{ id: first, markdown: 'A block to talk about, *changed*' }] })
  await does('blocks_add', { markdown: 'moved here', position: { position: 'end', pageId: loose } })
  const [moved = ''] = idsOf(await does('blocks_add', { markdown: 'moved around', position: end }))
  await does('blocks_move', { blockIds: [moved], position: { position: 'start', pageId: loose } })
  await does('blocks_delete', { blockIds: [last] })
  await does('blocks_add', { markdown: 'What the day brought', position: { position: 'end', date: '2026-11-20' } })
  return { first, page }
}

const to = (...ids: string[]) => ({ relations: ids.map((blockId) => ({ blockId })) })

async function addCollections(does: Do, pageId: string, block: string): Promise<void> {
  const position = { position: 'end', pageId }
  const { collectionBlockId: people = '' } = await does('collections_add', {
    schema: { name: 'People', properties: [{ type: 'email', name: 'Mail' }] },
    position,
  })
  const properties = [
    { type: 'text', name: 'Note' },
    { type: 'number', name: 'Price' },
    { type: 'boolean', name: 'Paid' },
    { type: 'date', name: 'Due' },
    { type: 'url', name: 'Site' },
    { type: 'phone', name: 'Phone' },
    { type: 'singleSelect', name: 'Stage', options: [{ name: 'Open' }, { name: 'Won' }, { name: 'Lost' }] },
    { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b' }] },
    { type: 'relation', name: 'Who', targetCollectionId: people },
    { type: 'blockLink', name: 'Source' },
    { type: 'text', name: 'Passing' },
  ]
  const { collectionBlockId: collectionId = '' } = await does('collections_add', {
    schema: { name: 'Deals', properties },
    position,
  })
  const [ada = '', bob = ''] = idsOf(
    await does('items_add', {
      collectionId: people,
      items: [{ title: 'Ada', properties: { mail: 'ada@example.org' } }, { title: 'Bob' }],
    }),
  )
  const values = { note: 'a\nb', price: -1.5, paid: true, due: '2028-02-29', site: 'https://example.org/?a=b' }
  const more = { phone: '+36 1 234 5678', stage: 'Won', tags: ['b', 'a'], passing: 'soon gone' }
  const [one = '', , three = ''] = idsOf(
    await does('items_add', {
      collectionId,
      items: [
        {
          title: 'One',
          properties: { ...values, ...more, who: to(ada, bob), source: { blockId: block } },
          content: [{ type: 'text', markdown: 'inside an item' }],
        },
        { title: 'Two', properties: { price: 7, paid: false, stage: 'Open', who: to(ada) } },
        { title: 'Three' },
      ],
    }),
  )
  await does('items_update', { collectionId, itemsToUpdate: [{ id: one, properties: { price: 12.25 } }] })
  await does('items_delete', { collectionId, idsToDelete: [three] })
  const { properties: known } = await does('schema_get', { collectionId, format: 'schema' })
  if (known !== undefined) {
    const kept = known.filter(({ key }: Answer) => key !== 'passing')
    await does('schema_update', { collectionId, schema: { name: 'Deals', properties: kept } })
  }
  await addViews(does, collectionId)
}

async function addViews(does: Do, collectionId: string): Promise<void> {
  const table = {
    name: 'Dear ones',
    type: 'table',
    filters: [{ property: 'price', filterType: 'number_greater', filterValue: 5 }],
    sortBy: [{ property: 'due', ascending: false }],
    calculations: { price: 'number_sum' },
    isCalculationsRowVisible: true,
  }
  const board = { name: 'Board', type: 'kanban', groupBy: [{ property: 'stage' }] }
  await does('views_add', { collectionId, view: table })
  const { id } = await does('views_add', { collectionId, view: board })
  await does('views_add', { collectionId, view: { name: 'Pictures', type: 'gallery' } })
  const { id: passing } = await does('views_add', { collectionId, view: { name: 'Passing', type: 'table' } })
  if (passing !== undefined) await does('views_delete', { collectionId, viewId: passing })
  if (id !== undefined) await does('views_activate', { collectionId, viewId: id })
}

async function addTasks(does: Do, documentId: string): Promise<void> {
  const weekly = { type: 'fixed', frequency: 'weekly', interval: 2, weekly: { days: ['monday', 'friday'] } }
  const { items = [] } = await does('tasks_add', {
    tasks: [
      { markdown: 'in the inbox' },
      { markdown: 'comes round', taskInfo: { scheduleDate: '2026-11-20', deadlineDate: '2026-11-25' }, repeat: weekly },
      { markdown: 'of the day', location: { type: 'dailyNote', date: '2026-11-20' } },
      {
        markdown: 'of the project',
        location: { type: 'document', documentId },
        taskInfo: { deadlineDate: '2027-03-01' },
      },
      { markdown: 'is done' },
      { markdown: 'is canceled' },
    ],
  })
  if (items.length === 0) return
  const [, round, , , done, canceled] = items
  await does('tasks_update', {
    tasksToUpdate: [
      { id: round.id, taskInfo: { state: 'done' } },
      { id: done.id, taskInfo: { state: 'done' } },
      { id: canceled.id, taskInfo: { state: 'canceled' } },
    ],
  })
}

async function addBesideBlocks(does: Do, { first, page }: { first: string; page: string }): Promise<void> {
  const [, later = ''] = idsOf(
    await does('reminders_add', {
      reminders: [{ blockId: page, remindAt: '2099-11-20T10:00:00Z' }, { blockId: first }],
    }),
  )
  await does('reminders_update', { remindersToUpdate: [{ id: later, isCompleted: true }] })
  await does('comments_add', {
    comments: [
      { blockId: first, content: 'A remark' },
      { blockId: first, content: 'and another' },
    ],
  })
}

async function addFiles(does: Do, pageId: string): Promise<void> {
  const position = { position: 'end', pageId }
  const data = png(2, 2).toString('base64')
  await does('files_add', { position, data, mimeType: 'image/png', fileName: 'picture.png' })
  await does('files_add', { position, text: 'words in a file\n', fileName: 'words.txt' })
}

async function addBoard(does: Do, pageId: string): Promise<void> {
  const { whiteboardBlockId } = await does('whiteboards_add', { position: { position: 'end', pageId } })
  if (whiteboardBlockId === undefined) return
  const elements = drawing('software-architecture 2')
  const picture = { id: 'picture', type: 'image', x: 0, y: 0, width: 10, height: 10, fileId: 'file' }
  const appState = { viewBackgroundColor: '#fff', gridSize: null }
  await does('elements_add', { whiteboardBlockId, elements, assets: MADE_ASSETS, appState })
  await does('elements_add', { whiteboardBlockId, elements: [picture, { ...picture, id: 'passing' }] })
  await does('elements_update', { whiteboardBlockId, elements: [{ id: 'picture', x: 5 }] })
  await does('elements_delete', { whiteboardBlockId, elementIds: ['passing'] })
}

async function runCommand(
  { program, file }: Filling,
  args: string[],
  input: string,
  refused: string[],
): Promise<string> {
  const child = spawn(process.execPath, ['src/start.js', ...args, '--space', file], { cwd: program })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.end(input)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code === 0) return output
  refused.push(`${args.join(' ')}: ${errors}`)
  return ''
}
