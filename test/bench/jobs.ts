/** Ten jobs as agents do them, call by call. Their cost is what a model sends and receives. */

/** A response as a model reads it. */
export interface Read {
  text: string
  /** The IDs of the listed things, in order. */
  ids: string[]
}

export type Call = (name: string, args: object) => Promise<Read>

const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[1-9]\d{11})\b/g

/** Finds the IDs of the items in an object, or all IDs in a text. */
export function idsOf(text: string, object: unknown): string[] {
  const { items, collectionBlockId } = (object ?? {}) as { items?: { id: string }[]; collectionBlockId?: string }
  return (
    items?.map(({ id }) => id) ?? (collectionBlockId === undefined ? [...new Set(text.match(ID))] : [collectionBlockId])
  )
}

const PARAGRAPH =
  'We met on the pier and spoke of the *harbour* plan: who pays for the crane, when the divers come, and what the town wants.'
const page = (title: string, lines: number) => ({
  title,
  markdown: [
    `# ${title}`,
    ...Array.from({ length: lines }, (_, n) => (n % 3 === 0 ? `- [ ] settle point ${n}` : `${PARAGRAPH} (${n})`)),
  ].join('\n\n'),
})

async function notes(call: Call, count: number, lines = 6): Promise<string[]> {
  const documents = Array.from({ length: count }, (_, n) => page(`Harbour note ${n}`, lines))
  return (await call('documents_add', { documents })).ids.slice(0, count)
}

async function deals(call: Call, count: number): Promise<{ collectionId: string; items: string[] }> {
  const [pageId] = await notes(call, 1, 1)
  const properties = [
    { name: 'Price', type: 'number', config: { format: 'currency', currency: 'EUR' } },
    { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }, { name: 'Lost' }] },
    { name: 'Due', type: 'date' },
  ]
  const schema = { name: 'Deals', properties }
  const made = await call('collections_add', { schema, position: { position: 'end', pageId } })
  const [collectionId = ''] = made.ids
  const items = Array.from({ length: count }, (_, n) => {
    const values = {
      price: 100 * n,
      stage: ['Open', 'Won', 'Lost'][n % 3],
      due: `2026-12-${String(1 + (n % 28)).padStart(2, '0')}`,
    }
    return { title: `Deal ${n}`, properties: values }
  })
  return { collectionId, items: (await call('items_add', { collectionId, items })).ids.slice(0, count) }
}

/** Each job runs in a space of its own. Calls before `begin` are preparations, which are not counted. */
export const JOBS: Readonly<Record<string, (call: Call, begin: () => void) => Promise<void>>> = {
  async 'write a note and read it again'(call, begin) {
    begin()
    const [id] = (await call('documents_add', { documents: [page('Pier', 9)] })).ids
    await call('blocks_get', { id })
  },
  async 'keep a diary for a day'(call, begin) {
    begin()
    for (const time of ['09:10', '11:45', '16:30']) {
      await call('blocks_add', { markdown: `- ${time} ${PARAGRAPH}`, position: { position: 'end', date: 'today' } })
    }
    await call('blocks_get', { date: 'today' })
  },
  async 'answer a question'(call, begin) {
    const [id] = await notes(call, 30)
    begin()
    await call('documents_search', { include: ['who pays for the crane'] })
    await call('blocks_get', { id })
  },
  async 'go through the tasks'(call, begin) {
    begin()
    const tasks = ['water the roses', 'call the divers', 'pay the crane', 'write to the town', 'book the pier']
    const dated = tasks.map((text) => ({ markdown: text, taskInfo: { scheduleDate: 'today' } }))
    const { ids } = await call('tasks_add', { tasks: dated })
    await call('tasks_list', { scope: 'active' })
    const done = ids.slice(0, 3).map((id) => ({ id, taskInfo: { state: 'done' } }))
    await call('tasks_update', { tasksToUpdate: done })
    await call('tasks_list', { scope: 'active' })
  },
  async 'make a table and fill it'(call, begin) {
    begin()
    await deals(call, 20)
  },
  async 'ask a table, and change some rows'(call, begin) {
    const { collectionId } = await deals(call, 66)
    begin()
    await call('collections_list', {})
    const filters = [{ property: 'stage', filterType: 'select_isAnyOf', filterValue: ['Open'] }]
    const { ids } = await call('items_list', { collectionId, filters, maxDepth: 0 })
    const itemsToUpdate = ids.slice(0, 5).map((id) => ({ id, properties: { stage: 'Won' } }))
    await call('items_update', { collectionId, itemsToUpdate })
    await call('items_list', { collectionId, calculations: { price: 'number_sum' }, limit: 0 })
  },
  async 'rework a page'(call, begin) {
    const [pageId] = await notes(call, 1, 12)
    begin()
    const { text } = await call('blocks_get', { id: pageId })
    const revision = /Revision ([\w.-]+?)\.?(?:\s|$)/.exec(text)?.[1]
    const body = text.slice(text.indexOf('<content>') + '<content>'.length, text.indexOf('</content>')).trim()
    await call('blocks_update', { pageId, revision, markdown: body.replaceAll('harbour', 'port') })
  },
  async 'find lines in a document, and tick them'(call, begin) {
    const [blockId] = await notes(call, 1, 40)
    begin()
    const search = { blockId, pattern: '^- \\[ \\]', beforeBlockCount: 2, afterBlockCount: 2, limit: 8 }
    const { text } = await call('blocks_search', search)
    const hits = [...text.matchAll(/^(\d{12}) - \[ \]/gm)].map(([, id]) => id)
    const blocks = hits.map((id) => ({ id, taskInfo: { state: 'done' } }))
    await call('blocks_update', { blocks })
  },
  async 'put documents into folders'(call, begin) {
    const documentIds = await notes(call, 12, 1)
    begin()
    await call('documents_list', {})
    const { ids } = await call('folders_add', { folders: [{ name: 'Harbour' }, { name: 'Town' }] })
    await call('documents_move', { documentIds: documentIds.slice(0, 6), destination: { folderId: ids[0] } })
    await call('documents_move', { documentIds: documentIds.slice(6), destination: { folderId: ids[1] } })
    await call('folders_list', {})
  },
  async 'prepare a meeting'(call, begin) {
    const [pageId] = await notes(call, 1, 3)
    begin()
    const blocks = ['Agenda', 'Crane', 'Divers', 'Town'].map((text) => ({
      type: 'text',
      markdown: text,
      listStyle: 'bullet',
    }))
    const { ids } = await call('blocks_add', { blocks, position: { position: 'end', pageId } })
    await call('comments_add', {
      comments: ids.slice(0, 2).map((blockId) => ({ blockId, content: 'Who brings the figures?' })),
    })
    await call('reminders_add', {
      reminders: ids.slice(0, 2).map((blockId) => ({ blockId, remindAt: '2099-01-01T09:00:00Z' })),
    })
    await call('blocks_move', { blockIds: ids.slice(0, 1), position: { position: 'start', pageId } })
  },
}
