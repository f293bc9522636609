/**
 * Runs of `*`, `_`, `~~` and `==`, and which of them open and close a mark together. `~~struck~~` and
 * `==highlighted==` are runs of exactly two.
 */

import { BOLD, ITALIC, STRIKE } from './inline-node.ts'
import type { InlineToken } from './inline-token.ts'

/** What decides whether a run can match another. */
interface RunEnds {
  /** One character of it. */
  sign: string
  length: number
  opens: boolean
  closes: boolean
}

export interface DelimiterRun extends RunEnds {
  /** The number of its characters that have no partner so far. */
  rest: number
  /** The tokens that it stands for, in the order of their distance from what is inside of the mark. */
  closing: InlineToken[]
  opening: InlineToken[]
}

/** True for the signs of which only a run of two is a delimiter. */
export const isPairSign = (sign: string): boolean => sign === '~' || sign === '='

/**
 * The rule of three: a run that can both open and close does not match another if their lengths add up to a multiple of
 * three, unless both are multiples of three.
 */
export function mayMatch(opener: Omit<RunEnds, 'opens'>, closer: Omit<RunEnds, 'closes'>): boolean {
  if (opener.sign !== closer.sign) return false
  if (isPairSign(opener.sign) || !(opener.closes || closer.opens)) return true
  return (opener.length + closer.length) % 3 !== 0 || opener.length % 3 === 0
}

/**
 * Finds what the runs of one container open and close. Each closes the nearest one that matches, and those between the
 * two are text. Linear: openers that no run of a kind matches are not tried again by others of that kind.
 */
export function matchRuns(runs: readonly DelimiterRun[]): void {
  const openers: { index: number; run: DelimiterRun }[] = []
  /** For each kind of closing run, the index before which no opener matches it. */
  const tried = new Map<string, number>()

  const nearest = (closer: DelimiterRun, index: number): DelimiterRun | undefined => {
    const kind = `${closer.sign}${closer.opens}${closer.length % 3}`
    const from = tried.get(kind) ?? 0
    for (let at = openers.length - 1; at >= 0; at--) {
      const opener = openers[at]
      if (opener === undefined || opener.index < from) break
      if (!mayMatch(opener.run, closer)) continue
      openers.length = at + 1
      return opener.run
    }
    tried.set(kind, index)
    return undefined
  }

  for (const [index, run] of runs.entries()) {
    while (run.closes && run.rest > 0) {
      const opener = nearest(run, index)
      if (opener === undefined) break
      pair(opener, run)
      if (opener.rest === 0) openers.pop()
    }
    if (run.opens && run.rest > 0) openers.push({ index, run })
  }
}

function pair(opener: DelimiterRun, closer: DelimiterRun): void {
  const length = Math.min(2, opener.rest, closer.rest)
  opener.rest -= length
  closer.rest -= length
  if (opener.sign === '=') {
    opener.opening.push({ type: 'highlight_open', color: 'yellow', isPair: true })
    closer.closing.push({ type: 'highlight_close' })
    return
  }
  const mark = opener.sign === '~' ? STRIKE : length === 2 ? BOLD : ITALIC
  opener.opening.push({ type: 'mark_open', mark })
  closer.closing.push({ type: 'mark_close', mark })
}

/** The characters without a partner stay text, between what the run closes and what it opens. */
export const tokensOf = ({ sign, rest, closing, opening }: DelimiterRun): InlineToken[] => [
  ...closing,
  ...(rest === 0 ? [] : [{ type: 'text', content: sign.repeat(rest) } as const]),
  ...opening.toReversed(),
]
