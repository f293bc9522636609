/** Shows tags in texts, such as `#project`, as links to their lists. The text itself has no mark for them. */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { type TagPlace, tagsInPlainText } from '../../../markdown/tags.ts'
import type { PageLinks } from '../../page-links.ts'
import { schema } from '../model/editor-schema.ts'
import { isCodeNode } from '../model/page-block.ts'

export const TAG_CLASS = 'hashtag'

/** @param links  where tags lead */
export function tagLinks(links: PageLinks): Plugin {
  // Nodes of the document never change, so only edited texts are read again.
  const known = new WeakMap<Node, readonly TagPlace[]>()
  const placesIn = (node: Node): readonly TagPlace[] => {
    const places = known.get(node) ?? tagsInNode(node)
    known.set(node, places)
    return places
  }
  const decorate = (doc: Node): DecorationSet => {
    const all: Decoration[] = []
    doc.descendants((node, position) => {
      if (isCodeNode(node)) return false
      if (!node.isTextblock) return true
      for (const { name, start, end } of placesIn(node)) {
        const attributes = { nodeName: 'a', class: TAG_CLASS, href: links.tag(name) }
        all.push(Decoration.inline(position + 1 + start, position + 1 + end, attributes))
      }
      return false
    })
    return DecorationSet.create(doc, all)
  }
  const plugin: Plugin<DecorationSet> = new Plugin<DecorationSet>({
    state: {
      init: (_config, { doc }) => decorate(doc),
      apply: ({ docChanged, doc }, before) => (docChanged ? decorate(doc) : before),
    },
    props: { decorations: (state: EditorState) => plugin.getState(state) },
  })
  return plugin
}

/** The tags in the text of a block, by their positions in it. */
function tagsInNode(block: Node): TagPlace[] {
  const places: TagPlace[] = []
  let isAfterSpace = true
  block.forEach((child, offset) => {
    const { text } = child
    if (text === undefined || child.marks.some(({ type }) => type.name === 'link' || type.name === 'code')) {
      isAfterSpace = child.type === schema.nodes.line_break
      return
    }
    for (const { name, start, end } of tagsInPlainText(text, isAfterSpace))
      places.push({ name, start: offset + start, end: offset + end })
    isAfterSpace = /\s$/.test(text)
  })
  return places
}
