/**
 * The rules of CodeMirror, as style sheets that the document adopts. It would add them as an element, which the policy of
 * the pages refuses. They stand in a layer, so that each rule of the pages comes before them.
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
