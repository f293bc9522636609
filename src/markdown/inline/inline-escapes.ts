/**
 * Which literal characters need a backslash: those that would be read as Markdown where they stand, and no
 * others. `2 * 3`, `snake_case`, `$5`, `a < b` and `[1]` stay as they are.
 *
 * A text is seen as atoms: literal characters, delimiters of marks, and raw Markdown (tags, code, destinations).
 */

import {
  classOf,
  firstCharacter,
  flanking,
  isAsciiPunctuation,
  isReference,
  isSpace,
  lastCharacter,
} from './characters.ts'

export type EscapeAtom =
  | { kind: 'text'; text: string; label: LabelContext | undefined }
  | { kind: 'marks' | 'raw'; text: string }

/** The label of a link or an image that a text stands in. */
export interface LabelContext {
  /** Whether its brackets may stand as they are. */
  bare: boolean
}

/** A place where something special stands: a run of one character. `at` counts from the start of all atoms. */
interface Run {
  text: string
  at: number
  /** Where in its atom it starts. */
  start: number
  before: string
  after: string
  opens: boolean
  closes: boolean
}

/** What is known of the whole, to tell of a character whether a partner for it comes later or came earlier. */
interface Surroundings {
  /** The last place of each of these characters. */
  last: Map<string, number>
  /** The last literal run of the character that could close, and the first and last delimiter of a mark. */
  lastClosing: Map<string, number>
  firstMark: Map<string, number>
  lastMark: Map<string, number>
  /** The first literal `[` outside of labels. */
  firstBracket: number
  /** The runs of `$` that would begin a formula. */
  dollars: Set<number>
}

const SPECIAL = /\*+|_+|~+|=+|`+|\$+|[<&\\[\]!]/g

/** All atoms as one text, with the literal ones escaped. */
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
    const before =
      start === 0
        ? lastCharacter(atoms[index - 1]?.text ?? '')
        : lastCharacter(text.slice(Math.max(0, start - 2), start))
    const after =
      end === text.length ? firstCharacter(atoms[index + 1]?.text ?? '') : firstCharacter(text.slice(end, end + 2))
    const { opens, closes } = flanking(classOf(before), classOf(after), run.startsWith('_'))
    return { text: run, at: 0, start, before, after, opens, closes }
  })
}

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
      // At the end of an atom a delimiter or a tag follows, or in the end the line of another block.
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

/** Whether a run of `*`, `_`, `~~` or `==` would open or close something, or run into a delimiter beside it. */
function mayPair(run: Run, sign: string, around: Surroundings): boolean {
  if (run.before === sign || run.after === sign) return true
  if ((sign === '~' || sign === '=') && run.text.length !== 2) return false
  const closesLater = Math.max(around.lastClosing.get(sign) ?? -1, around.lastMark.get(sign) ?? -1) > run.at
  const openedBefore = (around.firstMark.get(sign) ?? Number.POSITIVE_INFINITY) < run.at
  return (run.opens && closesLater) || (run.closes && openedBefore)
}

/** As far as a tag or an autolink could get inside this text; a quote may close in what follows. */
const TAG =
  /<(?:[A-Za-z][A-Za-z\d-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*(?:'|$)|"[^"]*(?:"|$)))?)*\s*\/?|\/[A-Za-z][A-Za-z\d-]*\s*|[!?][\s\S]*?(?=>|$)|[A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d.-]*)(?:>|$)/y

function opensTag(text: string, run: Run, around: Surroundings): boolean {
  if ((around.last.get('>') ?? -1) < run.at) return false
  TAG.lastIndex = run.start
  return TAG.test(text)
}

/**
 * The runs of `$` that would begin a formula, found from the right: the next run of their length closes it, if
 * it may. What is raw may hold any run, so it counts as one that does.
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
      const beside = run.before === '$' || run.after === '$'
      const closes = closing === 'raw' || (closing !== undefined && mayClose(run, closing))
      if (beside || closes) begin.add(run.at)
      else if (run.text.length <= 2) next.set(run.text.length, run)
    }
  }
  return begin
}

function mayClose(opening: Run, closing: Run): boolean {
  if (opening.text.length === 2) return true
  return !isSpace(opening.after) && opening.after !== '' && !isSpace(closing.before) && !/\d/.test(closing.after)
}
