/**
 * Regular expressions as RE2 writes and means them, with lookaheads and lookbehinds of fixed width, in linear time.
 */
import { Engine, type Span } from './engine.ts'
import { type ParsedPattern, parsePattern } from './pattern-parser.ts'
import { compileTree } from './program.ts'
import { requiredLetters } from './required-literal.ts'

export interface PatternFlags {
  caseSensitive: boolean
}

export type { Span }

export interface Pattern {
  readonly source: string
  readonly flags: PatternFlags
  /** What the work for a text is proportional to at worst, times the characters of the text. */
  readonly steps: number
  /** Letters of ASCII, in lower case, that stand one after another in every match, in any case; undefined if unknown. */
  readonly requiredLetters: string | undefined
  /** Whether it matches anywhere. */
  test(text: string): boolean
  /**
   * Matches from left to right, not overlapping, at most `most`; empty matches advance by one character.
   *
   * @throws PatternError where each of many matches is found only by reading far beyond it
   */
  spans(text: string, most?: number): Span[]
  /** Groups of the first match: [whole, group 1, …], undefined where a group took no part. */
  exec(text: string): (Span | undefined)[] | undefined
}

/**
 * Parses and checks a pattern. Its engine is created at the first match.
 *
 * @throws PatternError that names the place, counted in characters from 1
 */
export function compilePattern(source: string, flags: PatternFlags): Pattern {
  const parsed = parsePattern(source, flags)
  const steps = countSteps(parsed)
  let compiled: Engine | undefined
  const engine = (): Engine => {
    compiled ??= new Engine(parsed)
    return compiled
  }
  return {
    source,
    flags: { caseSensitive: flags.caseSensitive },
    steps,
    requiredLetters: requiredLetters(parsed.tree),
    test: (text) => engine().test(text),
    spans: (text, most = Infinity) => engine().spans(text, most),
    exec(text) {
      const places = engine().groups(text)
      if (places === undefined) return undefined
      return Array.from({ length: places.length / 2 }, (_, group) => {
        const from = places[group * 2] ?? -1
        const to = places[group * 2 + 1] ?? -1
        return from < 0 || to < 0 ? undefined : { from, to }
      })
    },
  }
}

/** Steps of all programs of the pattern, which are checked against the limit by the way. */
function countSteps({ tree, lookarounds: looks }: ParsedPattern): number {
  const backward = false
  return [tree, ...looks.map(({ item }) => item)]
    .map((item) => compileTree(item, looks, undefined, { backward }).length)
    .reduce((sum, length) => sum + length)
}
