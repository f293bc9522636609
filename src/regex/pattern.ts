/**
 * Regular expressions with the syntax and semantics of RE2, plus lookaheads and lookbehinds of fixed width, in linear
 * time.
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
  /** Work per character at worst: the time for a text is proportional to this number times its characters. */
  readonly steps: number
  /** ASCII letters, in lower case, that occur one after another in every match, in any case; undefined if unknown. */
  readonly requiredLetters: string | undefined
  /** Whether it matches anywhere. */
  test(text: string): boolean
  /**
   * At most `most` matches from left to right, not overlapping. An empty match advances by one character.
   *
   * @throws PatternError if each of many matches is found only by reading far beyond it
   */
  spans(text: string, most?: number): Span[]
  /** Groups of the first match: [whole, group 1, …], undefined for a group that took no part. */
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

/** Steps of all programs of the pattern. Also checks them against the limit. */
function countSteps({ tree, lookarounds }: ParsedPattern): number {
  const backward = false
  return [tree, ...lookarounds.map(({ item }) => item)]
    .map((item) => compileTree(item, lookarounds, undefined, { backward }).length)
    .reduce((sum, length) => sum + length)
}
