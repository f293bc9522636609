/**
 * Writes an address out of reach into every text that a tool accepts. The texts are found by a walk over the schemas of
 * the tools, so that a new field is planted, too.
 */
import { endpoints } from '../../tools/index.ts'
import { call } from '../prove/test-client/test-client.ts'
import { done, type Maker, type Things } from '../prove/test-client/things.ts'
import { type ToolCall, validCalls } from '../prove/test-client/valid-calls.ts'
import { textPaths, withText } from '../support/text-paths.ts'

export interface Planting {
  /** The fields that took the text, such as `views_add view.name`. */
  taken: ReadonlySet<string>
  /** The fields that refused it in every call. */
  refused: readonly string[]
}

/** Calls that are no place for texts: they repeat, approve or take back other calls. */
const LEFT_OUT = ['batch', 'history_undo', 'proposals_approve', 'proposals_reject']

/** Writes each text in turn. */
export async function plantAddresses(full: Maker, own: Things, hidden: string): Promise<Planting> {
  const send = async (tool: string, args: object) => !(await call(full, tool, args)).isRefused
  const [taken, fields] = [new Set<string>(), new Set<string>()]
  const calls = [...validCalls('full', own), ...(await callsWithTexts(full, own))]
  // A new schema comes last, since it ends columns that other calls name.
  const isLast = ({ name }: { name: string }) => Number(name === 'schema_update')
  for (const { name, effect, input } of endpoints.toSorted((one, other) => isLast(one) - isLast(other))) {
    if (effect === 'read' || effect === 'delete' || LEFT_OUT.includes(name) || input.full === undefined) continue
    const bases = calls.filter(([tool]) => tool === name).map(([, args]) => args)
    for (const path of textPaths(input.full)) {
      const field = `${name} ${path.join('.')}`
      if (AS_TYPED.test(field)) continue
      fields.add(field)
      for (const text of textsAt(path, hidden)) {
        for (const args of bases) {
          if (!(await send(name, withText(args, path, text)))) continue
          taken.add(field)
          break
        }
      }
    }
  }
  return { taken, refused: [...fields].filter((field) => !taken.has(field) && !NO_TEXT.test(field)) }
}

/** Code is shown as its author typed it, and a file has the bytes that were sent. */
const AS_TYPED = /\.(?:rawCode|language|info)$|^files_add (?:text|data)$/

/** Fields that hold no text of people: IDs, times, keys, kinds, names of other things, and what can only be read. */
const NO_TEXT = new RegExp(
  `[ .](?:${[
    ...[
      'id',
      '\\w+Ids?',
      'ids\\.\\d+',
      // The title beside an ID that is written back is not read.
      'blockedBy\\.\\d+(?:\\.title)?',
      '\\w*[dD]ate',
      '\\w+At',
      'key',
      'property(?:Key|Name)?',
      '\\w*[cC]olor',
      'mimeType',
      'currency',
      // A member, by ID, handle or name.
      'assignee',
    ],
    ...[
      'type',
      'destination',
      'filterType',
      'revision',
      'fence',
      'release',
      'old',
      // Words of a comment stand in its block already.
      'words',
      'renamedFrom',
      'done\\.filterValue',
      'expected(?:Markdown|\\.\\w+)?',
      'base',
      'path',
      'ticket',
    ],
    ...['metadata', 'pageBlockPath', '\\w+PreviewMd', 'uploaded', 'isPreviewImageUploaded', 'isDeleted', 'isActive'],
    ...['isCompleted', 'column', 'author', 'resolvedBy', 'url', 'content', 'data', 'visibleFields', 'order', 'hidden'],
    ...['hiddenProperties', 'customPropertyOrder'],
    // The names of these fields are keys of columns, and of settings of a drawing: see plantCollection and plantBoard.
    ...['properties', 'set', 'widths', 'columnWidth', 'elements', 'appState'],
  ].join('|')})(?:\\.[0a])*$|^reminders_\\w+ .*title$`,
)

const keyOf = (path: readonly string[]): string => path.findLast((step) => step !== '0') ?? ''

/** In Markdown an address is the target of a link; elsewhere it is whatever is spelled like one. */
const MARKDOWN = ['markdown', 'new', 'cells']

function textsAt(path: readonly string[], hidden: string): string[] {
  const link = `see [it](block://${hidden})`
  if (MARKDOWN.includes(keyOf(path))) return [link]
  return [link, `see block:${hidden}`]
}

/** Blocks with fields that only some blocks have. The text of `line` is its style. */
const BLOCKS = {
  page: { type: 'page', title: { value: 'Page', attributes: [] } },
  image: { type: 'image', url: 'https://example.org/a.png' },
  file: { type: 'file', url: 'https://example.org/a.pdf', fileName: 'a.pdf' },
  card: { type: 'richUrl', url: 'https://example.org/' },
  line: { type: 'line' },
  table: { type: 'table', markdown: '| a |\n| - |\n| b |' },
}

/** Calls in whose places further texts fit. */
async function callsWithTexts(full: Maker, own: Things): Promise<ToolCall[]> {
  const { document, collection: collectionId, view: viewId, item } = own
  const position = { position: 'end', pageId: document }
  const { items = [] } = await done(full, 'blocks_add', { blocks: Object.values(BLOCKS), position })
  const filters = [{ property: 'title', filterType: 'string_contains' }]
  const select = { name: 'Level', type: 'singleSelect', options: [{ name: 'Low' }] }
  const schema = { name: 'Texts', properties: [select] }
  const kanban = { type: 'kanban', groupBy: [{ property: 'stage' }], kanban: {} }
  const rows = [{ row: 1, cells: ['a'] }]
  return [
    ...Object.values(BLOCKS).flatMap((block): ToolCall[] => [
      ['blocks_add', { blocks: [block], position }],
      ['items_add', { collectionId, items: [{ title: 'Item', content: [block] }] }],
    ]),
    ...items.map(({ id }): ToolCall => ['blocks_update', { blocks: [{ id }] }]),
    ['blocks_update', { blocks: [{ id: items.at(-1)?.id, rows }] }],
    ['blocks_update', { pageId: document, replace: [{ old: 'to do', new: 'done' }] }],
    ['collections_add', { schema, position }],
    ['collections_add', { schema: { name: 'Key', properties: [{ name: 'Key', type: 'text' }] }, position }],
    ['schema_update', { collectionId, schema }],
    ['views_add', { collectionId, view: { name: 'View', type: 'table', filters } }],
    ['views_add', { collectionId, view: { name: 'Board', ...kanban } }],
    ['views_update', { collectionId, viewId, view: { filters } }],
    ['views_update', { collectionId, viewId, view: kanban }],
    ['items_add', { collectionId, items: [{ title: 'Item' }] }],
    ['items_update', { collectionId, itemsToUpdate: [{ id: item }] }],
    ['items_claim', { collectionId, filters }],
    ['files_add', { data: 'eA==', mimeType: 'text/plain', position }],
  ]
}

/** A collection whose names, values and views hold the address. */
export async function plantCollection(full: Maker, { document }: Things, hidden: string): Promise<void> {
  const word = `see block://${hidden}`
  const link = `[it](block://${hidden})`
  const options = [{ name: word }, { name: link }, { name: `block://${hidden}` }, { name: 'Plain' }]
  const rule = { property: 'level', filterType: 'select_isAnyOf', filterValue: [word] }
  const properties = [
    { name: `${word} a`, key: 'note', type: 'text' },
    { name: `${word} b`, key: 'address', type: 'url' },
    { name: `${word} c`, key: 'phone', type: 'phone' },
    { name: `${word} d`, key: 'level', type: 'singleSelect', options },
    { name: `${word} e`, key: 'labels', type: 'multiSelect', options },
    { name: `${word} f`, type: 'number' },
    { name: `${word} g`, key: 'needs', type: 'relation', config: { dependsOn: { done: rule } } },
  ]
  const position = { position: 'end', pageId: document }
  const schema = { name: word, properties, contentPropDetails: { name: word } }
  const { collectionBlockId: collectionId } = await done(full, 'collections_add', { schema, position })
  const values = { note: word, address: `block://${hidden}`, phone: word, level: word, labels: [link, word] }
  const items = [
    { title: word, properties: values },
    { title: link, properties: { level: link } },
  ]
  const [first, second] = (await done(full, 'items_add', { collectionId, items })).items ?? []
  const waits = { relations: [{ blockId: second?.id }] }
  const itemsToUpdate = [{ id: first?.id, properties: { ...values, level: 'Plain', labels: [word], needs: waits } }]
  await done(full, 'items_update', { collectionId, itemsToUpdate })
  const filters = [
    { property: 'note', filterType: 'string_contains', filterValue: word },
    { property: 'level', filterType: 'select_isAnyOf', filterValue: [word, link] },
  ]
  const kanban = { columnOrder: [word, 'Plain', `free block://${hidden}`], hiddenGroupValues: [link] }
  const board = { name: word, type: 'kanban', groupBy: [{ property: 'level' }], kanban }
  await done(full, 'views_add', { collectionId, view: { name: link, type: 'table', filters } })
  const { id: viewId } = await done(full, 'views_add', { collectionId, view: board })
  await done(full, 'views_update', { collectionId, viewId, view: { filters, columnWidth: { note: word } } })
  await done(full, 'views_activate', { collectionId, viewId })
}

/** A drawing whose texts hold the address. */
export async function plantBoard(full: Maker, { board }: Things, hidden: string): Promise<void> {
  const word = `see block://${hidden}`
  const place = { x: 0, y: 0, width: 9, height: 9 }
  const elements = [
    { id: `see block:${hidden}`, type: 'text', text: word, ...place },
    { id: 'b', type: 'rectangle', label: { text: word }, link: `block://${hidden}`, customData: { a: word }, ...place },
    { id: 'c', type: 'frame', name: word, ...place },
    { id: 'd', type: 'embeddable', link: `scriptorium://documents/${hidden}`, ...place },
  ]
  await done(full, 'elements_add', { whiteboardBlockId: board, elements, appState: { name: word } })
}
