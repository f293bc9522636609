/** Formulas as MathML, by Temml: browsers draw it without scripts and fonts of ours. */
import temml from 'temml'
import { type Html, html, trusted } from '../html.ts'

/** Characters of a formula that is drawn; a longer one is shown as it was written. */
const FORMULA_LENGTH = 4_000
/** Macros that a formula may expand: what it defines itself could go on without end. */
const MAX_EXPAND = 500

/**
 * @param tex  LaTeX
 * @param isBlock  whether it stands by itself
 */
export function formulaHtml(tex: string, isBlock: boolean): Html {
  const written = isBlock ? html`<pre><code>${tex}</code></pre>` : html`<code>${tex}</code>`
  if (tex.length > FORMULA_LENGTH) return written
  try {
    const options = { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: MAX_EXPAND, annotate: false }
    return trusted(withoutStyles(temml.renderToString(tex, options)))
  } catch {
    // What Temml cannot read is shown as it was written.
    return written
  }
}

/** The policy of the pages allows no styles in attributes. In texts each quotation mark is escaped. */
const withoutStyles = (mathml: string): string => mathml.replace(/ style="[^"]*"/g, '')
