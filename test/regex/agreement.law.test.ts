/** Matches compared with three other engines, each for patterns that have the same meaning there. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { Engine } from '../../src/regex/engine.ts'
import { compilePattern, type Pattern, type Span } from '../../src/regex/pattern.ts'
import { parsePattern } from '../../src/regex/pattern-parser.ts'
import { runs } from '../support/runs.ts'
import { halvedTexts, patterns, texts, type Written } from './generated.ts'
import { ownEngine } from './own.ts'

/** The number of patterns for each property. */
const RUNS = runs(50, 1_000)
const some = fc.array(texts, { minLength: 4, maxLength: 4 })

/** Returns undefined for the few generated patterns that exceed the limits on lookarounds or repetitions. */
function compiled({ re2 }: Written, caseSensitive: boolean): Pattern | undefined {
  try {
    return compilePattern(re2, { caseSensitive })
  } catch (error) {
    expect((error as Error).message).toMatch(/at most (8|1,000)/)
    return undefined
  }
}

const isInside = (text: string, place: number) => place > 0 && (text.codePointAt(place - 1) ?? 0) > 0xffff

describe("JavaScript's own engine agrees", () => {
  const anyPatterns = patterns({ lookarounds: true, emptyRepetitions: false })

  test('on all matches, including lookarounds', () => {
    fc.assert(fc.property(anyPatterns, some, fc.boolean(), agree), { numRuns: RUNS })
  })

  test('in texts with lone surrogates, too', () => {
    const halved = fc.array(halvedTexts, { minLength: 4, maxLength: 4 })
    fc.assert(fc.property(anyPatterns, halved, fc.constant(true), agree), { numRuns: RUNS / 5 })
  })

  function agree(written: Written, texts: readonly string[], cased: boolean): void {
    const pattern = compiled(written, cased)
    const own = pattern && ownEngine(written.re2, cased)
    const expression = new RegExp(written.javascript, cased ? 'gu' : 'giu')
    for (const text of texts) {
      const matches = [...text.matchAll(expression)].map(({ index, 0: { length } }) => ({
        from: index,
        to: index + length,
      }))
      // V8 finds empty matches between the halves of a surrogate pair.
      if (matches.some(({ from, to }) => isInside(text, from) || isInside(text, to))) continue
      expect(pattern?.spans(text) ?? matches).toEqual(matches)
      expect(own?.spans(text, Infinity) ?? matches).toEqual(matches)
      expect(own?.test(text) ?? matches.length > 0).toBe(matches.length > 0)
      expect(pattern?.test(text) ?? matches.length > 0).toBe(matches.length > 0)
    }
  }
})

describe('an engine that clears its cache', () => {
  test('finds the same as one that does not', () => {
    const rooms = [
      { moves: 0, states: 3, steps: 1_000, unkept: 2 },
      { moves: 200, states: 5, steps: 8, unkept: 0 },
      { moves: 0, states: 3, steps: 0, unkept: 1_000 },
    ]
    const any = fc.constantFrom(...rooms)
    fc.assert(
      fc.property(patterns({ lookarounds: true, emptyRepetitions: true }), some, any, (written, texts, room) => {
        if (compiled(written, true) === undefined) return
        const own = ownEngine(written.re2, true)
        const forgetful = new Engine(parsePattern(written.re2, { caseSensitive: true }), room)
        for (const text of texts) {
          expect(forgetful.spans(text, Infinity)).toEqual(own.spans(text, Infinity))
          expect(forgetful.test(text)).toBe(own.test(text))
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the engine and re2js agree', () => {
  test('on all matches and the groups of the first', () => {
    fc.assert(
      fc.property(
        patterns({ lookarounds: false, emptyRepetitions: true }),
        some,
        fc.boolean(),
        (written, texts, cased) => {
          const pattern = compiled(written, cased)
          if (pattern === undefined) return
          const own = ownEngine(written.re2, cased)
          const expression = RE2JS.compile(written.re2, cased ? 0 : RE2JS.CASE_INSENSITIVE)
          for (const text of texts) {
            const matcher = expression.matcher(text)
            const spans: Span[] = []
            while (matcher.find()) spans.push({ from: matcher.start(), to: matcher.end() })
            expect(own.test(text)).toBe(expression.test(text))
            expect(own.spans(text, Infinity)).toEqual(spans)
            expect(own.groups(text) && [...(own.groups(text) ?? [])]).toEqual(firstGroups(expression, text))
            expect(pattern.spans(text)).toEqual(spans)
          }
        },
      ),
      { numRuns: RUNS },
    )
  })
})

function firstGroups(expression: RE2JS, text: string): number[] | undefined {
  const matcher = expression.matcher(text)
  if (!matcher.find()) return undefined
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => group)
  return groups.flatMap((group) => [matcher.start(group), matcher.end(group)])
}

describe("Google's RE2 agrees", () => {
  // Its WebAssembly build caches everything that it compiles, and fails once its 16 MB are full. So it is loaded again
  // regularly.
  const PATTERNS = RUNS / 5
  const PATTERNS_PER_BUILD = 50
  const require = createRequire(import.meta.url)
  let made = 0
  function compileRe2(source: string, flags: string): { exec(text: string): readonly (string | undefined)[] | null } {
    if (made++ % PATTERNS_PER_BUILD === 0) {
      for (const file of Object.keys(require.cache)) if (file.includes('re2-wasm')) delete require.cache[file]
    }
    const { RE2 } = require('re2-wasm') as typeof import('re2-wasm')
    return new RE2(source, flags)
  }

  test('on whether there is a match, and on the text of its groups', () => {
    fc.assert(
      fc.property(
        patterns({ lookarounds: false, emptyRepetitions: false }),
        some,
        fc.boolean(),
        (written, texts, cased) => {
          const pattern = compiled(written, cased)
          if (pattern === undefined) return
          const own = ownEngine(written.re2, cased)
          const expression = compileRe2(written.re2, cased ? 'u' : 'iu')
          for (const text of texts) {
            // RE2 reads bytes, and \B matches inside of a character beyond ASCII.
            if (written.re2.includes('\\B') && /[^\0-\x7f]/.test(text)) continue
            const groups = pattern.exec(text)?.map((group) => group && text.slice(group.from, group.to))
            expect(groups).toEqual(expression.exec(text)?.slice())
            expect([pattern.test(text), own.test(text)]).toEqual([groups !== undefined, groups !== undefined])
            const [first] = own.spans(text, 1)
            expect(first && text.slice(first.from, first.to)).toBe(groups?.[0])
          }
        },
      ),
      { numRuns: PATTERNS, endOnFailure: true },
    )
  })
})
