/**
 * Parses RE2 syntax, with lookaheads and lookbehinds of fixed width.
 *
 * A pattern is a choice of sequences of pieces. A piece is an atom with at most one repetition after it.
 */

import { foldCase } from './case-folding.ts'
import { NEWLINES, readClass, readEscapedClass } from './character-classes.ts'
import { type Flags, readGroupPrefix } from './group-prefix.ts'
import { patternTooLong, tooManyLookarounds, unexpectedText } from './pattern-errors.ts'
import { readEscape } from './pattern-escapes.ts'
import { PATTERN_LENGTH, PATTERN_LOOKAROUNDS } from './pattern-limits.ts'
import { Reader } from './pattern-reader.ts'
import { type Assertion, EMPTY, type Lookaround, type Node, widthOf } from './pattern-tree.ts'
import { ALL_CHARACTERS, negateRanges } from './ranges.ts'
import { checkRepetitions, readCounts } from './repetitions.ts'

export interface ParsedPattern {
  tree: Node
  /** Number of capturing groups. Groups inside lookarounds are numbered too, but never take part. */
  groups: number
  /** Inner lookarounds come before those that contain them. */
  lookarounds: readonly Lookaround[]
}

/** @throws PatternError that names the place, counted in characters from 1 */
export function parsePattern(source: string, flags: { caseSensitive: boolean }): ParsedPattern {
  const reader = new Reader(source)
  if (reader.source.length > PATTERN_LENGTH) throw patternTooLong(reader.source.length)
  const state: ParserState = {
    reader,
    flags: { fold: !flags.caseSensitive, lines: false, all: false, lazy: false },
    names: new Set(),
    groups: 0,
    lookarounds: [],
  }
  const tree = readChoice(state)
  if (!reader.done) {
    throw unexpectedText('each ) to close a (', 'one that closes none', reader.place, 'leave it out, or write \\)')
  }
  checkRepetitions(tree)
  return { tree, groups: state.groups, lookarounds: state.lookarounds }
}

interface ParserState {
  reader: Reader
  flags: Flags
  names: Set<string>
  groups: number
  lookarounds: Lookaround[]
}

function readChoice(state: ParserState): Node {
  const { reader } = state
  const items = [readSequence(state)]
  while (reader.accept('|')) items.push(readSequence(state))
  return combineNodes('choice', items)
}

function readSequence(state: ParserState): Node {
  const { reader } = state
  const items: Node[] = []
  while (!reader.done && !reader.sees('|') && !reader.sees(')')) {
    if (reader.accept('\\Q')) items.push(...readQuoted(state))
    else items.push(readPiece(state))
  }
  return combineNodes('sequence', items)
}

const combineNodes = (kind: 'choice' | 'sequence', items: readonly Node[]): Node => {
  const [first] = items
  return first !== undefined && items.length === 1 ? first : { kind, items }
}

/** Reads up to `\E` or the end. A repetition after it applies to the last character. */
function readQuoted(state: ParserState): Node[] {
  const { reader } = state
  const items: Node[] = []
  while (!reader.done && !reader.accept('\\E')) {
    const from = reader.at
    const item = character(reader.next(), state.flags)
    const ends = reader.accept('\\E')
    items.push(ends || reader.done ? readRepetition(state, item, from) : item)
    if (ends) return items
  }
  return items
}

function readPiece(state: ParserState): Node {
  const { reader } = state
  const from = reader.at
  const atom = readAtom(state)
  // Flags such as (?i) are not an atom, so a repetition after them has nothing to repeat.
  if (atom === undefined) return EMPTY
  return readRepetition(state, atom, from)
}

function readRepetition(state: ParserState, item: Node, from: number): Node {
  const { reader, flags } = state
  const at = reader.place
  const counts = readCounts(reader)
  if (counts === undefined) return item
  const lazy = reader.accept('?')
  const second = reader.at
  if (reader.sees('+')) {
    throw unexpectedText(
      'a repetition without a + after it',
      `the possessive ${reader.between(at - 1, second + 1)}`,
      at,
      'leave the + out: no pattern backtracks here',
    )
  }
  if (readCounts(reader) !== undefined) {
    throw unexpectedText(
      'one repetition after another in a group',
      reader.between(at - 1, reader.at),
      at,
      `write (?:${reader.between(from, second)})${reader.since(second)} instead`,
    )
  }
  return { kind: 'repeat', item, ...counts, greedy: lazy === flags.lazy, at }
}

/** Returns undefined if only flags were set. */
function readAtom(state: ParserState): Node | undefined {
  const { reader, flags } = state
  const place = reader.place
  if (readCounts(reader) !== undefined) {
    throw unexpectedText(
      'something to repeat',
      `${reader.since(place - 1)} with nothing before it`,
      place,
      `write \\${reader.source[place - 1]} for the character itself`,
    )
  }
  switch (reader.peek()) {
    case '(':
      return readGroup(state)
    case '[':
      return { kind: 'set', set: readClass(reader, flags.fold, readEscape) }
    case '\\':
      return readEscaped(state)
    case '.':
      reader.next()
      return { kind: 'set', set: flags.all ? ALL_CHARACTERS : negateRanges(NEWLINES) }
    case '^':
      reader.next()
      return { kind: 'assertion', what: flags.lines ? 'lineStart' : 'textStart' }
    case '$':
      reader.next()
      return { kind: 'assertion', what: flags.lines ? 'lineEnd' : 'textEnd' }
    default:
      return character(reader.next(), flags)
  }
}

function character(text: string, { fold }: Flags): Node {
  const codePoint = text.codePointAt(0) ?? 0
  return { kind: 'set', set: fold ? foldCase([codePoint, codePoint]) : [codePoint, codePoint] }
}

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map(
  Object.entries({ A: 'textStart', z: 'textEnd', b: 'word', B: 'notWord' }),
)

function readEscaped({ reader, flags }: ParserState): Node {
  const what = ASSERTIONS.get(reader.peek(1))
  if (what !== undefined) {
    reader.at += 2
    return { kind: 'assertion', what }
  }
  const set = readEscapedClass(reader, flags.fold)
  return set !== undefined ? { kind: 'set', set } : character(String.fromCodePoint(readEscape(reader)), flags)
}

function readGroup(state: ParserState): Node | undefined {
  const { reader } = state
  const place = reader.place
  const outer = state.flags
  const prefix = readGroupPrefix(reader, outer, state.names)
  if (prefix.kind === 'flags') {
    state.flags = prefix.flags
    return undefined
  }
  const index = prefix.kind === 'capture' ? ++state.groups : 0
  if (prefix.kind === 'plain') state.flags = prefix.flags
  const item = readChoice(state)
  state.flags = outer
  if (!reader.accept(')')) {
    throw unexpectedText('a ) for each (', 'a ( that is never closed', place, 'close it, or write \\(')
  }
  if (prefix.kind === 'capture') return { kind: 'group', index, item }
  if (prefix.kind === 'plain') return item
  const lookaround: Lookaround = { kind: 'look', behind: prefix.behind, negative: prefix.negative, item }
  if (state.lookarounds.length === PATTERN_LOOKAROUNDS) throw tooManyLookarounds(place)
  if (lookaround.behind) checkWidth(reader, item, place)
  state.lookarounds.push(lookaround)
  return lookaround
}

/** The alternatives of a lookbehind may differ in width, but each must have a fixed width. */
function checkWidth(reader: Reader, item: Node, place: number): void {
  const alternatives = item.kind === 'choice' ? item.items : [item]
  if (alternatives.every((alternative) => widthOf(alternative) !== undefined)) return
  throw unexpectedText(
    'a lookbehind of fixed width',
    reader.since(place - 1),
    place,
    'give its repetitions one count, such as {2}, or match the text before it as part of the pattern',
  )
}
