/** Resolves classes: what style sheets say of a class becomes part of the style attribute of its elements. */
import { addToGroup } from '../base/grouping.ts'
import { attributeOf, type HtmlElement, isElement } from './html-tree.ts'

/** Properties that decide how a text is written, or whether it is. */
const READ =
  /^(?:font-weight|font-style|text-decoration(?:-line)?|vertical-align|display|visibility|mso-hide|white-space)$/
/** Characters of style sheets that are read, and rules. Programs that copy text write far fewer. */
const CSS_LENGTH = 500_000
const MOST_RULES = 5_000

/** @param css  the text of all style sheets of the page */
export function applyClassStyles(root: HtmlElement, css: string): void {
  const rules = classRules(css.slice(0, CSS_LENGTH))
  if (rules.size === 0) return
  const waiting = [root]
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const classes = attributeOf(element, 'class')
    if (classes !== '') {
      const styles = classes
        .split(/\s+/)
        .flatMap((name) => [...(rules.get(`.${name}`) ?? []), ...(rules.get(`${element?.name}.${name}`) ?? [])])
      // The element's own style comes last, and so wins.
      const style = [...styles, attributeOf(element, 'style')].join(';')
      if (styles.length > 0) element.attributes = new Map([...element.attributes, ['style', style]])
    }
    for (const child of element.children) if (isElement(child)) waiting.push(child)
  }
}

/** The declarations by selector: `.name` or `tag.name`. Other selectors are not read. */
function classRules(css: string): Map<string, string[]> {
  const rules = new Map<string, string[]>()
  const plain = css.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, ' ')
  for (const [, selectors = '', body = ''] of plain.matchAll(/([^{}]*)\{([^{}]*)\}/g)) {
    const declared = body.split(';').filter((one) =>
      READ.test(
        one
          .slice(0, Math.max(0, one.indexOf(':')))
          .trim()
          .toLowerCase(),
      ),
    )
    if (declared.length === 0) continue
    for (const selector of selectors.split(',')) {
      const name = selector.trim()
      if (!/^[a-z\d]*\.[\w-]+$/i.test(name) || rules.size >= MOST_RULES) continue
      addToGroup(rules, name, ...declared)
    }
  }
  return rules
}
