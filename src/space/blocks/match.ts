/**
 * Finds which blocks of an edited tree are which blocks of the tree it was made from.
 *
 * Those that the text names by ID come first, then equal ones: at the start and end of each page, then anywhere, so
 * that what was cut and pasted is known again; last, what stands between the same neighbours and is most alike. All
 * steps take time linear in the number of blocks, but for small gaps.
 */
import { inTurns, type Parts } from '../../breathe.ts'

/** A block of either tree. `key` is what a reader sees of it, without what it holds. */
export interface Tree {
  id?: string
  type: string
  key: string
  content: Tree[]
}

/** For each block of the edited tree the block that it was, if it was there. */
export type Matches = ReadonlyMap<Tree, Tree>

export const matchTrees = (before: Tree, after: Tree): Promise<Matches> => inTurns(new Matcher(before, after).match())

/** Steps after which a look at the clock is due. */
const STEPS = 500

/** Gaps of up to this many pairs are matched by likeness, larger ones in order. */
const PAIRS_COMPARED = 2_000
/** Keys shorter than this, such as lines and empty blocks, are alike everywhere: no sign that a block was moved. */
const TELLING_LENGTH = 12

class Matcher {
  readonly #before: Tree
  readonly #after: Tree
  readonly #matches = new Map<Tree, Tree>()
  readonly #taken = new Set<Tree>()

  constructor(before: Tree, after: Tree) {
    this.#before = before
    this.#after = after
  }

  *match(): Parts<Matches> {
    this.#pair(this.#after, this.#before)
    yield* this.#byId()
    yield* this.#atTheEnds()
    yield* this.#anywhere()
    for (const [after, before] of this.#matches) yield* this.#inGaps(before.content, after.content)
    return this.#matches
  }

  #pair(after: Tree, before: Tree): void {
    this.#matches.set(after, before)
    this.#taken.add(before)
  }

  #isFree(one: Tree): boolean {
    return !this.#taken.has(one) && !this.#matches.has(one)
  }

  *#byId(): Parts<void> {
    const known = new Map(all(this.#before).map((one) => [one.id, one]))
    yield
    for (const [index, one] of all(this.#after).entries()) {
      if (index % STEPS === 0) yield
      const before = one.id === undefined ? undefined : known.get(one.id)
      if (before !== undefined && this.#isFree(before) && this.#isFree(one)) this.#pair(one, before)
    }
  }

  // Iterating a map visits what is added to it meanwhile: pages that are matched here have their own ends.
  *#atTheEnds(): Parts<void> {
    for (const [after, before] of this.#matches) {
      const [olds, news] = [before.content, after.content]
      const same = (old: Tree | undefined, fresh: Tree | undefined): boolean => {
        if (old === undefined || fresh === undefined) return false
        if (this.#matches.get(fresh) === old) return true
        if (old.key !== fresh.key || !this.#isFree(old) || !this.#isFree(fresh)) return false
        this.#pair(fresh, old)
        return true
      }
      let start = 0
      while (same(olds[start], news[start])) if (++start % STEPS === 0) yield
      let end = 0
      while (end < olds.length - start && end < news.length - start && same(olds.at(-1 - end), news.at(-1 - end))) {
        if (++end % STEPS === 0) yield
      }
      yield
    }
  }

  *#anywhere(): Parts<void> {
    const free = new Map<string, Tree[]>()
    for (const one of all(this.#before)) {
      if (!this.#isFree(one)) continue
      const list = free.get(one.key)
      if (list === undefined) free.set(one.key, [one])
      else list.push(one)
    }
    yield
    for (const list of free.values()) list.reverse()
    const parents = parentsOf(this.#before)
    for (const [index, { tree, parent }] of withParents(this.#after).entries()) {
      if (index % STEPS === 0) yield
      const list = free.get(tree.key)
      const last = list?.at(-1)
      if (last === undefined || list === undefined || !this.#isFree(tree)) continue
      const isSibling = parent !== undefined && parents.get(last) === this.#matches.get(parent)
      if (!isSibling && tree.key.length < TELLING_LENGTH) continue
      list.pop()
      this.#pair(tree, last)
    }
  }

  *#inGaps(olds: readonly Tree[], news: readonly Tree[]): Parts<void> {
    const gaps = runs(olds, (old) => (this.#isFree(old) ? undefined : old))
    yield
    for (const [at, fresh] of runs(news, (one) => this.#matches.get(one))) {
      yield* this.#inGap(gaps.get(at) ?? [], fresh)
      yield
    }
  }

  *#inGap(olds: readonly Tree[], news: readonly Tree[]): Parts<void> {
    if (olds.length !== news.length && olds.length * news.length <= PAIRS_COMPARED) {
      const words = new Map<Tree, ReadonlySet<string>>()
      for (const one of [...olds, ...news]) {
        words.set(one, wordsOf(one.key))
        yield
      }
      for (const fresh of news) {
        const ranked = olds
          .filter((old) => old.type === fresh.type && this.#isFree(old))
          .map((old) => ({ old, likeness: likeness(words.get(old), words.get(fresh)) }))
          .sort((a, b) => b.likeness - a.likeness)
        const [best] = ranked
        if (best !== undefined && best.likeness >= 0.5) this.#pair(fresh, best.old)
        yield
      }
    }
    const left = olds.filter((old) => this.#isFree(old))
    const lastOfType = new Map(left.map(({ type }, index) => [type, index]))
    let next = 0
    for (const fresh of news) {
      if (!this.#isFree(fresh) || (lastOfType.get(fresh.type) ?? -1) < next) continue
      while (left[next]?.type !== fresh.type) next++
      this.#pair(fresh, left[next++] as Tree)
      if (next % STEPS === 0) yield
    }
  }
}

/** The blocks between those that have a neighbour to name, by the last of these before them. */
function runs(trees: readonly Tree[], neighbourOf: (tree: Tree) => Tree | undefined): Map<Tree | undefined, Tree[]> {
  const found = new Map<Tree | undefined, Tree[]>()
  let run: Tree[] = []
  let last: Tree | undefined
  for (const tree of trees) {
    const neighbour = neighbourOf(tree)
    if (neighbour !== undefined) {
      last = neighbour
      run = []
      continue
    }
    if (run.length === 0) found.set(last, run)
    run.push(tree)
  }
  return found
}

/** All blocks of a tree in reading order, its root first. */
export const all = (root: Tree): Tree[] => withParents(root).map(({ tree }) => tree)

function withParents(root: Tree): { tree: Tree; parent?: Tree }[] {
  const order: { tree: Tree; parent?: Tree }[] = []
  const waiting: { tree: Tree; parent?: Tree }[] = [{ tree: root }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    order.push(next)
    const { tree } = next
    for (let index = tree.content.length - 1; index >= 0; index--) {
      const inner = tree.content[index]
      if (inner !== undefined) waiting.push({ tree: inner, parent: tree })
    }
  }
  return order
}

function parentsOf(root: Tree): Map<Tree, Tree | undefined> {
  return new Map(withParents(root).map(({ tree, parent }) => [tree, parent]))
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** The share of words that two texts have in common: 0 to 1 (Dice's coefficient). */
function likeness(one: ReadonlySet<string> = NO_WORDS, other: ReadonlySet<string> = NO_WORDS): number {
  if (one.size + other.size === 0) return 1
  return (2 * one.intersection(other).size) / (one.size + other.size)
}

const NO_WORDS: ReadonlySet<string> = new Set()

/**
 * The longest run of numbers that rises, as their indexes: the children that can stay where they are when the others
 * move (patience sorting, n log n).
 */
export function longestRise(numbers: readonly number[]): Set<number> {
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? ends[low - 1] : undefined
    ends[low] = index
  }
  const rise = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.add(index)
  return rise
}
