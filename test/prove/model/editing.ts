/**
 * blocks_update with the text of a page, of which each block is one line.
 *
 * The text and its revision are known only once the page is read, so that a call of the proofs says what becomes of
 * the lines: of some that follow each other nothing, or others that were not there, or of one another.
 */
import { overwrite, writeBlock } from './blocks.ts'
import { showTree } from './shown.ts'
import { insert, remove } from './tree.ts'
import { markdown, read } from './words.ts'
import { type Block, invalid, Refused, type World } from './world.ts'

export interface PageEdit {
  pageId: string
  /** The first line that goes, of those that there are and a place after them; what is higher begins anew. */
  at: number
  remove: number
  insert: string[]
  /** With a revision that the page never had. */
  isStale?: true
}

export const isPageEdit = (args: object): args is PageEdit => 'pageId' in args

/** What a call is refused with, of the model and on the way to the product, where a block is more than a line. */
const NO_LINES = 'NO_LINES'

/** Tags, and what is indented, mean something else beside other lines. */
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

/** The arguments with which the product is asked for it. @throws Refused; what blocks_get refuses */
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

/** What both ends have in common stays; between them lines are taken away or added, or one is changed. */
export function editPage(world: World, edit: PageEdit): object {
  const page = world.block(edit.pageId)
  const before = linesOf(page)
  if (before === undefined) throw new Refused(NO_LINES)
  if (page.type !== 'page' && page.type !== 'collectionItem') throw invalid()
  if (edit.isStale) throw new Refused('CONFLICT')
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
