/**
 * Which literal characters need a backslash: those that would be read as Markdown where they stand, and no
 * others. `2 * 3`, `snake_case`, `$5`, `a < b` and `[1]` stay as they are.
 *
 * A text is seen as atoms: literal characters, delimiters of marks, and raw Markdown (tags, code, destinations).
 */

import { isReference } from './character-reference.ts'
import {
  classOf,
  firstCharacter,
  flanking,
  isAsciiPunctuation,
  isSpace,
  LONGEST_CHARACTER,
  lastCharacter,
} from './characters.ts'

export type EscapeAtom =
  | { kind: 'text'; text: string; label: LabelContext | undefined }
  | { kind: 'marks' | 'raw'; text: string }

/** The label of a link or image that contains a text. */
export interface LabelContext {
  /** True if its brackets need no escapes. */
  bare: boolean
}

/** A run of one special character. `at` is its index in all atoms together. */
interface Run {
  text: string
  at: number
  /** Its start within its atom. */
  start: number
  before: string
  after: string
  opens: boolean
  closes: boolean
}

/** Information about the whole text, for deciding whether a character has a matching one before or after it. */
interface Surroundings {
  /** The last index of each of these characters. */
  last: Map<string, number>
  /** The last literal run of each character that could close, and the first and last delimiter of a mark. */
  lastClosing: Map<string, number>
  firstMark: Map<string, number>
  lastMark: Map<string, number>
  /** The first literal `[` outside of labels. */
  firstBracket: number
  /** The runs of `$` that would begin a formula. */
  dollars: Set<number>
}

const SPECIAL = /\*+|_+|~+|=+|`+|\$+|[<&\\[\]!]/g

/** Joins all atoms, escaping the literal ones. */
export function escapeAtoms(atoms: readonly EscapeAtom[]): string {
  const runs = atoms.map((atom, index) => (atom.kind === 'text' ? runsOf(atoms, index) : []))
  let base = 0
  const bases = atoms.map(({ text }) => {
    base += text.length
    return base - text.length
  })
  if (runs.every((each) => each.length === 0)) return atoms.map(({ text }) => text).join('')
  for (const [index, each] of runs.entries()) for (const run of each) run.at = (bases[index] ?? 0) + run.start
  const around = survey(atoms, bases, runs)
  return atoms
    .map((atom, index) => (atom.kind === 'text' ? escapeText(atom, runs[index] ?? [], around) : atom.text))
    .join('')
}

function runsOf(atoms: readonly EscapeAtom[], index: number): Run[] {
  const text = atoms[index]?.text ?? ''
  if (!/[*_~=`$<&\\[\]!]/.test(text)) return []
  return Array.from(text.matchAll(SPECIAL), ({ 0: run, index: start }): Run => {
    const end = start + run.length
    const head = text.slice(Math.max(0, start - LONGEST_CHARACTER), start)
    const before = lastCharacter(head.length < LONGEST_CHARACTER ? endOf(atoms, index) + head : head)
    const after =
      end === text.length ? firstCharacter(atoms[index + 1]?.text ?? '') : firstCharacter(text.slice(end, end + 2))
    const { opens, closes } = flanking(classOf(before), classOf(after), run.startsWith('_'))
    return { text: run, at: 0, start, before, after, opens, closes }
  })
}

/** The end of the text before an atom. Two atoms are enough: one of a lone variation selector, and the one before. */
const endOf = (atoms: readonly EscapeAtom[], index: number) =>
  [atoms[index - 2], atoms[index - 1]].map((atom) => atom?.text.slice(-LONGEST_CHARACTER) ?? '').join('')

function survey(atoms: readonly EscapeAtom[], bases: readonly number[], runs: readonly Run[][]): Surroundings {
  const around: Surroundings = {
    last: new Map(),
    lastClosing: new Map(),
    firstMark: new Map(),
    lastMark: new Map(),
    firstBracket: Number.POSITIVE_INFINITY,
    dollars: dollars(atoms, runs),
  }
  for (const [index, { kind, text }] of atoms.entries()) {
    const base = bases[index] ?? 0
    for (const character of ['`', '>', '@']) {
      const place = text.lastIndexOf(character)
      if (place >= 0) around.last.set(character, base + place)
    }
    if (kind !== 'marks') continue
    for (const character of new Set(text)) {
      if (!around.firstMark.has(character)) around.firstMark.set(character, base)
      around.lastMark.set(character, base)
    }
  }
  for (const [index, atom] of atoms.entries()) {
    for (const run of runs[index] ?? []) {
      if (run.closes) around.lastClosing.set(run.text.charAt(0), run.at)
      if (run.text === '[' && atom.kind === 'text' && !atom.label) {
        around.firstBracket = Math.min(around.firstBracket, run.at)
      }
    }
  }
  return around
}

function escapeText(atom: EscapeAtom & { kind: 'text' }, runs: readonly Run[], around: Surroundings): string {
  let written = ''
  let done = 0
  for (const run of runs) {
    const end = run.start + run.text.length
    written += atom.text.slice(done, run.start)
    written += needsEscape(atom, run, around) ? run.text.replace(/./g, '\\$&') : run.text
    done = end
  }
  return written + atom.text.slice(done)
}

function needsEscape(atom: EscapeAtom & { kind: 'text' }, run: Run, around: Surroundings): boolean {
  const { text } = atom
  const end = run.start + run.text.length
  const sign = run.text.charAt(0)
  switch (sign) {
    case '\\':
      // An atom is followed by a delimiter or a tag, and the last one by the line of another block.
      return end === text.length || run.after === '\n' || isAsciiPunctuation(run.after)
    case '`':
      return run.before === '`' || (around.last.get('`') ?? -1) >= run.at + run.text.length
    case '$':
      return around.dollars.has(run.at)
    case '&':
      return isReference(text, run.start)
    case '<':
      return opensTag(text, run, around)
    case '!':
      return end === text.length && run.after === '['
    case '[':
    case ']':
      if (atom.label) return !atom.label.bare
      return sign === ']' && run.after === '(' && around.firstBracket < run.at
    default:
      return mayPair(run, sign, around)
  }
}

/** True if a run of `*`, `_`, `~~` or `==` could open or close something, or merge with an adjacent delimiter. */
function mayPair(run: Run, sign: string, around: Surroundings): boolean {
  if (run.before === sign || run.after === sign) return true
  if ((sign === '~' || sign === '=') && run.text.length !== 2) return false
  const closesLater = Math.max(around.lastClosing.get(sign) ?? -1, around.lastMark.get(sign) ?? -1) > run.at
  const openedBefore = (around.firstMark.get(sign) ?? Number.POSITIVE_INFINITY) < run.at
  return (run.opens && closesLater) || (run.closes && openedBefore)
}

/** The part of a tag or autolink that could be in this text. A quote may be closed by the following text. */
const TAG =
  /<(?:[A-Za-z][A-Za-z\d-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*(?:'|$)|"[^"]*(?:"|$)))?)*\s*\/?|\/[A-Za-z][A-Za-z\d-]*\s*|[!?][\s\S]*?(?=>|$)|[A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d.-]*)(?:>|$)/y

function opensTag(text: string, run: Run, around: Surroundings): boolean {
  if ((around.last.get('>') ?? -1) < run.at) return false
  TAG.lastIndex = run.start
  return TAG.test(text)
}

/**
 * Finds the runs of `$` that would begin a formula, from right to left: the next run of the same length closes it, if
 * allowed. Raw atoms may contain any run, so they count as closing.
 */
function dollars(atoms: readonly EscapeAtom[], runs: readonly Run[][]): Set<number> {
  const begin = new Set<number>()
  const next = new Map<number, Run | 'raw'>()
  for (let index = atoms.length - 1; index >= 0; index--) {
    const atom = atoms[index]
    if (atom && atom.kind !== 'text' && atom.text.includes('$')) {
      next.set(1, 'raw').set(2, 'raw')
    }
    for (const run of (runs[index] ?? []).toReversed()) {
      if (!run.text.startsWith('$')) continue
      const closing = next.get(run.text.length)
      const isAdjacent = run.before === '$' || run.after === '$'
      const closes = closing === 'raw' || (closing !== undefined && mayClose(run, closing))
      if (isAdjacent || closes) begin.add(run.at)
      else if (run.text.length <= 2) next.set(run.text.length, run)
    }
  }
  return begin
}

function mayClose(opening: Run, closing: Run): boolean {
  if (opening.text.length === 2) return true
  return !isSpace(opening.after) && opening.after !== '' && !isSpace(closing.before) && !/\d/.test(closing.after)
}
