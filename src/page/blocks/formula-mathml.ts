/** Renders one formula with Temml, within limits that do not depend on what its macros do. */
import temml from 'temml'
import { FORMULA_EXPANSIONS, FORMULA_LENGTH, FORMULA_OUTPUT_LENGTH, FORMULA_TOKENS } from '../../base/limits.ts'

/**
 * A part of Temml's macro expander. A macro that is a function receives it, and replaces its methods with ones that
 * count: a limit on the number of expansions alone allows macros that double their argument each time.
 */
interface MacroExpander {
  pushTokens(tokens: readonly unknown[]): void
  consumeArgs(count: number, delimiters?: unknown): unknown[][]
  _getExpansion(name: string): { tokens: readonly { text: string }[] } | null | undefined
}

/** A command that no formula contains, since Temml reads only letters and `@` as names. It expands to nothing. */
const COUNT_TOKENS = '\\@count@tokens@'

/** The start of the source in the MathML. */
const ANNOTATION = '<annotation encoding="application/x-tex">'

/** What rendering formulas took: characters and tokens read, and characters of MathML. */
export interface RenderingCost {
  tokens: number
  length: number
}

/**
 * @param left  what all formulas of the page may still take; reduced by what this one takes
 * @returns undefined for a formula that Temml cannot parse, or that exceeds a limit
 */
export function formulaMathml(tex: string, isBlock: boolean, left: RenderingCost): string | undefined {
  if (tex.length > Math.min(FORMULA_LENGTH, left.tokens)) return undefined
  left.tokens -= tex.length
  const counter = new TokenCounter(Math.min(FORMULA_TOKENS, left.tokens))
  try {
    const rendered = withoutStyles(
      temml.renderToString(`${COUNT_TOKENS} ${tex}`, {
        displayMode: isBlock,
        throwOnError: true,
        trust: false,
        maxExpand: FORMULA_EXPANSIONS + 1,
        // What copies the formula gets its source.
        annotate: true,
        macros: { [COUNT_TOKENS]: counter.attach as never },
      }),
    )
    const mathml = rendered.replace(`${ANNOTATION}${COUNT_TOKENS} `, ANNOTATION)
    if (mathml.length > Math.min(FORMULA_OUTPUT_LENGTH, left.length)) return undefined
    left.length -= mathml.length
    return mathml
  } catch {
    return undefined
  } finally {
    left.tokens -= counter.counted
  }
}

/** Removes style attributes, which the pages' policy forbids. In text, quotation marks are escaped. */
const withoutStyles = (mathml: string): string => mathml.replace(/ style="[^"]*"/g, '')

/** Counts the tokens that macros and arguments put back into the input, and ends the rendering beyond a limit. */
class TokenCounter {
  counted = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A macro of Temml: replaces the methods of the expander, and expands to nothing. */
  readonly attach = (expander: MacroExpander): string => {
    const { pushTokens, consumeArgs, _getExpansion: getExpansion } = expander
    /** How often the macro that is being expanded names an argument. */
    let uses = 0
    expander.pushTokens = (tokens) => {
      this.#count(tokens.length)
      pushTokens.call(expander, tokens)
    }
    expander._getExpansion = (name) => {
      const expansion = getExpansion.call(expander, name)
      uses = expansion?.tokens?.filter(({ text }) => text === '#').length ?? 0
      return expansion
    }
    expander.consumeArgs = (count, delimiters) => {
      const args = consumeArgs.call(expander, count, delimiters)
      // Inserting them is work, too.
      this.#count(uses * Math.max(0, ...args.map(({ length }) => length)))
      return args
    }
    return ''
  }

  #count(tokens: number): void {
    this.counted += tokens
    if (this.counted > this.#limit) throw new Error(`Expected at most ${this.#limit} tokens, found more.`)
  }
}
