/** Runs one pattern on the automata of this folder, in linear time, with lookarounds. */
import { Alphabet } from './alphabet.ts'
import { Automaton, type CacheLimits } from './automaton.ts'
import { NEWLINES, WORDS } from './character-classes.ts'
import { findEnd, findStart, markEnds, markStarts, type SearchInput } from './dfa-run.ts'
import { matchTooCostly } from './pattern-errors.ts'
import type { ParsedPattern } from './pattern-parser.ts'
import type { Node } from './pattern-tree.ts'
import { findGroups } from './pike-vm.ts'
import { compileTree, type Program } from './program.ts'
import { ALL_CHARACTERS, type Ranges } from './ranges.ts'
import { requiredTextTest } from './required-literal.ts'

/**
 * Total characters that may be read beyond the ends of matches. For each match of `a(.*b)?`, the rest of the text is
 * read to see whether there is a b, and is read again for the next match. The time would grow with the square of the
 * length.
 */
const MAX_LOOKAHEAD = 1_000_000
const LOOKAHEAD_PER_CHARACTER = 16

/** UTF-16 offsets. */
export interface Span {
  from: number
  to: number
}

/** Matches one compiled pattern against texts. */
export class Engine {
  readonly #parsed: ParsedPattern
  readonly #cacheLimits: CacheLimits | undefined
  readonly #alphabet: Alphabet
  readonly #program: Program
  readonly #forward: Automaton
  #backward: Automaton | undefined
  /** Inner lookarounds come before those that contain them. */
  readonly #lookarounds: readonly { automaton: Automaton; behind: boolean; bit: number }[]
  readonly #hasRequiredText: (text: string) => boolean
  #lookaroundBits = new Uint8Array(1024)

  /** @param cacheLimits  cache limits of each automaton, if not the default */
  constructor(parsed: ParsedPattern, cacheLimits?: CacheLimits) {
    const { tree, lookarounds } = parsed
    this.#parsed = parsed
    this.#cacheLimits = cacheLimits
    const alphabet = new Alphabet([ALL_CHARACTERS, ...setsOf(tree)])
    this.#alphabet = alphabet
    this.#program = compileTree(tree, lookarounds, alphabet, { backward: false })
    this.#forward = new Automaton(this.#program, alphabet, 'first', cacheLimits)
    this.#lookarounds = lookarounds.map(({ item, behind }, index) => {
      const program = compileTree(item, lookarounds, alphabet, { backward: !behind })
      return { automaton: new Automaton(program, alphabet, 'all', cacheLimits), behind, bit: 1 << index }
    })
    this.#hasRequiredText = requiredTextTest(tree) ?? (() => true)
  }

  test(text: string): boolean {
    return this.#hasRequiredText(text) && findEnd(this.#forward, this.#evaluateLookarounds(text), 0, true) >= 0
  }

  /**
   * At most `most` matches, from left to right.
   *
   * @throws PatternError with reason `cost`, see {@link MAX_LOOKAHEAD}
   */
  spans(text: string, most: number): Span[] {
    const spans: Span[] = []
    if (most < 1 || !this.#hasRequiredText(text)) return spans
    const input = this.#evaluateLookarounds(text)
    this.#backward ??= this.#readBackward()
    let lookahead = 0
    for (let from = 0; from <= text.length; ) {
      const to = findEnd(this.#forward, input, from, false)
      if (to < 0) break
      const start = findStart(this.#backward, input, to, from)
      if (spans.push({ from: start, to }) >= most) break
      lookahead += this.#forward.reached - to
      if (lookahead > MAX_LOOKAHEAD + text.length * LOOKAHEAD_PER_CHARACTER) throw matchTooCostly(spans.length)
      from = to > start ? to : to + ((text.codePointAt(to) ?? 0) > 0xffff ? 2 : 1)
    }
    return spans
  }

  /** Start and end of the first match, then of each group; -1 for a group that took no part. */
  groups(text: string): Int32Array | undefined {
    const [first] = this.spans(text, 1)
    if (first === undefined) return undefined
    return findGroups(
      this.#program,
      this.#alphabet,
      { text, lookarounds: this.#lookaroundBits },
      first.from,
      this.#parsed.groups,
    )
  }

  #readBackward(): Automaton {
    const { tree, lookarounds } = this.#parsed
    const program = compileTree(tree, lookarounds, this.#alphabet, { backward: true })
    return new Automaton(program, this.#alphabet, 'all', this.#cacheLimits)
  }

  /** Computes which lookarounds hold at each offset of the text, with one run over the text per lookaround. */
  #evaluateLookarounds(text: string): SearchInput {
    if (this.#lookarounds.length === 0) return { text, lookarounds: this.#lookaroundBits }
    if (this.#lookaroundBits.length <= text.length) this.#lookaroundBits = new Uint8Array(text.length * 2)
    else this.#lookaroundBits.fill(0, 0, text.length + 1)
    const input = { text, lookarounds: this.#lookaroundBits }
    for (const { automaton, behind, bit } of this.#lookarounds) (behind ? markEnds : markStarts)(automaton, input, bit)
    return input
  }
}

/** All character sets by which the tree distinguishes characters. */
function* setsOf(node: Node): Generator<Ranges> {
  switch (node.kind) {
    case 'set':
      yield node.set
      return
    case 'sequence':
    case 'choice':
      for (const item of node.items) yield* setsOf(item)
      return
    case 'assertion':
      yield* [WORDS, NEWLINES]
      return
    case 'group':
    case 'repeat':
    case 'look':
      yield* setsOf(node.item)
  }
}
