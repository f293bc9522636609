/**
 * Ten jobs of several calls each, divided into steps. A step refers to the results of an earlier one by `$name`, as in
 * batches. Texts that contain IDs are known only after the stage before is done, so they are in a later stage.
 */

export interface JobStep {
  tool: string
  arguments: object
  as?: string
}

/** Returns the IDs that the steps of this name created. */
export type Made = (name: string) => readonly string[]

/** The steps of one batch. */
export type Stage = (made: Made) => JobStep[]

export interface Job {
  /** Preparations, which are not counted. */
  before?: JobStep[]
  stages: Stage[]
}

const step = (tool: string, args: object, as?: string): JobStep => ({
  ...{ tool, ...(as !== undefined && { as }), arguments: args },
})
const count = <T>(much: number, make: (index: number) => T): T[] => Array.from({ length: much }, (_, n) => make(n))
const ref = (name: string, index: number): string => (index === 0 ? `$${name}` : `$${name}.${index}`)
const end = (pageId: string) => ({ position: 'end', pageId })
const documents = (titles: readonly string[]) => ({ documents: titles.map((title) => ({ title })) })
const days = count(7, (n) => `2026-12-${String(7 + n).padStart(2, '0')}`)
const AT = '2099-01-01T09:00:00Z'

const TOPICS = 'first week,holidays,illness,travel,expenses,security,meetings,pay,tools,office'.split(',')
const PAGES = count(30, (n) => `${TOPICS[n % 10]}${n < 10 ? '' : `, part ${Math.floor(n / 10) + 1}`}`)

export const BATCH_JOBS: Readonly<Record<string, Job>> = {
  'a handbook of 30 pages with links between them': {
    stages: [
      () => [
        step('folders_add', { folders: [{ name: 'Handbook' }] }, 'folder'),
        step('documents_add', { ...documents(PAGES), destination: { folderId: '$folder' } }, 'pages'),
      ],
      (made) =>
        PAGES.map((title, n) => {
          const [next, related] = [(n + 1) % PAGES.length, (n * 7 + 3) % PAGES.length]
          const link = (to: number) => `[${PAGES[to]}](block://${made('pages')[to]})`
          const markdown = `What everybody should know about ${title}.\n\n- Ask your lead first\n\nSee also ${link(related)}. Next: ${link(next)}`
          return step('blocks_add', { markdown, position: end(made('pages')[n] ?? '') })
        }),
    ],
  },
  'a CRM with relations and 200 items': {
    stages: [
      () => [
        step('documents_add', documents(['CRM']), 'crm'),
        step(
          'collections_add',
          {
            schema: {
              name: 'Companies',
              properties: [
                { name: 'City', type: 'text' },
                { name: 'Size', type: 'number' },
              ],
            },
            position: end('$crm'),
          },
          'companies',
        ),
        step(
          'collections_add',
          {
            schema: {
              name: 'People',
              properties: [
                { name: 'Mail', type: 'email' },
                { name: 'Company', type: 'relation', targetCollectionId: '$companies' },
              ],
            },
            position: end('$crm'),
          },
          'people',
        ),
        step(
          'items_add',
          {
            collectionId: '$companies',
            items: count(40, (n) => ({ title: `Company ${n}`, properties: { city: 'Triest', size: 5 + n } })),
          },
          'company',
        ),
        step('items_add', {
          collectionId: '$people',
          items: count(160, (n) => ({
            title: `Person ${n}`,
            properties: {
              mail: `person${n}@example.org`,
              company: { relations: [{ blockId: ref('company', n % 40) }] },
            },
          })),
        }),
        step('views_add', {
          collectionId: '$people',
          view: { name: 'By company', type: 'table', groupBy: [{ property: 'company' }] },
        }),
      ],
    ],
  },
  "a week's plan": {
    stages: [
      () => [
        ...days.map((date) =>
          step('blocks_add', { markdown: '# Plan\n\n- Mail', position: { position: 'end', date } }),
        ),
        step(
          'tasks_add',
          { tasks: days.map((date, n) => ({ markdown: `run ${n + 3} km`, taskInfo: { scheduleDate: date } })) },
          'runs',
        ),
        step('reminders_add', { reminders: [{ blockId: '$runs', remindAt: AT }] }),
      ],
    ],
  },
  'begin a project': {
    stages: [
      () => [
        step('folders_add', { folders: [{ name: 'Crane' }] }, 'folder'),
        step(
          'documents_add',
          { ...documents(['Brief', 'Log', 'Decisions']), destination: { folderId: '$folder' } },
          'docs',
        ),
        step('blocks_add', { markdown: 'Who pays, who works, by when.', position: end('$docs') }, 'brief'),
        step('tasks_add', {
          tasks: ['call the divers', 'ask the town'].map((markdown) => ({
            ...{ markdown, location: { type: 'document', documentId: '$docs.1' } },
          })),
        }),
        step('comments_add', { comments: [{ blockId: '$brief', content: 'Figures?' }] }),
        step('reminders_add', { reminders: [{ blockId: '$brief', remindAt: AT }] }),
      ],
    ],
  },
  'prepare a meeting': {
    before: [step('documents_add', documents(['Meetings']), 'page')],
    stages: [
      () => [
        step(
          'blocks_add',
          {
            blocks: ['Agenda', 'Crane', 'Divers', 'Town'].map((markdown) => ({
              ...{ type: 'text', markdown, listStyle: 'bullet' },
            })),
            position: end('$page'),
          },
          'lines',
        ),
        step('comments_add', { comments: [{ blockId: '$lines.1', content: 'Who brings the figures?' }] }),
        step('reminders_add', { reminders: [{ blockId: '$lines', remindAt: AT }] }),
        step('tasks_add', { tasks: [{ markdown: 'invite the town', taskInfo: { scheduleDate: 'tomorrow' } }] }),
      ],
    ],
  },
  'put documents into folders': {
    before: [step('documents_add', documents(count(12, (n) => `Note ${n}`)), 'notes')],
    stages: [
      () => [
        step('folders_add', { folders: ['Harbour', 'Town', 'Divers'].map((name) => ({ name })) }, 'folders'),
        ...count(3, (n) =>
          step('documents_move', {
            documentIds: count(4, (m) => ref('notes', n * 4 + m)),
            destination: { folderId: ref('folders', n) },
          }),
        ),
      ],
    ],
  },
  'a table with views': {
    before: [step('documents_add', documents(['Magazine']), 'page')],
    stages: [
      () => [
        step(
          'collections_add',
          {
            schema: {
              name: 'Articles',
              properties: [
                { name: 'Stage', type: 'singleSelect', options: ['Idea', 'Draft', 'Out'].map((name) => ({ name })) },
                { name: 'Due', type: 'date' },
              ],
            },
            position: end('$page'),
          },
          'articles',
        ),
        step('items_add', {
          collectionId: '$articles',
          items: count(12, (n) => ({
            ...{ title: `Article ${n}`, properties: { stage: 'Idea', due: days[n % 7] } },
          })),
        }),
        step('views_add', {
          collectionId: '$articles',
          view: { name: 'Board', type: 'kanban', groupBy: [{ property: 'stage' }] },
        }),
        step('views_add', {
          collectionId: '$articles',
          view: { name: 'By date', type: 'table', sortBy: [{ property: 'due', ascending: true }] },
        }),
      ],
    ],
  },
  'sketch on a whiteboard': {
    stages: [
      () => [
        step('documents_add', documents(['Pier']), 'page'),
        step('blocks_add', { markdown: 'How the boats come in.', position: end('$page') }),
        step('whiteboards_add', { position: end('$page') }, 'board'),
        step('elements_add', {
          whiteboardBlockId: '$board',
          elements: count(6, (n) => ({
            ...{ id: `boat${n}`, type: 'rectangle', x: 200 * n, y: 0, width: 160, height: 60 },
          })),
        }),
      ],
    ],
  },
  'close the week': {
    before: [
      step('tasks_add', { tasks: count(8, (n) => ({ markdown: `point ${n}` })) }, 'tasks'),
      step('documents_add', documents(['Done']), 'done'),
    ],
    stages: [
      () => [
        step('tasks_update', {
          tasksToUpdate: count(4, (n) => ({ id: ref('tasks', n), taskInfo: { state: 'done' } })),
        }),
        step('tasks_update', {
          tasksToUpdate: [{ id: '$tasks.4', taskInfo: { scheduleDate: '2026-12-14' } }],
        }),
        step('tasks_delete', { idsToDelete: ['$tasks.5'] }),
        step('blocks_add', { markdown: 'Four of eight points are done.', position: end('$done') }),
      ],
    ],
  },
  'take a page apart': {
    before: [
      step('documents_add', documents(['Long page']), 'page'),
      step('blocks_add', { markdown: count(9, (n) => `Paragraph ${n}`).join('\n\n'), position: end('$page') }, 'lines'),
    ],
    stages: [
      () => [
        step('blocks_add', { blocks: [{ type: 'page', title: 'Details' }], position: end('$page') }, 'inner'),
        step('blocks_move', { blockIds: ['$lines.3', '$lines.4', '$lines.5'], position: end('$inner') }),
        step('blocks_update', { blocks: [{ id: '$lines', markdown: 'In short: it works.' }] }),
        step('blocks_delete', { blockIds: ['$lines.8'] }),
      ],
    ],
  },
}
