/** A pattern that runs on the machines of this folder: in linear time, with lookarounds. */
import { Alphabet } from './alphabet.ts'
import { Automaton, type Room } from './automaton.ts'
import { NEWLINES, WORDS } from './classes.ts'
import { tooFarBeyond } from './faults.ts'
import { neededBy } from './literal.ts'
import type { Parsed } from './parser.ts'
import { findEnd, findStart, markEnds, markStarts, type Told } from './passes.ts'
import { findGroups } from './pike.ts'
import { compileTree, type Program } from './program.ts'
import { EVERYTHING, type Ranges } from './ranges.ts'
import type { Node } from './tree.ts'

/**
 * Characters that may be read beyond the matches of a text, all together: for each match of `a(.*b)?` the rest of the
 * text is read to see whether there is a b. It is read again for the next, and the time grows with its square.
 */
const BEYOND = 1_000_000
const BEYOND_TIMES = 16

/** UTF-16 offsets. */
export interface Span {
  from: number
  to: number
}

/** What runs one pattern over texts. */
export interface Machine {
  test(text: string): boolean
  /** Matches from left to right, at most so many. */
  spans(text: string, most: number): Span[]
  /** Where the first match and its groups begin and end, by turns; -1 where a group took no part. */
  groups(text: string): ArrayLike<number> | undefined
}

/** Runs patterns of every kind; those without lookarounds run on it where re2js is not for them. */
export class Engine implements Machine {
  readonly #parsed: Parsed
  readonly #room: Room | undefined
  readonly #alphabet: Alphabet
  readonly #program: Program
  readonly #forward: Automaton
  #backward: Automaton | undefined
  /** Inner lookarounds before those that ask for them. */
  readonly #looks: readonly { automaton: Automaton; behind: boolean; bit: number }[]
  readonly #isPossible: (text: string) => boolean
  #bits = new Uint8Array(1024)

  /** @param room  of each automaton, if not the usual */
  constructor(parsed: Parsed, room?: Room) {
    const { tree, looks } = parsed
    this.#parsed = parsed
    this.#room = room
    const alphabet = new Alphabet([EVERYTHING, ...setsOf(tree)])
    this.#alphabet = alphabet
    this.#program = compileTree(tree, looks, alphabet, { backward: false })
    this.#forward = new Automaton(this.#program, alphabet, 'first', room)
    this.#looks = looks.map(({ item, behind }, index) => {
      const program = compileTree(item, looks, alphabet, { backward: !behind })
      return { automaton: new Automaton(program, alphabet, 'all', room), behind, bit: 1 << index }
    })
    this.#isPossible = neededBy(tree) ?? (() => true)
  }

  test(text: string): boolean {
    return this.#isPossible(text) && findEnd(this.#forward, this.#tell(text), 0, true) >= 0
  }

  spans(text: string, most: number): Span[] {
    const spans: Span[] = []
    if (most < 1 || !this.#isPossible(text)) return spans
    const told = this.#tell(text)
    this.#backward ??= this.#readBackward()
    let beyond = 0
    for (let from = 0; from <= text.length; ) {
      const to = findEnd(this.#forward, told, from, false)
      if (to < 0) break
      const start = findStart(this.#backward, told, to, from)
      if (spans.push({ from: start, to }) >= most) break
      beyond += this.#forward.reached - to
      if (beyond > BEYOND + text.length * BEYOND_TIMES) throw tooFarBeyond(spans.length)
      from = to > start ? to : to + ((text.codePointAt(to) ?? 0) > 0xffff ? 2 : 1)
    }
    return spans
  }

  groups(text: string): Int32Array | undefined {
    const [first] = this.spans(text, 1)
    if (first === undefined) return undefined
    return findGroups(this.#program, this.#alphabet, { text, looks: this.#bits }, first.from, this.#parsed.groups)
  }

  #readBackward(): Automaton {
    const { tree, looks } = this.#parsed
    const program = compileTree(tree, looks, this.#alphabet, { backward: true })
    return new Automaton(program, this.#alphabet, 'all', this.#room)
  }

  /** Which lookarounds hold at each place of the text: a run over the text for each. */
  #tell(text: string): Told {
    if (this.#looks.length === 0) return { text, looks: this.#bits }
    if (this.#bits.length <= text.length) this.#bits = new Uint8Array(text.length * 2)
    else this.#bits.fill(0, 0, text.length + 1)
    const told = { text, looks: this.#bits }
    for (const { automaton, behind, bit } of this.#looks) (behind ? markEnds : markStarts)(automaton, told, bit)
    return told
  }
}

/** The sets that the tree tells characters apart by. */
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
    default:
      yield* setsOf(node.item)
  }
}
