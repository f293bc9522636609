/** Trees of blocks: valid positions, and inserting, moving and removing blocks. */
import { dateOf, dayInWords, normalizeTask } from './days.ts'
import { goneBlocks } from './gone.ts'
import { plain } from './texts.ts'
import { type Block, type Document, type Draft, documentOf, invalid, isKept, subtree, type World } from './world.ts'

export interface Position {
  position: string
  pageId?: string
  date?: string
  siblingId?: string
}

export interface Target {
  parent: Block
  at: string
  sibling?: Block
  /** Part of the response if the call named a date. */
  landed?: object
}

/** Checks the shape of a position, without looking at the space. */
export function checkPosition(given: Position): void {
  const { position, pageId, date, siblingId } = given
  const isBeside = position === 'before' || position === 'after'
  if (!isBeside && position !== 'start' && position !== 'end') throw invalid()
  const others = [pageId, date, siblingId].filter((one) => one !== undefined).length
  if (isBeside ? siblingId === undefined || others > 1 : siblingId !== undefined || others > 1) throw invalid()
  if (date !== undefined) dateOf(date, '2026-01-01')
}

export function findTarget(world: World, given: Position, moved: readonly Block[] = []): Target {
  const { position: at, pageId, date, siblingId } = given
  const areItems = moved.length > 0 && moved.every(({ type }) => type === 'collectionItem')
  if (pageId !== undefined) {
    const parent = world.block(pageId)
    const holds = ['page', 'text', 'collectionItem'].includes(parent.type) || (parent.type === 'collection' && areItems)
    if (!holds) throw invalid()
    return { parent, at }
  }
  if (siblingId !== undefined) {
    const sibling = world.block(siblingId)
    const { parent } = sibling
    if (parent === undefined || (parent.type === 'collection' && !areItems)) throw invalid()
    return { parent, at, sibling }
  }
  const day = dateOf(date ?? 'today', world.today)
  const { root } = dailyNote(world, day)
  return { parent: root, at, landed: { documentId: root.id, dailyNoteDate: day } }
}

export function makeDocument(world: World, title: string, place: Omit<Document, 'root'>): Document {
  const fields = { type: 'page', text: title, indentation: 0, listStyle: undefined, task: undefined, fields: {} }
  const root = world.newBlock(fields)
  const document = { root, ...place }
  root.document = document
  world.journal.insert(world.documents, world.documents.length, document)
  world.touched.add(document)
  return document
}

/** Returns the daily note of a date, and creates it if it is missing. */
export function dailyNote(world: World, day: string): Document {
  const found = world.documents.find(({ location, date }) => location === 'daily_notes' && date === day)
  return found ?? makeDocument(world, dayInWords(day), { location: 'daily_notes', folder: undefined, date: day })
}

/** Returns the root of the inbox or logbook, and creates the document if it is missing. */
export function keptRoot(world: World, location: 'inbox' | 'logbook'): Block {
  const found = world.documents.find((one) => one.location === location)
  const title = location === 'inbox' ? 'Inbox' : 'Logbook'
  return (found ?? makeDocument(world, title, { location, folder: undefined, date: undefined })).root
}

/** The inbox and the logbook accept only tasks. */
export function refuseStrays(parent: Block, listStyles: readonly (string | undefined)[]): void {
  const isFull = parent.document !== undefined && isKept(parent.document)
  if (isFull && listStyles.some((one) => one !== 'task')) throw invalid()
}

/** Inserts new blocks with their content, numbered breadth first. Returns those at the top level. */
export function insert(world: World, drafts: readonly Draft[], target: Target): Block[] {
  refuseStrays(
    target.parent,
    drafts.map(({ listStyle }) => listStyle),
  )
  const top: Block[] = []
  let level: { drafts: readonly Draft[]; parent: Block | undefined }[] = [{ drafts, parent: undefined }]
  while (level.length > 0) {
    const below: typeof level = []
    for (const { drafts, parent } of level) {
      for (const { content, ...draft } of drafts) {
        const block = world.newBlock({
          ...draft,
          task: normalizeTask(draft.task, undefined, world),
          fields: { ...draft.fields },
        })
        if (parent === undefined) top.push(block)
        else {
          block.parent = parent
          parent.children.push(block)
        }
        if (content.length > 0) below.push({ drafts: content, parent: block })
      }
    }
    level = below
  }
  place(world, top, target)
  return top
}

/** Moves blocks with their content, in the given order. */
export function relocate(world: World, blocks: readonly Block[], target: Target): void {
  const around = new Set<Block>()
  for (let one: Block | undefined = target.parent; one !== undefined; one = one.parent) around.add(one)
  for (const block of blocks) {
    const leaves = block.type === 'collectionItem' && block.parent !== target.parent
    if (block.parent === undefined || leaves || block === target.sibling || around.has(block)) throw invalid()
  }
  refuseStrays(
    target.parent,
    blocks.map(({ listStyle }) => listStyle),
  )
  for (const block of blocks) {
    world.touch(block)
    if (block.parent !== undefined) world.journal.remove(block.parent.children, block)
  }
  place(world, blocks, target)
}

/** Inserts blocks at a position. A text block that receives blocks becomes a page. */
function place(world: World, blocks: readonly Block[], { parent, at, sibling }: Target): void {
  if (parent.type === 'text') world.journal.set(parent, 'type', 'page')
  const { children } = parent
  const beside = sibling === undefined ? 0 : children.indexOf(sibling) + (at === 'after' ? 1 : 0)
  world.journal.insert(children, at === 'end' ? children.length : beside, ...blocks)
  for (const block of blocks) world.journal.set(block, 'parent', parent)
  world.touch(parent)
}

/** Removes blocks with their content. */
export function remove(world: World, blocks: readonly Block[]): void {
  if (blocks.some(({ parent }) => parent === undefined)) throw invalid()
  for (const block of blocks) world.touch(block)
  const gone = new Set(blocks.flatMap(subtree))
  for (const block of blocks) if (block.parent !== undefined) world.journal.remove(block.parent.children, block)
  goneBlocks(world, gone)
}

/** Types of blocks whose text is wrapped in a tag while they have comments. */
const TEXTS = ['text', 'page', 'collectionItem']

export const acceptsTag = (block: Block): boolean =>
  TEXTS.includes(block.type) &&
  block.comments.length > 0 &&
  block.text.trim() !== '' &&
  !(block.parent === undefined && documentOf(block).location === 'daily_notes')

/** Changes the text, wrapped in the tag of the block's comments. */
export function reword(world: World, block: Block, text: string): void {
  if (text === block.text && !block.isTagged) return
  if (text !== block.text && block.document?.location === 'daily_notes') throw invalid()
  world.journal.set(block, 'text', text)
  world.journal.set(block, 'isTagged', acceptsTag(block))
}

export const titleOf = (block: Block): string => plain(block.text)
