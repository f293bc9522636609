/**
 * Where `*`, `**` and `~~` go, so that reading gives the same marks again.
 *
 * A stretch of marked spans is written with `*` for italic first, and the delimiter algorithm of CommonMark is
 * run over what would stand there. Where that does not give the marks back, italic is written with `_`. Where that does
 * not help, marks move off punctuation, as `narrowMarks` says. Where that does not help either (`**a*b***c*`: bold and
 * italic across each other), or a title says exactly where its marks are, the letter next to a delimiter becomes a
 * reference, so that each delimiter can only be read one way.
 */

import { encodeReference } from './character-reference.ts'
import { type CharacterClass, classOf, firstCharacter, flanking, lastCharacter } from './characters.ts'
import { mayMatch } from './delimiter-run.ts'
import { BOLD, type InlineNode, ITALIC, MARKS } from './inline-node.ts'
import type { NarrowedEdge } from './narrow-marks.ts'

/** The delimiters for the spans of one container. */
export interface PlacedMarks {
  /** Before each span, and after the last one: one more than the number of spans. */
  delimiters: string[]
  /** Spans whose first or last letter must be written as a character reference. */
  encodeFirst: Set<number>
  encodeLast: Set<number>
  /** Spans whose marks Markdown cannot express, next to a character that has no reference. */
  lost: Set<number>
  /** Where marks must move off punctuation. Then the rest of this is not to be used. */
  narrowed: NarrowedEdge[]
}

/** The first and last characters of a span, as they will be written. */
export interface Edge {
  first: string
  last: string
}

/**
 * `edges` has an entry for each span. `around` contains the characters before the first and after the last span.
 *
 * @param narrows  false if marks no longer move off punctuation
 */
export function placeMarks(
  spans: readonly InlineNode[],
  edges: readonly Edge[],
  around: Edge,
  narrows: boolean,
): PlacedMarks {
  const placed: PlacedMarks = {
    delimiters: new Array<string>(spans.length + 1).fill(''),
    encodeFirst: new Set(),
    encodeLast: new Set(),
    lost: new Set(),
    narrowed: [],
  }
  for (let start = 0; start < spans.length; start++) {
    if (spans[start]?.marks === 0) continue
    const from = start
    while ((spans[start]?.marks ?? 0) !== 0) start++
    const stretch: Stretch = {
      spans,
      from,
      boundaries: orderMarks(spans.slice(from, start)),
      left: (at) => (at === 0 ? around.first : (edges[at - 1]?.last ?? '')),
      right: (at) => (at === spans.length ? around.last : (edges[at]?.first ?? '')),
    }
    if (readsBack(stretch)) write(stretch, '*', placed)
    else {
      const encoded = separate(stretch)
      if (encoded && encoded.first.size + encoded.last.size === 0) write(stretch, '_', placed)
      else if (narrows && findNarrowed(stretch, placed.narrowed)) continue
      else if (encoded) {
        write(stretch, '_', placed)
        for (const at of encoded.first) placed.encodeFirst.add(at)
        for (const at of encoded.last) placed.encodeLast.add(at)
      } else for (let at = from; at < start; at++) placed.lost.add(at)
    }
  }
  return placed
}

/** Consecutive marked spans. */
interface Stretch {
  spans: readonly InlineNode[]
  from: number
  boundaries: Boundary[]
  /** The character before and after the boundary that precedes the span `at`. */
  left: (at: number) => string
  right: (at: number) => string
}

export interface Boundary {
  /** Innermost first. */
  closes: number[]
  /** Outermost first. */
  opens: number[]
}

const NONE: Boundary = { closes: [], opens: [] }

/**
 * The marks that close and open before each span, and after the last one. Of marks that open together, the longest come
 * first.
 */
export function orderMarks(spans: readonly InlineNode[]): Boundary[] {
  const ends = new Map(MARKS.map((mark) => [mark, endsOf(spans, mark)]))
  const open: number[] = []
  const boundaries: Boundary[] = []
  for (let at = 0; at <= spans.length; at++) {
    const marks = spans[at]?.marks ?? 0
    const closes: number[] = []
    while (open.some((mark) => (marks & mark) === 0)) closes.push(open.pop() ?? 0)
    const missing = open.reduce((left, mark) => left & ~mark, marks)
    const opens = missing === 0 ? [] : MARKS.filter((mark) => (missing & mark) !== 0)
    if (opens.length > 1) opens.sort((a, b) => (ends.get(b)?.[at] ?? 0) - (ends.get(a)?.[at] ?? 0))
    open.push(...opens)
    boundaries.push(closes.length + opens.length === 0 ? NONE : { closes, opens })
  }
  return boundaries
}

/** For each span with the mark, the next span without it. */
function endsOf(spans: readonly InlineNode[], mark: number): Int32Array {
  const ends = new Int32Array(spans.length)
  let end = spans.length
  for (let at = spans.length - 1; at >= 0; at--) {
    if (((spans[at]?.marks ?? 0) & mark) === 0) end = at
    ends[at] = end
  }
  return ends
}

const width = (mark: number) => (mark === ITALIC ? 1 : 2)

function sign(mark: number, italic: '*' | '_'): string {
  if (mark === ITALIC) return italic
  return mark === BOLD ? '*' : '~'
}

function write({ boundaries, from }: Stretch, italic: '*' | '_', placed: PlacedMarks): void {
  for (const [at, { closes, opens }] of boundaries.entries()) {
    placed.delimiters[from + at] = [...closes, ...opens].map((mark) => sign(mark, italic).repeat(width(mark))).join('')
  }
}

/** A run of delimiters of one character. */
interface Run {
  sign: string
  length: number
  closes: number[]
  opens: number[]
}

function runsOf({ closes, opens }: Boundary): Run[] {
  const runs: Run[] = []
  const add = (mark: number, role: 'closes' | 'opens') => {
    const last = runs.at(-1)
    const run = last?.sign === sign(mark, '*') ? last : { sign: sign(mark, '*'), length: 0, closes: [], opens: [] }
    if (run !== last) runs.push(run)
    run.length += width(mark)
    run[role].push(mark)
  }
  for (const mark of closes) add(mark, 'closes')
  for (const mark of opens) add(mark, 'opens')
  return runs
}

/** An opening run in the algorithm's stack. `rest` is the number of its characters without a match so far. */
interface Opener {
  sign: string
  length: number
  rest: number
  closes: boolean
}

/** Runs CommonMark's delimiter algorithm on the boundaries, and checks that each run has its intended meaning. */
function readsBack({ boundaries, from, left, right }: Stretch): boolean {
  const stack: Opener[] = []
  for (const [at, boundary] of boundaries.entries()) {
    if (boundary === NONE) continue
    const runs = runsOf(boundary)
    for (const [index, run] of runs.entries()) {
      const before = classOf(runs[index - 1]?.sign ?? left(from + at))
      const after = classOf(runs[index + 1]?.sign ?? right(from + at))
      if (!works(run, flanking(before, after, false), stack)) return false
    }
  }
  return true
}

function works(run: Run, can: { opens: boolean; closes: boolean }, stack: Opener[]): boolean {
  if (run.closes.length > 0 && !can.closes) return false
  if (run.opens.length > 0 && !can.opens) return false
  const closer = { sign: run.sign, length: run.length, opens: can.opens }
  let rest = run.length
  for (const mark of run.closes) {
    const opener = stack.at(-1)
    if (!opener || !mayMatch(opener, closer)) return false
    if (width(mark) !== (opener.rest > 1 && rest > 1 ? 2 : 1)) return false
    rest -= width(mark)
    opener.rest -= width(mark)
    if (opener.rest === 0) stack.pop()
  }
  if (rest === 0) return true
  if (can.closes && stack.some((opener) => mayMatch(opener, closer))) return false
  stack.push({ sign: run.sign, length: run.length, rest, closes: can.closes })
  return true
}

/** Finds the edges where punctuation inside of a mark and a letter outside keep its delimiter from working. */
function findNarrowed({ boundaries, from, left, right }: Stretch, narrowed: NarrowedEdge[]): boolean {
  const count = narrowed.length
  for (const [index, { closes, opens }] of boundaries.entries()) {
    if (closes.length + opens.length === 0) continue
    const at = from + index
    const can = flanking(classOf(left(at)), classOf(right(at)), false)
    if (closes.length > 0 && !can.closes) narrowed.push({ at: at - 1, marks: sum(closes), step: -1 })
    if (opens.length > 0 && !can.opens) narrowed.push({ at, marks: sum(opens), step: 1 })
  }
  return narrowed.length > count
}

const sum = (marks: readonly number[]) => marks.reduce((all, mark) => all | mark, 0)

/**
 * Finds the letters that must become references when italic is `_`. A delimiter is then next to another
 * sign or to punctuation, where it may always open or close:
 *
 *     **a.**b → **a.**&#98;     a_b_ → &#97;_b_
 */
function separate({
  spans,
  boundaries,
  from,
  left,
  right,
}: Stretch): { first: Set<number>; last: Set<number> } | undefined {
  const encodeFirst = new Set<number>()
  const encodeLast = new Set<number>()
  const single = (at: number) => {
    const span = spans[at]
    return span?.kind === 'text' && firstCharacter(span.text) === span.text
  }
  const leftClass = (at: number): CharacterClass =>
    encodeLast.has(at - 1) || (encodeFirst.has(at - 1) && single(at - 1)) ? 'punctuation' : classOf(left(at))
  const rightClass = (at: number): CharacterClass =>
    encodeFirst.has(at) || (encodeLast.has(at) && single(at)) ? 'punctuation' : classOf(right(at))

  /** Checks the delimiters at a boundary. Inner ones are adjacent to other delimiters. */
  const fails = (at: number, role: 'closes' | 'opens') => {
    const { closes, opens } = boundaries[at - from] ?? { closes: [], opens: [] }
    const marks = [...closes, ...opens]
    return marks.some((mark, index) => {
      if (index < closes.length !== (role === 'closes')) return false
      const before = index === 0 ? leftClass(at) : 'punctuation'
      const after = index === marks.length - 1 ? rightClass(at) : 'punctuation'
      return !flanking(before, after, mark === ITALIC)[role]
    })
  }
  // A reference after a closing delimiter changes what those to its right see, one before an opening delimiter
  // what those to its left see: so one pass in each direction is enough.
  for (let at = from; at < from + boundaries.length; at++) {
    if (!fails(at, 'closes')) continue
    if (encodeReference(right(at)) === undefined) return undefined
    encodeFirst.add(at)
  }
  for (let at = from + boundaries.length - 1; at >= from; at--) {
    if (!fails(at, 'opens')) continue
    if (encodeReference(left(at)) === undefined) return undefined
    encodeLast.add(at - 1)
  }
  return { first: encodeFirst, last: encodeLast }
}

/** A text with its first and last letter as references, where it must be. */
export function encodedEdges(
  text: string,
  first: boolean,
  last: boolean,
): { start: string; text: string; end: string } {
  const start = first ? firstCharacter(text) : ''
  const rest = text.slice(start.length)
  const end = last ? lastCharacter(rest) : ''
  const write = (letter: string) => (letter === '' ? '' : (encodeReference(letter) ?? letter))
  return { start: write(start), text: rest.slice(0, rest.length - end.length), end: write(end) }
}
