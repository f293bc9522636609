/** The model of blocks_add, blocks_update, blocks_move and blocks_delete. */
import { normalizeTask, renewed } from './days.ts'
import { type BlockInput, checkNewShape, checkShape, drafts, withFields } from './fields.ts'
import { showTree } from './shown.ts'
import { draft, markdown as markdownOf, plain, read } from './texts.ts'
import {
  checkPosition,
  findTarget,
  insert,
  keptRoot,
  type Position,
  refuseStrays,
  relocate,
  remove,
  reword,
} from './tree.ts'
import { type Block, type Draft, documentOf, invalid, type World } from './world.ts'

interface Adding {
  markdown?: string
  blocks?: BlockInput[]
  position: Position
  answer?: string
}

export function addBlocks(world: World, { markdown, blocks, position, answer }: Adding): object {
  checkPosition(position)
  if ((markdown === undefined) === (blocks === undefined) || blocks?.length === 0) throw invalid()
  blocks?.forEach(checkNewShape)
  const made = markdown === undefined ? drafts(blocks ?? []) : read(markdown)
  const target = findTarget(world, position)
  const added = insert(world, made.length > 0 ? made : [draft('text', '')], target)
  if (answer === 'ids') return { items: added.map(({ id }) => ({ id })), ...target.landed }
  return { items: added.map((block) => ({ ...showTree(block), ...target.landed })) }
}

export function moveBlocks(world: World, { blockIds, position }: { blockIds: string[]; position: Position }): object {
  checkPosition(position)
  if (blockIds.length === 0) throw invalid()
  const blocks = world.blocksOf(blockIds)
  const target = findTarget(world, position, blocks)
  relocate(world, blocks, target)
  return { items: blocks.map(({ id }) => ({ id, ...target.landed })) }
}

export function deleteBlocks(world: World, { blockIds }: { blockIds: string[] }): object {
  if (blockIds.length === 0) throw invalid()
  const blocks = world.blocksOf(blockIds)
  remove(world, blocks)
  return { items: blocks.map(({ id }) => ({ id })) }
}

type Update = BlockInput & { id: string; rawCode?: string; title?: string }

export function updateBlocks(world: World, { blocks }: { blocks: Update[] }): object {
  if (blocks.length === 0) throw invalid()
  for (const update of blocks) {
    checkShape(update)
    if (update.content !== undefined) throw invalid()
  }
  world.blocksOf(blocks.map(({ id }) => id))
  const kept: string[] = []
  const items = blocks.flatMap((update) => updateBlock(world, world.block(update.id), update, kept))
  return { items: items.map(showTree0), ...(kept.length > 0 && { note: keptNote(kept) }) }
}

/** Names at most this many blocks. */
const NAMED = 5

const keptNote = (kept: readonly string[]): string => {
  const more = kept.length > NAMED ? ` and ${kept.length - NAMED} more` : ''
  const named = kept.slice(0, NAMED).join(', ') + more
  return `Kept as what they were, since their markdown has no prefix: ${named}. listStyle "none" or textStyle "body" beside markdown makes plain text.`
}

/** Shows a changed block without its children. */
const showTree0 = (block: Block) => showTree({ ...block, children: [] })

/** @param kept  receives the block with its styles, if it keeps some that the call does not name */
function updateBlock(world: World, block: Block, update: Update, kept: string[]): Block[] {
  if (update.type !== undefined && update.type !== block.type) throw invalid()
  const { type, indentation, listStyle, task, fields } = block
  const after = { type, indentation, listStyle, task, fields, text: block.text }
  let following: Draft[] = []
  if (update.markdown !== undefined && update.markdown !== markdownOf(block)) {
    if (type === 'page' || type === 'collectionItem' || type === 'collection') after.text = update.markdown
    else {
      following = overwrite(after, update.markdown)
      const unsaid = keepStyles(after, block, update)
      if (unsaid.length > 0) kept.push(`${block.id.value} (${unsaid.join(' ')})`)
    }
  }
  if (update.rawCode !== undefined && type === 'code') after.text = update.rawCode
  const isTitled = type === 'page' || type === 'collectionItem'
  // A title equal to the block's plain text leaves its formatting alone.
  if (update.title !== undefined && isTitled && update.title !== plain(after.text)) after.text = update.title
  withFields(after, update)
  writeBlock(world, block, after)
  if (following.length === 0) return [block]
  const { parent } = block
  if (parent === undefined) throw invalid()
  return [block, ...insert(world, following, { parent, at: 'after', sibling: block })]
}

/**
 * A block whose new text has no prefix keeps its styles: all of them if the call changes none, otherwise those that the
 * call names as they are. Returns the kept styles that the call does not name.
 */
function keepStyles(after: After, { listStyle, fields }: Block, update: Update): string[] {
  const quote = (words: unknown) => (words as { quote?: true } | undefined)?.quote
  if (after.listStyle !== undefined || after.fields.textStyle !== undefined || quote(after.fields.decorations))
    return []
  const { textStyle } = fields
  const changes =
    (update.listStyle !== undefined && update.listStyle !== listStyle) ||
    (update.textStyle !== undefined && update.textStyle !== textStyle) ||
    update.decorations !== undefined
  const unsaid: string[] = []
  const keeps = (style: unknown, named: unknown): boolean => {
    if (style === undefined || (changes && named === undefined) || (named !== undefined && named !== style))
      return false
    if (named === undefined) unsaid.push(String(style))
    return true
  }
  if (keeps(listStyle, update.listStyle)) after.listStyle = listStyle
  if (keeps(textStyle, update.textStyle)) after.fields = { ...after.fields, textStyle }
  if (keeps(quote(fields.decorations) && 'quote', update.decorations)) {
    after.fields = { ...after.fields, decorations: fields.decorations }
  }
  return unsaid
}

type After = Pick<Block, 'indentation' | 'listStyle' | 'task' | 'fields' | 'text' | 'type'>

/**
 * Applies a block of Markdown to a block: fields that Markdown can express are overwritten. Returns the blocks that
 * follow the first.
 */
export function overwrite(after: After, markdown: string): Draft[] {
  const [first, ...following] = read(markdown)
  if (first === undefined || first.type !== after.type) throw invalid()
  const { decorations: _decorations, textStyle, ...kept } = after.fields
  const style = textStyle === 'card' || textStyle === 'page' ? { textStyle } : {}
  after.fields = { ...kept, ...style, ...first.fields }
  after.text = first.text
  after.listStyle = first.listStyle
  if (first.task !== undefined) after.task = { ...after.task, state: first.task.state }
  return following
}

/** Writes a block's text and fields, and applies the rules for tasks. */
export function writeBlock(world: World, block: Block, after: After, stays = false): void {
  const { journal } = world
  const wasTask = block.listStyle === 'task'
  const state = block.task?.state ?? 'todo'
  let task = normalizeTask(after.task, block.task, world)
  const completes =
    after.listStyle === 'task' && task?.repeat !== undefined && task.state === 'done' && state === 'todo'
  if (completes && world.completions.declines(block, world)) task = block.task
  else if (completes && task !== undefined) {
    world.completions.note(block)
    const { repeat: _repeat, ...done } = task
    const copy: Draft = { ...draft('text', after.text), listStyle: 'task', task: done }
    const [added] = insert(world, [copy], { parent: keptRoot(world, 'logbook'), at: 'start' })
    // Unlike what callers add as done, the copy has the time of its completion.
    if (added !== undefined) added.task = done
    task = renewed(task, world.today)
  }
  reword(world, block, after.text)
  for (const key of ['indentation', 'listStyle', 'fields'] as const) journal.set(block, key, after[key] as never)
  journal.set(block, 'task', task)
  if (wasTask && block.listStyle !== 'task' && block.parent !== undefined) refuseStrays(block.parent, [block.listStyle])
  world.touch(block)
  if (!stays && block.listStyle === 'task' && (block.task?.state ?? 'todo') !== state) keepInPlace(world, block)
}

/** Moves a closed task from the inbox to the logbook, and an open one from the logbook to the inbox. */
export function keepInPlace(world: World, block: Block): void {
  const { location } = documentOf(block)
  const isOpen = (block.task?.state ?? 'todo') === 'todo'
  if (isOpen ? location === 'logbook' : location === 'inbox')
    bring(world, block, keptRoot(world, isOpen ? 'inbox' : 'logbook'))
}

/** Moves a block to the top of a document, unless it is in that document already. */
export function bring(world: World, block: Block, root: Block): void {
  if (documentOf(block).root === root) return
  relocate(world, [block], { parent: root, at: 'start' })
  world.journal.set(block, 'indentation', 0)
}
