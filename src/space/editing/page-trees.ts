/** The trees that an edit of a page compares: the page before and after the edit. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { addToGroup } from '../../base/grouping.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { calloutLevels, withCallout, writtenCallout } from '../../markdown/callout-levels.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { ListNumbers } from '../../markdown/list-numbers.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { withOwnNumber } from '../../markdown/written-numbers.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { readBlockTree, rowOfNode } from '../blocks/block-tree.ts'
import { type ComparableTree, flattenTree, type TreeMatches } from '../blocks/match-trees.ts'
import { withStoredAddress } from '../content/file-references.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { assigneeKey } from '../model/assignees.ts'
import type { Space } from '../model/space.ts'
import type { KnownOfBlocks } from './insert-blocks.ts'

export interface OldTree extends ComparableTree {
  row: BlockRow
  fields: BlockFields
  content: OldTree[]
}

export interface NewTree extends ComparableTree {
  block: Block
  content: NewTree[]
}

/** @param keepsCollections  true to leave out what collections hold, which then stays as it is */
export async function readCurrentTree(
  space: Space,
  page: BlockRow,
  keyOf: KeyOf,
  keepsCollections: boolean,
): Promise<OldTree> {
  const { order, rows } = await readBlockTree(space, page)
  const visible = await visibleFields(space, [...rows.values()])
  const trees = new Map<number, OldTree>()
  const siblings = new Map<number, { tree: OldTree; fields: BlockFields }[]>()
  const numbers = new Map<number, ListNumbers>()
  for await (const node of iterateCooperatively(order)) {
    const row = rowOfNode(rows, node)
    const parent = node.parent && trees.get(node.parent.n)
    if (node.parent !== undefined && (parent === undefined || (keepsCollections && parent.type === 'collection')))
      continue
    const inList = numbers.get(node.parent?.n ?? 0) ?? new ListNumbers()
    numbers.set(node.parent?.n ?? 0, inList)
    // Moving or deleting siblings may have made a number the one that counting gives.
    const fields = withOwnNumber(visible(row), inList)
    const tree: OldTree = {
      id: String(row.id),
      type: row.type,
      key: '',
      row,
      fields,
      content: [],
    }
    trees.set(node.n, tree)
    addToGroup(siblings, node.parent?.n ?? 0, { tree, fields })
    parent?.content.push(tree)
  }
  // Callouts depend on the blocks before and after, which may have been deleted or moved, too.
  for await (const group of iterateCooperatively(siblings.values())) {
    for (const [index, { tree, fields }] of group.entries()) {
      const callout = writtenCallout(group[index - 1]?.fields, fields, group[index + 1]?.fields)
      tree.key = keyOf(space, { ...withCallout(fields, callout), id: tree.id ?? '' })
    }
  }
  const root = trees.get(page.n)
  if (root === undefined) throw new Error(`Expected page ${page.n} among its own blocks.`)
  return root
}

/**
 * Builds the tree of the edited text, which is either the page's own `<page id>` with all its content, or only the
 * content.
 */
export function* buildEditedTree(
  space: Space,
  before: OldTree,
  parsed: readonly Block[],
  idOf: (block: Block) => string | undefined,
  keyOf: KeyOf,
): Steps<NewTree> {
  const { row: page } = before
  const [only, ...more] = parsed
  const isItself = only?.type === 'page' && idOf(only) === String(page.id) && more.length === 0
  const root: Block = isItself ? only : { ...fieldsFromRow(page), id: String(page.id), content: [...parsed] }
  const editedRoot = toTree(space, root, idOf, keyOf)
  // A page whose title was not sent has the title that it had, however this connection reads it.
  if (!isItself) editedRoot.key = before.key
  const waiting = [editedRoot]
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    const { content = [] } = tree.block
    for (const [index, block] of content.entries()) {
      if (calloutLevels(block).length > 0) {
        block.decorations =
          withCallout(block, writtenCallout(content[index - 1], block, content[index + 1])).decorations ?? {}
      }
      const inner = toTree(space, block, idOf, keyOf)
      tree.content.push(inner)
      waiting.push(inner)
      yield
    }
  }
  return editedRoot
}

function toTree(space: Space, block: Block, idOf: (block: Block) => string | undefined, keyOf: KeyOf): NewTree {
  const id = idOf(block)
  if (id === undefined) return { type: block.type, key: keyOf(space, block), block, content: [] }
  return { id, type: block.type, key: keyOf(space, { ...block, id }), block, content: [] }
}

/** Reads the IDs that the blocks of a text carry. */
export function readBlockIds(space: Space, blocks: readonly Block[]): Promise<Map<string, number>> {
  const texts = new Set<string>()
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block.id !== undefined) texts.add(block.id)
    for (const inner of block.content ?? []) waiting.push(inner)
  }
  return space.readIds(texts)
}

export type KeyOf = (space: Space, block: BlockFields & { id?: string }) => string

/** The same key, plus the fields that Markdown does not carry but blocks from other sources do. */
export function completeKey(space: Space, block: BlockFields & { id?: string }): string {
  const { scheduleDate, deadlineDate, repeat } = block.taskInfo ?? {}
  const { id: _, ...fields } = { ...block, text: withoutComments(block.text) }
  const { color, blockedBy = [] } = block
  const task = [scheduleDate, deadlineDate, repeat, assigneeKey(block.taskInfo)]
  return JSON.stringify([contentKey(space, fields), ...task, color, blockedBy])
}

/**
 * A key for what a reader sees of one block. For a page, that is its title with its marks, and its styles. For a file,
 * its address counts in its stored form, whichever form the text had.
 */
export function contentKey(space: Space, block: BlockFields & { id?: string }): string {
  const { type, text, textStyle, cardLayout } = block
  const levels = calloutLevels(block)
  const callouts = levels.length === 0 ? '' : ` ${JSON.stringify(levels)}`
  if (type === 'page') return JSON.stringify([text, textStyle, cardLayout, callouts])
  return `${type} ${blockMarkdown(withStoredAddress(space, block))}${callouts}`
}

export function validateIds(before: ComparableTree, after: ComparableTree): void {
  const known = new Map(flattenTree(before).map((one) => [one.id, one.type]))
  const named = new Set<string>()
  for (const { id, type } of flattenTree(after)) {
    if (id === undefined) continue
    if (known.get(id) !== type) {
      throw invalid(
        `Expected IDs of blocks in the edited page, found ${id} on a ${type}; leave the id out to add it as a new block.`,
      )
    }
    if (named.has(id)) throw invalid(`Expected each ID once, found ${id} twice; leave it out on the copy.`)
    named.add(id)
  }
}

/**
 * Returns a function that gives the ID of an edited block in the old tree: the ID in its text, or its known ID if the
 * old tree has it.
 */
export function idOfBlock(before: OldTree, ids: ReadonlyMap<string, number>, known: KnownOfBlocks) {
  const present = known.ids === undefined ? new Set<string>() : new Set(flattenTree(before).map(({ id }) => id))
  return (block: Block): string | undefined => {
    if (block.id !== undefined) return String(ids.get(block.id) ?? block.id)
    const id = String(known.ids?.get(block))
    return present.has(id) ? id : undefined
  }
}

/** Drops matches between blocks with different IDs, if the ID of the new block is known already. */
export function withKnownIds(matches: TreeMatches, { ids }: KnownOfBlocks): TreeMatches {
  if (ids === undefined) return matches
  return new Map(
    [...matches].filter(([after, before]) => {
      const id = ids.get((after as NewTree).block)
      return id === undefined || String(id) === before.id
    }),
  )
}
