/** What is copied: Markdown and HTML of the selection. Authors and comments are not part of it. */
import { DOMSerializer, type Fragment, type Node, type Slice } from 'prosemirror-model'
import { joinedMarkdown } from '../model/block-text.ts'
import { schema } from '../model/editor-schema.ts'
import { writeContent } from '../model/inline-nodes.ts'
import { blockOf, fieldsOfNode, isTextNode } from '../model/page-block.ts'
import { levelOfNode } from './block-place.ts'

/** Markdown of a slice. A part of one text is inline Markdown. */
export function markdownOfSlice({ content, openStart }: Slice): string {
  const only = content.childCount === 1 ? content.firstChild : null
  if (only !== null && openStart > 0 && only.isTextblock) {
    return isTextNode(only) ? writeContent(only.content) : only.textContent
  }
  const blocks = content.content.filter(({ attrs }) => attrs.fields !== undefined)
  if (blocks.length < content.childCount) return content.textBetween(0, content.size, '\n', '\n')
  return joinedMarkdown(blocks.map((node) => ({ markdown: blockOf(node).markdown, level: levelOfNode(node) })))
}

const LIST_TAGS = { bullet: 'ul', toggle: 'ul', task: 'ul', numbered: 'ol' } as const

/** Writes blocks as HTML that other programs know. Items of lists are nested by their levels. */
export class BlockSerializer extends DOMSerializer {
  constructor() {
    super(DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema))
  }

  override serializeFragment(
    fragment: Fragment,
    options: { document?: Document } = {},
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const { document: page = document } = options
    if (fragment.firstChild?.attrs.fields === undefined) return super.serializeFragment(fragment, options, target)
    const place = target ?? page.createDocumentFragment()
    const lists: { level: number; tag: string; list: HTMLElement }[] = []
    fragment.forEach((node) => {
      const { listStyle } = fieldsOfNode(node)
      const tag = listStyle && LIST_TAGS[listStyle]
      const level = levelOfNode(node)
      while (lists.length > 0 && ((lists.at(-1)?.level ?? 0) > level || tag === undefined)) lists.pop()
      const element = this.#element(node, page)
      if (tag === undefined) {
        place.append(element)
        return
      }
      let open = lists.at(-1)
      if (open === undefined || open.level < level || open.tag !== tag) {
        if (open?.level === level) lists.pop()
        const list = page.createElement(tag)
        const outer = lists.at(-1)?.list
        ;(outer?.lastElementChild ?? place).append(list)
        open = { level, tag, list }
        lists.push(open)
      }
      open.list.append(element)
    })
    return place
  }

  #element(node: Node, page: Document): HTMLElement {
    const { listStyle, textStyle = '', taskInfo, decorations } = fieldsOfNode(node)
    if (node.type === schema.nodes.shown) {
      return Object.assign(page.createElement('p'), { textContent: String(node.attrs.markdown) })
    }
    if (node.type === schema.nodes.table) {
      const table = page.createElement('table')
      super.serializeFragment(node.content, { document: page }, table)
      return table
    }
    if (node.type === schema.nodes.code_block) {
      const pre = page.createElement('pre')
      const { language } = fieldsOfNode(node)
      if (language !== undefined) pre.dataset.language = language
      pre.append(Object.assign(page.createElement('code'), { textContent: node.textContent }))
      return pre
    }
    const tag = listStyle !== undefined ? 'li' : /^h[1-4]$/.test(textStyle) ? textStyle : 'p'
    const element = page.createElement(tag)
    if (listStyle === 'task') {
      const box = Object.assign(page.createElement('input'), { type: 'checkbox' })
      box.toggleAttribute('checked', taskInfo?.state === 'done')
      element.append(box, ' ')
    }
    super.serializeFragment(node.content, { document: page }, element)
    if (!decorations?.quote) return element
    const quote = page.createElement('blockquote')
    quote.append(element)
    return quote
  }
}
