/**
 * Matches the blocks of an edited tree with the blocks of the original tree.
 *
 * Blocks that the text identifies by ID are matched first. Equal blocks come next: at the start and end of each page,
 * then anywhere, so that cut and pasted blocks are recognized. Last come the blocks between the same matched neighbors,
 * by similarity. All steps take linear time in the number of blocks, except in small gaps. What those may take is limited
 * for all gaps together, since other writes wait.
 */
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'

/** A block of either tree. `key` is what a reader sees of it, without its child blocks. */
export interface ComparableTree {
  id?: string
  type: string
  key: string
  content: ComparableTree[]
}

/** Maps each block of the edited tree to its original, if it has one. */
export type TreeMatches = ReadonlyMap<ComparableTree, ComparableTree>

export const matchTrees = (before: ComparableTree, after: ComparableTree): Promise<TreeMatches> =>
  runCooperatively(new TreeMatcher(before, after).match())

/** How many steps run between two checks of the clock. */
const STEPS_PER_YIELD = 500

/** Gaps of up to this many pairs of blocks are matched by similarity, larger ones by order. */
const MAX_COMPARED_PAIRS = 2_000
/** What matching by similarity may cost in one tree: characters that are split into words, and compared words. */
export const SIMILARITY_COST = 2_000_000
/**
 * Shorter keys, such as those of lines and empty blocks, occur everywhere. Two equal ones do not show that a block was
 * moved.
 */
const MIN_DISTINCTIVE_LENGTH = 12

class TreeMatcher {
  readonly #before: ComparableTree
  readonly #after: ComparableTree
  readonly #matches = new Map<ComparableTree, ComparableTree>()
  readonly #matchedBefore = new Set<ComparableTree>()
  #costLeft = SIMILARITY_COST

  constructor(before: ComparableTree, after: ComparableTree) {
    this.#before = before
    this.#after = after
  }

  *match(): Steps<TreeMatches> {
    this.#pair(this.#after, this.#before)
    yield* this.#matchById()
    yield* this.#matchEnds()
    yield* this.#matchAnywhere()
    for (const [after, before] of this.#matches) yield* this.#matchGaps(before.content, after.content)
    return this.#matches
  }

  #pair(after: ComparableTree, before: ComparableTree): void {
    this.#matches.set(after, before)
    this.#matchedBefore.add(before)
  }

  #isUnmatched(one: ComparableTree): boolean {
    return !this.#matchedBefore.has(one) && !this.#matches.has(one)
  }

  *#matchById(): Steps<void> {
    const known = new Map(flattenTree(this.#before).map((one) => [one.id, one]))
    yield
    for (const [index, one] of flattenTree(this.#after).entries()) {
      if (index % STEPS_PER_YIELD === 0) yield
      const before = one.id === undefined ? undefined : known.get(one.id)
      if (before !== undefined && this.#isUnmatched(before) && this.#isUnmatched(one)) this.#pair(one, before)
    }
  }

  // Iterating over a map also visits entries added meanwhile, so pages matched here have their own ends compared too.
  *#matchEnds(): Steps<void> {
    for (const [after, before] of this.#matches) {
      const [olds, news] = [before.content, after.content]
      const same = (old: ComparableTree | undefined, fresh: ComparableTree | undefined): boolean => {
        if (old === undefined || fresh === undefined) return false
        if (this.#matches.get(fresh) === old) return true
        if (old.key !== fresh.key || !this.#isUnmatched(old) || !this.#isUnmatched(fresh)) return false
        this.#pair(fresh, old)
        return true
      }
      let start = 0
      while (same(olds[start], news[start])) if (++start % STEPS_PER_YIELD === 0) yield
      let end = 0
      while (end < olds.length - start && end < news.length - start && same(olds.at(-1 - end), news.at(-1 - end))) {
        if (++end % STEPS_PER_YIELD === 0) yield
      }
      yield
    }
  }

  *#matchAnywhere(): Steps<void> {
    const unmatched = new Map<string, ComparableTree[]>()
    for (const one of flattenTree(this.#before)) {
      if (!this.#isUnmatched(one)) continue
      const list = unmatched.get(one.key)
      if (list === undefined) unmatched.set(one.key, [one])
      else list.push(one)
    }
    yield
    for (const list of unmatched.values()) list.reverse()
    const parents = parentMap(this.#before)
    for (const [index, { tree, parent }] of flattenWithParents(this.#after).entries()) {
      if (index % STEPS_PER_YIELD === 0) yield
      const list = unmatched.get(tree.key)
      const last = list?.at(-1)
      if (last === undefined || list === undefined || !this.#isUnmatched(tree)) continue
      const isSibling = parent !== undefined && parents.get(last) === this.#matches.get(parent)
      if (!isSibling && tree.key.length < MIN_DISTINCTIVE_LENGTH) continue
      list.pop()
      this.#pair(tree, last)
    }
  }

  *#matchGaps(olds: readonly ComparableTree[], news: readonly ComparableTree[]): Steps<void> {
    const gaps = unmatchedRuns(olds, (old) => (this.#isUnmatched(old) ? undefined : old))
    yield
    for (const [at, fresh] of unmatchedRuns(news, (one) => this.#matches.get(one))) {
      yield* this.#matchGap(gaps.get(at) ?? [], fresh)
      yield
    }
  }

  /** True if a gap is small enough to be matched by similarity. Counts what that costs. */
  #canCompare(olds: readonly ComparableTree[], news: readonly ComparableTree[]): boolean {
    if (olds.length * news.length > MAX_COMPARED_PAIRS) return false
    // Of two sets of words, those of the smaller one are looked up in the other.
    const lookups = Math.min(olds.length * mostWords(news), news.length * mostWords(olds))
    const cost = lengthOf(olds) + lengthOf(news) + lookups
    if (cost > this.#costLeft) return false
    this.#costLeft -= cost
    return true
  }

  *#matchGap(olds: readonly ComparableTree[], news: readonly ComparableTree[]): Steps<void> {
    if (olds.length !== news.length && this.#canCompare(olds, news)) {
      const words = new Map<ComparableTree, ReadonlySet<string>>()
      for (const one of [...olds, ...news]) {
        words.set(one, wordSet(one.key))
        yield
      }
      for (const fresh of news) {
        const ranked = olds
          .filter((old) => old.type === fresh.type && this.#isUnmatched(old))
          .map((old) => ({ old, likeness: diceSimilarity(words.get(old), words.get(fresh)) }))
          .sort((a, b) => b.likeness - a.likeness)
        const [best] = ranked
        if (best !== undefined && best.likeness >= 0.5) this.#pair(fresh, best.old)
        yield
      }
    }
    const unmatched = olds.filter((old) => this.#isUnmatched(old))
    const lastOfType = new Map(unmatched.map(({ type }, index) => [type, index]))
    let next = 0
    for (const fresh of news) {
      if (!this.#isUnmatched(fresh) || (lastOfType.get(fresh.type) ?? -1) < next) continue
      while (unmatched[next]?.type !== fresh.type) next++
      this.#pair(fresh, unmatched[next++] as ComparableTree)
      if (next % STEPS_PER_YIELD === 0) yield
    }
  }
}

/** The most words that blocks can have together: each has one character, and one between it and the next. */
const mostWords = (trees: readonly ComparableTree[]): number => Math.ceil(lengthOf(trees) / 2)

const lengthOf = (trees: readonly ComparableTree[]): number => trees.reduce((sum, { key }) => sum + key.length, 0)

/**
 * Groups the unmatched blocks into runs. The key of a run is the `neighbourOf` value of the matched block before it, or
 * undefined at the start.
 */
function unmatchedRuns(
  trees: readonly ComparableTree[],
  neighbourOf: (tree: ComparableTree) => ComparableTree | undefined,
): Map<ComparableTree | undefined, ComparableTree[]> {
  const found = new Map<ComparableTree | undefined, ComparableTree[]>()
  let run: ComparableTree[] = []
  let last: ComparableTree | undefined
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

/** Returns all blocks of a tree in reading order, root first. */
export const flattenTree = (root: ComparableTree): ComparableTree[] => flattenWithParents(root).map(({ tree }) => tree)

function flattenWithParents(root: ComparableTree): { tree: ComparableTree; parent?: ComparableTree }[] {
  const order: { tree: ComparableTree; parent?: ComparableTree }[] = []
  const stack: { tree: ComparableTree; parent?: ComparableTree }[] = [{ tree: root }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    order.push(next)
    const { tree } = next
    for (let index = tree.content.length - 1; index >= 0; index--) {
      const inner = tree.content[index]
      if (inner !== undefined) stack.push({ tree: inner, parent: tree })
    }
  }
  return order
}

function parentMap(root: ComparableTree): Map<ComparableTree, ComparableTree | undefined> {
  return new Map(flattenWithParents(root).map(({ tree, parent }) => [tree, parent]))
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Returns the similarity of two sets of words from 0 to 1 (Dice's coefficient). */
function diceSimilarity(one: ReadonlySet<string> = NO_WORDS, other: ReadonlySet<string> = NO_WORDS): number {
  if (one.size + other.size === 0) return 1
  return (2 * one.intersection(other).size) / (one.size + other.size)
}

const NO_WORDS: ReadonlySet<string> = new Set()
