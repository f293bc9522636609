/**
 * blocks_update with the text of a page in which each block is one line.
 *
 * The text and its revision are known only once the page is read. So a call in the proofs describes the edit instead:
 * which consecutive lines are removed, and which are inserted in their place.
 */
import { overwrite, writeBlock } from './blocks.ts'
import { showTree } from './shown.ts'
import { markdown, read } from './texts.ts'
import { insert, remove } from './tree.ts'
import { type Block, invalid, Refused, type World } from './world.ts'

export interface PageEdit {
  pageId: string
  /** The index of the first line to remove, modulo the number of lines plus one. */
  at: number
  remove: number
  insert: string[]
  /** Sends a revision that the page never had. */
  isStale?: true
}

export const isPageEdit = (args: object): args is PageEdit => 'pageId' in args

/** The error of the model, and of the way to the product, if a block is more than one line. */
const NO_LINES = 'NO_LINES'

/** True for plain lines. Tags and indented text could be parsed differently next to other lines. */
const isLine = (type: string, holdsSome: boolean, text: string): boolean =>
  type === 'text' && !holdsSome && /^[^\s<][^\n<]*$/.test(text)

export const linesOf = ({ children }: Block): string[] | undefined => {
  const lines = children.map(markdown)
  return children.every(({ type, children }, index) => isLine(type, children.length > 0, lines[index] ?? ''))
    ? lines
    : undefined
}

const edited = (lines: readonly string[], { at, remove, insert }: PageEdit): string[] =>
  lines.toSpliced(at % (lines.length + 1), remove, ...insert)

interface Read {
  revision: string
  content?: { type: string; markdown: string; content?: unknown[] }[]
}

/** Builds the arguments for the product. @throws Refused; errors of blocks_get */
export async function argumentsOf(
  edit: PageEdit,
  ask: (tool: string, args: object) => Promise<unknown>,
): Promise<object> {
  const { pageId, isStale } = edit
  const { revision, content = [] } = (await ask('blocks_get', { id: pageId, maxBlocks: 20_000 })) as Read
  const isEach = content.every(({ type, markdown, content }) => isLine(type, content !== undefined, markdown))
  if (!isEach) throw new Refused(NO_LINES)
  const lines = content.map(({ markdown }) => markdown)
  return { pageId, markdown: edited(lines, edit).join('\n\n'), revision: isStale ? `${revision}0` : revision }
}

/** Lines shared at the start and the end do not change. Between them lines are removed, inserted or updated. */
export function editPage(world: World, edit: PageEdit): object {
  const page = world.block(edit.pageId)
  const before = linesOf(page)
  if (before === undefined) throw new Refused(NO_LINES)
  if (page.type !== 'page' && page.type !== 'collectionItem') throw invalid()
  if (edit.isStale) throw new Refused('CONFLICT')
  world.completions.noteRead(page.children)
  const after = edited(before, edit)
  const start = sameAtStart(before, after)
  const end = sameAtStart(before.slice(start).reverse(), after.slice(start).reverse())
  const olds = page.children.slice(start, before.length - end)
  const news = after.slice(start, after.length - end)
  const answer = {
    items: [] as object[],
    added: [] as object[],
    changed: [] as object[],
    moved: [],
    deleted: [] as object[],
  }
  const [old, fresh] = [olds[0], news[0]]
  if (old !== undefined && fresh !== undefined) {
    if (olds.length + news.length > 2) throw new Error('Expected an edit of one line, found others changed beside it.')
    const changed = { ...old }
    overwrite(changed, fresh)
    writeBlock(world, old, changed, true)
    answer.changed.push(old.id)
    answer.items.push(showTree(old))
  } else if (news.length > 0) {
    const sibling = page.children[start - 1]
    const place = sibling === undefined ? { at: 'start' } : { at: 'after', sibling }
    const added = insert(world, read(news.join('\n\n')), { parent: page, ...place })
    answer.added.push(...added.map(({ id }) => id))
    answer.items.push(...added.map(showTree))
  } else if (olds.length > 0) {
    remove(world, olds)
    answer.deleted.push(...olds.map(({ id }) => id))
  }
  return answer
}

function sameAtStart(some: readonly string[], others: readonly string[]): number {
  let count = 0
  while (count < some.length && some[count] === others[count]) count++
  return count
}
