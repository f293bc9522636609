/** Resolves classes: what style sheets say of a class becomes part of the style attribute of its elements. */
import { attributeOf, type HtmlElement, isElement } from './html-tree.ts'

/** Properties that decide how a text is written, or whether it is. */
const READ =
  /^(?:font-weight|font-style|text-decoration(?:-line)?|vertical-align|display|visibility|mso-hide|white-space|list-style-type|user-select)$/
/** Characters of style sheets that are read, and rules. Programs that copy text write far fewer. */
const CSS_LENGTH = 500_000
const MOST_RULES = 5_000
/** Rules for paper alone, which often hide what a screen shows. */
const PRINTED = /@media\s+(?:only\s+)?print\b[^{},;@]{0,100}\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gi

/** @param css  the text of all style sheets of the page */
export function applyClassStyles(root: HtmlElement, css: string): void {
  const rules = classRules(css.slice(0, CSS_LENGTH))
  if (rules.size === 0) return
  const waiting = [root]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const classes = attributeOf(element, 'class')
    if (classes !== '') {
      const { name } = element
      const declared = classes.split(/\s+/).flatMap((one) => [`.${one}`, `${name}.${one}`])
      const styles = declared.flatMap((selector) => [...(rules.get(selector)?.values() ?? [])])
      // The element's own style comes last, and so wins.
      const style = [...styles, attributeOf(element, 'style')].join(';')
      if (styles.length > 0) element.attributes = new Map([...element.attributes, ['style', style]])
    }
    for (const child of element.children) if (isElement(child)) waiting.push(child)
  }
}

/** The last declaration of each property by selector: `.name` or `tag.name`. Other selectors are not read. */
function classRules(css: string): Map<string, Map<string, string>> {
  const rules = new Map<string, Map<string, string>>()
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ')
  for (const rule of plain.replace(PRINTED, ' ').split('}')) {
    // A rule in another one, such as `@media`, counts as well.
    const [body = '', selectors = ''] = rule.split('{').toReversed()
    const declared = body.split(';').flatMap((one): [string, string][] => {
      const property = one
        .slice(0, Math.max(0, one.indexOf(':')))
        .trim()
        .toLowerCase()
      return READ.test(property) ? [[property, one]] : []
    })
    if (declared.length === 0) continue
    for (const selector of selectors.split(',')) {
      const name = selector.trim()
      if (!/^[a-z\d]*\.[\w-]+$/i.test(name) || rules.size >= MOST_RULES) continue
      const known = rules.get(name) ?? new Map<string, string>()
      for (const [property, one] of declared) known.set(property, one)
      rules.set(name, known)
    }
  }
  return rules
}
