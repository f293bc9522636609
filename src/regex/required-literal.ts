/** Finds text that every match of a pattern contains. A text without it is skipped at the speed of a plain search. */

import type { Node } from './pattern-tree.ts'
import { codePointsIn, type Ranges, rangesSize } from './ranges.ts'

/** Characters that one position may have: a letter and its other cases. */
const MAX_CASES = 4
/** Longest literal to search for. */
const MAX_LITERAL_LENGTH = 16
/** Number of literals to search for. */
const MAX_LITERALS = 3

/** Returns a test for text that every match contains; undefined if nothing is known. */
export function requiredTextTest(tree: Node): ((text: string) => boolean) | undefined {
  const runs: Ranges[][] = [[]]
  collectRuns(tree, runs)
  // Literals without case variants first: they are the fastest to find.
  const tests = runs
    .filter((run) => run.length > 0)
    .map((run) => run.slice(0, MAX_LITERAL_LENGTH))
    .toSorted((one, other) => Number(other.every(isSingle)) - Number(one.every(isSingle)) || other.length - one.length)
    .slice(0, MAX_LITERALS)
    .map(createRunTest)
  return tests.length > 0 ? (text) => tests.every((has) => has(text)) : undefined
}

/** Shortest useful literal: a single letter occurs nearly everywhere. */
const MIN_LETTERS = 2
/** Non-ASCII letters whose other case is an ASCII letter. */
const OTHER_CASES: ReadonlySet<string> = new Set(['\u017f', '\u212a'])

/**
 * The longest run of ASCII letters that every match contains, in lower case. A match may have them in any case, and a
 * long s or the Kelvin sign in place of s or k.
 */
export function requiredLetters(tree: Node): string | undefined {
  const runs: Ranges[][] = [[]]
  collectRuns(tree, runs)
  let longest = ''
  for (const run of runs) {
    let letters = ''
    for (const set of run) {
      letters = letterOf(set) === undefined ? '' : letters + letterOf(set)
      if (letters.length > longest.length) longest = letters
    }
  }
  return longest.length >= MIN_LETTERS ? longest : undefined
}

/** The ASCII letter of which all characters of a set are a case variant. */
function letterOf(set: Ranges): string | undefined {
  const lower = new Set<string>()
  for (const code of codePointsIn(set)) {
    const character = String.fromCodePoint(code)
    if (!OTHER_CASES.has(character)) lower.add(character.toLowerCase())
  }
  const [letter = ''] = lower
  return lower.size === 1 && /^[a-z]$/.test(letter) ? letter : undefined
}

const isSingle = (set: Ranges): boolean => rangesSize(set) === 1

function createRunTest(run: readonly Ranges[]): (text: string) => boolean {
  if (run.every(isSingle)) {
    const literal = run.map(([codePoint = 0]) => String.fromCodePoint(codePoint)).join('')
    return (text) => text.includes(literal)
  }
  // A sequence of classes without repetition: JavaScript's own engine cannot backtrack in it.
  const classes = run.map((set) => `[${[...codePointsIn(set)].map((code) => `\\u{${code.toString(16)}}`).join('')}]`)
  const expression = new RegExp(classes.join(''), 'u')
  return (text) => expression.test(text)
}

/** Adds runs of consecutive characters that every match contains. The last run stays open for more. */
function collectRuns(node: Node, runs: Ranges[][]): void {
  switch (node.kind) {
    case 'set':
      if (rangesSize(node.set) <= MAX_CASES && !isSurrogate(node.set)) runs.at(-1)?.push(node.set)
      else runs.push([])
      return
    case 'sequence':
      for (const item of node.items) collectRuns(item, runs)
      return
    case 'group':
      collectRuns(node.item, runs)
      return
    case 'choice':
      runs.push([])
      return
    case 'repeat':
      runs.push([])
      // A repeated item occurs at least once, but its neighbors are unknown.
      if (node.min > 0) collectRuns(node.item, runs)
      runs.push([])
      return
    case 'assertion':
      return
    case 'look':
      if (!node.negative) collectSequenceRuns(node.item, runs)
  }
}

/**
 * Text required by a lookaround is in the text too, though not in the match. Its runs are inserted first, so that the
 * last run stays open.
 */
function collectSequenceRuns(node: Node, runs: Ranges[][]): void {
  const inner: Ranges[][] = [[]]
  collectRuns(node, inner)
  runs.unshift(...inner)
}

/** A lone surrogate: a plain search would also find it inside whole characters. */
const isSurrogate = (set: Ranges): boolean => [...codePointsIn(set)].some((code) => code >= 0xd800 && code <= 0xdfff)
