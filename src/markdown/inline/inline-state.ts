/** Reads inline Markdown from left to right: the loop over the rules, and what they share. */

import { type DelimiterRun, matchRuns, tokensOf } from './delimiter-run.ts'
import type { Definitions, InlineToken } from './inline-token.ts'

/** Containers nested deeper than this are text, which bounds the stack. */
const MAX_NESTING = 100

/**
 * Reads what begins at `state.pos`, and moves it behind. In silent mode, a rule only moves.
 *
 * @returns false if nothing of its kind begins there
 */
export type InlineRule = (state: InlineState, silent: boolean) => boolean

export interface InlineGrammar {
  /** The rules for what begins with a character, in the order in which they are tried. */
  rules: ReadonlyMap<string, readonly InlineRule[]>
  /** Called at the end of a text. */
  atEnd: (state: InlineState) => void
}

/** Characters that begin nothing, up to one that has rules or is a closing bracket. */
const PLAIN = /[^\n!$&*<=[\\\]_`~]+/y

export class InlineState {
  readonly src: string
  readonly grammar: InlineGrammar
  readonly definitions: Definitions | undefined
  pos = 0
  /** The end of what is being read: that of the text, or of the label of a link. */
  end: number
  /** The number of containers around `pos`. */
  level = 0
  readonly #tokens: (InlineToken | DelimiterRun)[] = []
  /** The runs of delimiters in each open container, innermost last. Those of one container match only one another. */
  readonly #runs: DelimiterRun[][] = [[]]

  constructor(src: string, grammar: InlineGrammar, definitions: Definitions | undefined) {
    this.src = src
    this.grammar = grammar
    this.definitions = definitions
    this.end = src.length
  }

  tokenize(): InlineToken[] {
    this.readTo(this.src.length)
    this.grammar.atEnd(this)
    matchRuns(this.#runs[0] ?? [])
    return joinTexts(this.#tokens)
  }

  readTo(end: number): void {
    const around = this.end
    this.end = end
    while (this.pos < end) {
      const start = this.pos
      if (this.level >= MAX_NESTING) this.pos = end
      else if (this.#readPlain()) this.pos = Math.min(this.pos, end)
      else if (this.#apply(false)) continue
      else this.pos++
      this.addText(this.src.slice(start, this.pos))
    }
    this.end = around
  }

  /** Moves behind what begins at `pos`, or behind one character. */
  skip(): void {
    const start = this.pos
    if (!this.#readPlain() && !this.#apply(true)) this.pos = start + 1
  }

  add(token: InlineToken): void {
    this.#tokens.push(token)
  }

  addText(content: string): void {
    const last = this.#tokens.at(-1)
    if (last !== undefined && 'type' in last && last.type === 'text') last.content += content
    else this.#tokens.push({ type: 'text', content })
  }

  addRun(run: DelimiterRun): void {
    this.#tokens.push(run)
    this.#runs.at(-1)?.push(run)
  }

  open(token: InlineToken): void {
    this.add(token)
    this.#runs.push([])
    this.level++
  }

  close(token: InlineToken): void {
    this.add(token)
    matchRuns(this.#runs.pop() ?? [])
    this.level--
  }

  /** True if the text that was read last ends with two spaces, which make the end of a line a hard break. */
  get endsWithSpaces(): boolean {
    const last = this.#tokens.at(-1)
    return last !== undefined && 'type' in last && last.type === 'text' && last.content.endsWith('  ')
  }

  #readPlain(): boolean {
    PLAIN.lastIndex = this.pos
    if (!PLAIN.test(this.src)) return false
    this.pos = PLAIN.lastIndex
    return true
  }

  #apply(silent: boolean): boolean {
    const rules = this.grammar.rules.get(this.src.charAt(this.pos))
    return rules?.some((rule) => rule(this, silent)) === true
  }
}

/** Puts the tokens of the runs in their places, and joins adjacent texts. */
function joinTexts(parts: readonly (InlineToken | DelimiterRun)[]): InlineToken[] {
  const joined: InlineToken[] = []
  for (const part of parts) {
    for (const token of 'type' in part ? [part] : tokensOf(part)) {
      const last = joined.at(-1)
      if (token.type === 'text' && last?.type === 'text') last.content += token.content
      else joined.push(token)
    }
  }
  return joined
}
