/** What a space must contain after acknowledged calls, derived only from the calls and their responses. */
import { createHash } from 'node:crypto'
import { type Exempt, entryOf, type ToolTable } from '../tool-table.ts'
import type { AnsweredCall } from './keyed-call.ts'

export type What = 'document' | 'page' | 'collection' | 'board' | 'text' | 'file' | 'item' | 'task'

export interface Model {
  /** All blocks and their kinds. */
  blocks: Map<string, What>
  /** Documents, pages and collections with their blocks in order. */
  children: Map<string, string[]>
  /** The text that a block must contain. */
  texts: Map<string, string>
  gone: Set<string>
  /** The SHA-256 hashes of files, by the block that shows them. */
  files: Map<string, string>
  /** Comments by ID: the block and the content. */
  comments: Map<string, readonly [block: string, content: string]>
  /** Reminders by block. A new reminder replaces the old one. */
  reminders: Map<string, string>
  /** The names of views, by ID. */
  views: Map<string, string>
  folders: Map<string, string>
  /** Documents in folders, with their folder. */
  places: Map<string, string>
  /** The elements of each whiteboard, in order. */
  elements: Map<string, string[]>
  /** The states of proposals, by ID. */
  proposals: Map<string, string>
  /** The pending proposal. */
  waiting?: Waiting
  /** The last call and the model before it. Absent at the beginning. */
  last?: { tool: string; before: Before }
}

/** The state that an undo restores. */
type Before = Omit<Model, 'last' | 'proposals' | 'waiting'>

/** A proposed call with its response. */
interface Waiting extends AnsweredCall {
  proposalId: string
  /** True if nothing was done since. */
  isFresh: boolean
}

export const emptyModel = (): Model => ({
  blocks: new Map(),
  children: new Map(),
  texts: new Map(),
  gone: new Set(),
  files: new Map(),
  comments: new Map(),
  reminders: new Map(),
  views: new Map(),
  folders: new Map(),
  places: new Map(),
  elements: new Map(),
  proposals: new Map(),
})

interface Item {
  id: string
  /** Set for the result of a step. */
  ids?: string[]
  content?: Item[]
}

/** A position, as the calls of the harness give it. */
export interface Place {
  position: 'start' | 'end' | 'before' | 'after'
  pageId?: string
  siblingId?: string
}

/** The union of the arguments of all calls. */
interface Args {
  documents: { title: string }[]
  documentIds: string[]
  destination: { folderId: string }
  blocks?: (NewPage & { id: string; markdown: string })[]
  markdown: string
  blockIds: string[]
  position: Place
  tasks: { markdown: string; location: { documentId: string } }[]
  tasksToUpdate: { id: string; markdown: string }[]
  comments: { blockId: string; commentId: string; content: string }[]
  reminders: { blockId: string }[]
  schema: { name: string }
  view: { name: string }
  text: string
  collectionId: string
  items: { title: string }[]
  itemsToUpdate: { id: string; title: string }[]
  idsToDelete: string[]
  whiteboardBlockId: string
  elements: { id: string }[]
  steps: { as: string; tool: string; arguments: object }[]
  proposalId: string
  folders: { name: string }[]
}

/** The union of the fields of all responses. */
interface AnyResponse {
  items: Item[]
  id: string
  commentId: string
  blockId: string
  collectionBlockId: string
  whiteboardBlockId: string
}

type Effect = (model: Model, call: Args, response: AnyResponse, last: NonNullable<Model['last']>) => void

const READS = { exempt: 'It writes nothing that could be lost.' }
const sameWay = (other: string): Exempt => ({
  exempt: `It writes rows in one transaction, on the way of every call: as ${other} does, whose rows are looked at.`,
})

/** The effect of each acknowledged call on the model. */
export const EFFECTS: ToolTable<Effect> = {
  history_list: READS,
  changes_list: READS,
  events_list: READS,
  /** The harness undoes only the last call. */
  history_undo(model, _, __, { before }) {
    const there = new Set(model.blocks.keys())
    Object.assign(model, before)
    for (const id of there) if (!model.blocks.has(id)) model.gone.add(id)
  },
  batch(model, { steps }, { items }, last) {
    const made = new Map<string, string>()
    for (const [index, { as, tool, arguments: given }] of steps.entries()) {
      const args = JSON.parse(JSON.stringify(given), (_, value) => made.get(value) ?? value) as Args
      const ids = items[index]?.ids ?? []
      const [id = ''] = ids
      effectOf(tool)(model, args, { items: ids.map((id) => ({ id })), ...everyName(id) }, last)
      made.set(`$${as}`, id)
    }
  },
  proposals_list: READS,
  proposals_parts: READS,
  proposals_approve(model, { proposalId }, _, last) {
    const { waiting } = model
    if (waiting === undefined) throw new Error(`Expected proposal ${proposalId} to wait.`)
    effectOf(waiting.tool)(model, waiting.args as unknown as Args, waiting.answer as AnyResponse, last)
    decide(model, proposalId, 'approved')
  },
  proposals_reject: (model, { proposalId }) => decide(model, proposalId, 'rejected'),
  documents_add(model, { documents }, { items }) {
    for (const [index, { id }] of items.entries()) add(model, id, 'document', documents[index]?.title)
  },
  documents_move(model, { documentIds, destination }) {
    for (const id of documentIds) model.places.set(id, destination.folderId)
  },
  folders_add(model, { folders }, { items }) {
    for (const [index, { id }] of items.entries()) model.folders.set(id, folders[index]?.name ?? '')
  },
  blocks_add(model, { markdown, blocks, position }, { items }) {
    put(model, idsOf(items), position)
    const lines = blocks === undefined ? linesOf(markdown) : []
    for (const [index, text] of lines.entries()) add(model, items[index]?.id ?? '', 'text', text)
    for (const [index, page] of (blocks ?? []).entries()) addPage(model, items[index], page)
  },
  blocks_update(model, { blocks = [] }) {
    for (const { id, markdown } of blocks) model.texts.set(id, markdown)
  },
  blocks_move: (model, { blockIds, position }) => put(model, blockIds, position),
  blocks_delete: (model, { blockIds }) => removeAll(model, blockIds),
  tasks_add(model, { tasks: [task] }, { items }) {
    put(model, idsOf(items), { position: 'start', pageId: task?.location.documentId ?? '' })
    for (const { id } of items) add(model, id, 'task', task?.markdown)
  },
  tasks_update(model, { tasksToUpdate }) {
    for (const { id, markdown } of tasksToUpdate) model.texts.set(id, markdown)
  },
  tasks_delete: (model, { idsToDelete }) => removeAll(model, idsToDelete),
  comments_add(model, { comments: [comment] }, { commentId }) {
    if (comment !== undefined) model.comments.set(commentId, [comment.blockId, comment.content])
  },
  comments_update(model, { comments: [comment] }) {
    const [block] = model.comments.get(comment?.commentId ?? '') ?? []
    if (block !== undefined && comment !== undefined) model.comments.set(comment.commentId, [block, comment.content])
  },
  files_add(model, { text, position }, { blockId }) {
    put(model, [blockId], position)
    add(model, blockId, 'file')
    model.files.set(blockId, createHash('sha256').update(text).digest('hex'))
  },
  reminders_add(model, { reminders }, { items }) {
    for (const [index, { id }] of items.entries()) model.reminders.set(reminders[index]?.blockId ?? '', id)
  },
  collections_add(model, { schema, position }, { collectionBlockId }) {
    put(model, [collectionBlockId], position)
    add(model, collectionBlockId, 'collection', schema.name)
  },
  schema_update: (model, { collectionId, schema }) => void model.texts.set(collectionId, schema.name),
  views_add: (model, { view }, { id }) => void model.views.set(id, view.name),
  items_add(model, { collectionId, items: [item] }, { items }) {
    put(model, idsOf(items), { position: 'end', pageId: collectionId })
    for (const { id } of items) add(model, id, 'item', item?.title)
  },
  items_update(model, { itemsToUpdate }) {
    for (const { id, title } of itemsToUpdate) model.texts.set(id, title)
  },
  items_claim: { exempt: 'It changes no content; the proof of claims kills its processes.' },
  items_delete: (model, { idsToDelete }) => removeAll(model, idsToDelete),
  whiteboards_add(model, { position }, { whiteboardBlockId }) {
    put(model, [whiteboardBlockId], position)
    add(model, whiteboardBlockId, 'board')
  },
  elements_add(model, { whiteboardBlockId, elements }) {
    model.elements.get(whiteboardBlockId)?.push(...elements.map(({ id }) => id))
  },
  documents_delete: sameWay('documents_move'),
  folders_move: sameWay('documents_move'),
  folders_update: sameWay('documents_move'),
  folders_delete: sameWay('blocks_delete'),
  views_update: sameWay('schema_update'),
  views_delete: sameWay('items_delete'),
  views_activate: sameWay('schema_update'),
  reminders_update: sameWay('tasks_update'),
  reminders_delete: sameWay('items_delete'),
  elements_update: sameWay('elements_add'),
  elements_delete: sameWay('blocks_delete'),
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
  for_me_update: { exempt: 'It changes nothing that another tool answers.' },
  elements_list: READS,
}

/** Applies an acknowledged call to the model. */
export function apply(model: Model, done: AnsweredCall): void {
  const { tool, args, answer, proposedBy } = done
  if (proposedBy !== undefined) {
    propose(model, done)
    return
  }
  const { last, proposals: _, waiting, ...now } = model
  const before = structuredClone(now)
  effectOf(tool)(model, args as unknown as Args, answer as AnyResponse, last ?? { tool: '', before })
  if (tool === 'proposals_reject') return
  model.last = { tool, before }
  if (waiting !== undefined) waiting.isFresh = false
}

function effectOf(tool: string): Effect {
  const effect = entryOf(EFFECTS, tool)
  if (effect === undefined) throw new Error(`Expected a call that the model knows, found ${tool}.`)
  return effect
}

/** The response of a call that creates one thing has its ID under one of these keys. */
const everyName = (id: string): Omit<AnyResponse, 'items'> => ({
  ...{ id, commentId: id, blockId: id, collectionBlockId: id, whiteboardBlockId: id },
})

function propose(model: Model, done: AnsweredCall): void {
  const { proposalId } = (done.answer as { proposal: { proposalId: string } }).proposal
  model.waiting = { ...done, proposalId, isFresh: true }
  model.proposals.set(proposalId, 'waiting')
}

function decide(model: Model, proposalId: string, state: string): void {
  model.proposals.set(proposalId, state)
  delete model.waiting
}

/** Splits Markdown into paragraphs, each of which is a block. */
export const linesOf = (markdown: string): string[] => markdown.split('\n\n')

const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id)

function add(model: Model, id: string, what: What, text?: string): void {
  model.blocks.set(id, what)
  if (text !== undefined) model.texts.set(id, text)
  if (what === 'document' || what === 'page' || what === 'collection') model.children.set(id, [])
  if (what === 'board') model.elements.set(id, [])
}

interface NewPage {
  title: string
  content: { markdown: string }[]
}

function addPage(model: Model, item: Item | undefined, page: NewPage): void {
  if (item === undefined) return
  add(model, item.id, 'page', page.title)
  const inner = item.content ?? []
  model.children.set(item.id, idsOf(inner))
  for (const [index, { id }] of inner.entries()) add(model, id, 'text', page.content[index]?.markdown)
}

/** Puts blocks at a position and removes them from their old one. */
function put(model: Model, ids: readonly string[], { position, pageId, siblingId }: Place): void {
  for (const [page, children] of model.children) {
    const left = children.filter((id) => !ids.includes(id))
    if (left.length < children.length) model.children.set(page, left)
  }
  const page = pageId ?? parentOf(model, siblingId ?? '')
  const children = model.children.get(page ?? '') ?? []
  if (siblingId === undefined) children.splice(position === 'start' ? 0 : children.length, 0, ...ids)
  else children.splice(children.indexOf(siblingId) + (position === 'after' ? 1 : 0), 0, ...ids)
}

export function parentOf({ children }: Model, id: string): string | undefined {
  for (const [page, inner] of children) if (inner.includes(id)) return page
  return undefined
}

const removeAll = (model: Model, ids: readonly string[]): void => {
  for (const id of ids) remove(model, id)
}

/** Removes a block and all its descendants. */
function remove(model: Model, id: string): void {
  for (const inner of model.children.get(id) ?? []) remove(model, inner)
  const siblings = model.children.get(parentOf(model, id) ?? '')
  siblings?.splice(siblings.indexOf(id), 1)
  const { blocks, children, texts, files, elements, reminders } = model
  for (const kept of [blocks, children, texts, files, elements, reminders]) kept.delete(id)
  for (const [comment, [block]] of model.comments) if (block === id) model.comments.delete(comment)
  model.gone.add(id)
}
