/** Renders formulas as MathML with Temml. Browsers display it without scripts or fonts of ours. */
import temml from 'temml'
import { type Html, html, trusted } from '../html.ts'

/** Maximum length of a rendered formula. Longer ones are shown as source. */
const FORMULA_LENGTH = 4_000
/** Maximum number of macro expansions, since macros can be recursive. */
const MAX_EXPAND = 500

/**
 * @param tex  LaTeX
 * @param isBlock  true for a formula on its own line
 */
export function formulaHtml(tex: string, isBlock: boolean): Html {
  const written = isBlock ? html`<pre><code>${tex}</code></pre>` : html`<code>${tex}</code>`
  if (tex.length > FORMULA_LENGTH) return written
  try {
    const options = { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: MAX_EXPAND, annotate: false }
    return trusted(withoutStyles(temml.renderToString(tex, options)))
  } catch {
    // Formulas that Temml cannot parse are shown as source.
    return written
  }
}

/** Removes style attributes, which the pages' policy forbids. In text, quotation marks are escaped. */
const withoutStyles = (mathml: string): string => mathml.replace(/ style="[^"]*"/g, '')
