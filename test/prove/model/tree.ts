/** Trees of blocks: where blocks can stand, and how they get there and go away. */
import { dateOf, dayInWords, settle } from './days.ts'
import { goneBlocks } from './gone.ts'
import { plain } from './words.ts'
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
  /** Said by answers when a day was named. */
  landed?: object
}

/** Of a position as calls give it; whether it is one is known without looking at the space. */
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

/** The note of a day, made if there is none. */
export function dailyNote(world: World, day: string): Document {
  const found = world.documents.find(({ location, date }) => location === 'daily_notes' && date === day)
  return found ?? makeDocument(world, dayInWords(day), { location: 'daily_notes', folder: undefined, date: day })
}

/** The root of the inbox or the logbook, made if there is none. */
export function keptRoot(world: World, location: 'inbox' | 'logbook'): Block {
  const found = world.documents.find((one) => one.location === location)
  const title = location === 'inbox' ? 'Inbox' : 'Logbook'
  return (found ?? makeDocument(world, title, { location, folder: undefined, date: undefined })).root
}

/** The inbox and the logbook hold tasks alone. */
export function refuseStrays(parent: Block, listStyles: readonly (string | undefined)[]): void {
  const isFull = parent.document !== undefined && isKept(parent.document)
  if (isFull && listStyles.some((one) => one !== 'task')) throw invalid()
}

/** New blocks with all they hold, numbered level by level; those at the top. */
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
          task: settle(draft.task, undefined, world),
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

/** Blocks that stand elsewhere, with all they hold, in the order given. */
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

/** A text that receives blocks becomes a page. */
function place(world: World, blocks: readonly Block[], { parent, at, sibling }: Target): void {
  if (parent.type === 'text') world.journal.set(parent, 'type', 'page')
  const { children } = parent
  const beside = sibling === undefined ? 0 : children.indexOf(sibling) + (at === 'after' ? 1 : 0)
  world.journal.insert(children, at === 'end' ? children.length : beside, ...blocks)
  for (const block of blocks) world.journal.set(block, 'parent', parent)
  world.touch(parent)
}

/** Away with blocks and all they hold. */
export function remove(world: World, blocks: readonly Block[]): void {
  if (blocks.some(({ parent }) => parent === undefined)) throw invalid()
  for (const block of blocks) world.touch(block)
  const gone = new Set(blocks.flatMap(subtree))
  for (const block of blocks) if (block.parent !== undefined) world.journal.remove(block.parent.children, block)
  goneBlocks(world, gone)
}

/** What keeps its words inside of a tag as long as there are comments on it. */
const TEXTS = ['text', 'page', 'collectionItem']

export const takesTag = (block: Block): boolean =>
  TEXTS.includes(block.type) &&
  block.comments.length > 0 &&
  block.text.trim() !== '' &&
  !(block.parent === undefined && documentOf(block).location === 'daily_notes')

/** Other words, with the tag of the block's comments around them. */
export function reword(world: World, block: Block, text: string): void {
  if (text === block.text && !block.isTagged) return
  if (text !== block.text && block.document?.location === 'daily_notes') throw invalid()
  world.journal.set(block, 'text', text)
  world.journal.set(block, 'isTagged', takesTag(block))
}

export const titleOf = (block: Block): string => plain(block.text)
