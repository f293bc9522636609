/**
 * Regular expressions as RE2 writes and means them, with lookaheads and lookbehinds of fixed width, in linear time.
 */
import { RE2JS } from 're2js'
import { Engine } from './engine.ts'
import { type Parsed, parsePattern } from './parser.ts'
import { compileTree } from './program.ts'

export interface PatternFlags {
  caseSensitive: boolean
}

/** UTF-16 offsets: as JavaScript's strings count. */
export interface Span {
  from: number
  to: number
}

export interface Pattern {
  readonly source: string
  readonly flags: PatternFlags
  /** Steps that a text may keep busy at once: the work for a text is its length times this, at worst. */
  readonly steps: number
  /** Whether it matches anywhere. */
  test(text: string): boolean
  /** Matches from left to right, not overlapping, at most `most`; empty matches advance by one character. */
  spans(text: string, most?: number): Span[]
  /** Groups of the first match: [whole, group 1, …], undefined where a group took no part. */
  exec(text: string): (Span | undefined)[] | undefined
}

/**
 * Reads and compiles a pattern.
 *
 * @throws INVALID_REGEX_ERROR that names the place, counted in characters from 1
 */
export function compilePattern(source: string, flags: PatternFlags): Pattern {
  const parsed = parsePattern(source, flags)
  const steps = countSteps(parsed)
  let made: Engine | undefined
  const engine = (): Engine => (made ??= new Engine(parsed))
  let tester: ((text: string) => boolean) | undefined
  const test = (text: string): boolean => {
    tester ??= (parsed.looks.length === 0 ? plainTester(source, flags) : undefined) ?? ((text) => engine().test(text))
    return tester(text)
  }
  return {
    source,
    flags: { caseSensitive: flags.caseSensitive },
    steps,
    test,
    spans(text, most = Infinity) {
      const spans: Span[] = []
      if (most < 1 || !test(text)) return spans
      for (const span of engine().matches(text)) if (spans.push(span) >= most) break
      return spans
    },
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
function countSteps({ tree, looks }: Parsed): number {
  const backward = false
  return [tree, ...looks.map(({ item }) => item)]
    .map((item) => compileTree(item, looks, undefined, { backward }).length)
    .reduce((sum, length) => sum + length)
}

/** re2js is faster where there are no lookarounds; undefined for the few patterns it does not take. */
function plainTester(source: string, { caseSensitive }: PatternFlags): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    return (text) => compiled.test(text)
  } catch {
    return undefined
  }
}
