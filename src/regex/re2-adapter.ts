/**
 * Patterns without lookarounds, on re2js: a port of RE2 that others keep. What it cannot have or cannot do in a bounded
 * time is left to the engine of this folder, which means the same by every pattern:
 *
 * - Names of Unicode that it does not know: the long `\p{Letter}`, the short `\p{Grek}`.
 * - `\pL{900}\pL{900}…`: it goes through all bounds of a class for each of its repetitions; and `(?i)[!-😀][!-🙏]…`:
 *   through all characters of a range for their cases. That is up to a second before it reads the text.
 * - `a(.*b)?` in a long text of a's: for each match it reads to the end to see whether there is a b, and cannot say how
 *   far it read. The engine can, and gives up in time.
 *
 * Its tables are of Unicode 17, the engine's of the Unicode that Node has: under an older Node, patterns with and
 * without lookarounds may differ over the letters that came last.
 */
import { RE2JS, RE2JSException } from 're2js'
import { Engine, type Matcher, type Span } from './engine.ts'
import type { ParsedPattern } from './pattern-parser.ts'
import type { Node } from './pattern-tree.ts'

/** Bounds of classes, repetitions written out: 20 ms of its time at worst. */
const MAX_CLASS_BOUNDS = 200_000
/** Ranges beyond ASCII where case does not matter: 3 ms each at worst. */
const MAX_FOLDED_RANGES = 5
/** Characters times steps that it may read for the matches of a text, each sought to the end: 15 ms at worst. */
const MAX_READ = 1_000_000

/** Where such a range may end. */
const RANGE_ENDS = /-(?:\P{ASCII}|\\x\{)/gu

export interface Re2Options {
  source: string
  caseSensitive: boolean
  parsed: ParsedPattern
  /** What the work for a text is proportional to at worst, times the characters of the text. */
  steps: number
}

/** @returns undefined where the pattern is not for re2js */
export function createRe2Matcher({ source, caseSensitive, parsed, steps }: Re2Options): Matcher | undefined {
  if (parsed.lookarounds.length > 0 || countClassBounds(parsed.tree) > MAX_CLASS_BOUNDS) return undefined
  if ((!caseSensitive || /\(\?\w*i/.test(source)) && (source.match(RANGE_ENDS)?.length ?? 0) > MAX_FOLDED_RANGES)
    return undefined
  const expression = compileRe2(source, caseSensitive)
  if (expression === undefined) return undefined
  let fallback: Engine | undefined
  const getFallback = (): Engine => {
    fallback ??= new Engine(parsed)
    return fallback
  }
  return {
    test: (text) => expression.test(text),
    // To find a place takes it ten times as long as to tell that there is one.
    spans: (text, most) =>
      most < 1 || !expression.test(text)
        ? []
        : (findSpans(expression, text, most, steps) ?? getFallback().spans(text, most)),
    groups(text) {
      if (!expression.test(text)) return undefined
      return text.length * steps > MAX_READ ? getFallback().groups(text) : findGroups(expression, text)
    },
  }
}

function compileRe2(source: string, caseSensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (error instanceof RE2JSException) return undefined
    throw error
  }
}

/** Undefined where more might be read for them than is allowed. */
function findSpans(expression: RE2JS, text: string, most: number, steps: number): Span[] | undefined {
  const matcher = expression.matcher(text)
  const spans: Span[] = []
  let read = 0
  for (let from = 0; spans.length < most; ) {
    read += (text.length - from) * steps
    if (read > MAX_READ) return undefined
    if (!matcher.find()) break
    from = matcher.end()
    spans.push({ from: matcher.start(), to: from })
  }
  return spans
}

function findGroups(expression: RE2JS, text: string): number[] | undefined {
  const matcher = expression.matcher(text)
  if (!matcher.find()) return undefined
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => group)
  return groups.flatMap((group) => [matcher.start(group), matcher.end(group)])
}

/** Bounds of the node's classes, as often as repetitions write them. */
function countClassBounds(node: Node): number {
  switch (node.kind) {
    case 'set':
      return node.set.length
    case 'sequence':
    case 'choice':
      return node.items.reduce((sum, item) => sum + countClassBounds(item), 0)
    case 'repeat':
      return countClassBounds(node.item) * Math.max(1, node.max === Infinity ? node.min : node.max)
    case 'assertion':
      return 0
    default:
      return countClassBounds(node.item)
  }
}
