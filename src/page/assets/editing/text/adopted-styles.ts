/**
 * CodeMirror's styles as adopted style sheets. CodeMirror would add a style element, which the pages' Content Security
 * Policy forbids. They are in a cascade layer, so that all rules of the pages take precedence.
 */
import { StyleModule } from 'style-mod'

const adopted = new Set<StyleModule>()

StyleModule.mount = (root, modules) => {
  for (const module of [modules].flat()) {
    if (adopted.has(module)) continue
    adopted.add(module)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@layer codemirror {${module.getRules()}}`)
    root.adoptedStyleSheets.push(sheet)
  }
}
