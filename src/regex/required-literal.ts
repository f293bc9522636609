/** Characters that stand in every match of a pattern: a text without them is passed over at the speed of a search. */

import type { Node } from './pattern-tree.ts'
import { codePointsIn, type Ranges, rangesSize } from './ranges.ts'

/** Characters that one place may have: a letter and its other cases. */
const MAX_CASES = 4
/** Places that are looked for at most. */
const MAX_LITERAL_LENGTH = 16
/** Stretches that are looked for. */
const MAX_LITERALS = 3

/** Tells whether a text has what every match has; undefined where nothing is known of all matches. */
export function requiredTextTest(tree: Node): ((text: string) => boolean) | undefined {
  const runs: Ranges[][] = [[]]
  collectRuns(tree, runs)
  // Those with characters of one case first: they are the fastest to find.
  const tests = runs
    .filter((run) => run.length > 0)
    .map((run) => run.slice(0, MAX_LITERAL_LENGTH))
    .toSorted((one, other) => Number(other.every(isSingle)) - Number(one.every(isSingle)) || other.length - one.length)
    .slice(0, MAX_LITERALS)
    .map(createRunTest)
  return tests.length > 0 ? (text) => tests.every((has) => has(text)) : undefined
}

/** Letters that are looked for at least: one alone is nearly everywhere. */
const MIN_LETTERS = 2
/** Letters beyond ASCII whose other case is one of ASCII. */
const OTHER_CASES: ReadonlySet<string> = new Set(['\u017f', '\u212a'])

/**
 * The longest stretch of letters of ASCII that every match has, in lower case; the match may have them in any case, and
 * a long s or the sign for kelvin in the place of s or k.
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

/** The letter of ASCII that all characters of a set are a case of. */
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
  // One class after another and nothing repeated: JavaScript's own engine has nothing to go back to.
  const classes = run.map((set) => `[${[...codePointsIn(set)].map((code) => `\\u{${code.toString(16)}}`).join('')}]`)
  const expression = new RegExp(classes.join(''), 'u')
  return (text) => expression.test(text)
}

/** Adds stretches of characters that follow each other in every match. The last of them goes on. */
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
      // What is repeated stands there once at least, but beside what is not known.
      if (node.min > 0) collectRuns(node.item, runs)
      runs.push([])
      return
    case 'assertion':
      return
    case 'look':
      if (!node.negative) collectSequenceRuns(node.item, runs)
  }
}

/** What a lookaround needs stands in the text too, though not in the match: the last stretch goes on behind it. */
function collectSequenceRuns(node: Node, runs: Ranges[][]): void {
  const inner: Ranges[][] = [[]]
  collectRuns(node, inner)
  runs.unshift(...inner)
}

/** Half a character: a search for it would find it in whole ones. */
const isSurrogate = (set: Ranges): boolean => [...codePointsIn(set)].some((code) => code >= 0xd800 && code <= 0xdfff)
