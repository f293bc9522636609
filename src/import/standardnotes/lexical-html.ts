/** Converts the text of a Super note of Standard Notes, which is a tree of Lexical's nodes, to HTML. */
import { isObject } from '../../base/is-object.ts'

type Node = Record<string, unknown>

export interface LexicalContext {
  /** Returns the address of a note by its ID. */
  addressOf(id: string): string | undefined
  titleOf(id: string): string | undefined
  report(message: string, detail?: string): void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const nodesIn = (list: unknown): Node[] => (Array.isArray(list) ? list.filter(isObject) : [])

export function lexicalHtml(state: unknown, context: LexicalContext): string {
  const root = isObject(state) && isObject(state.root) ? state.root : {}
  return nodesIn(root.children)
    .map((node) => htmlOf(node, context))
    .join('')
}

/** The tags of the bits in the format of a text. */
const FORMATS: readonly [bit: number, tag: string][] = [
  [1, 'b'],
  [2, 'i'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
]

const TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ paragraph: 'p', quote: 'blockquote', table: 'table', tablerow: 'tr', tablecell: 'td' },
    ...{ 'collapsible-container': 'details', 'collapsible-title': 'summary', 'collapsible-content': 'div' },
  }),
)

function htmlOf(node: Node, context: LexicalContext): string {
  const type = textOf(node.type)
  const inner = () =>
    nodesIn(node.children)
      .map((child) => htmlOf(child, context))
      .join('')
  const tag = TAGS.get(type)
  if (tag !== undefined) return `<${tag}>${inner()}</${tag}>`
  switch (type) {
    case 'text':
    case 'code-highlight':
      return formatted(textOf(node.text), Number(node.format))
    case 'linebreak':
      return '<br>'
    case 'tab':
      return ' '
    case 'heading':
      return `<h${headingLevel(node.tag)}>${inner()}</h${headingLevel(node.tag)}>`
    case 'list': {
      const list = node.listType === 'number' ? 'ol' : 'ul'
      return `<${list}>${inner()}</${list}>`
    }
    case 'listitem': {
      const isTask = typeof node.checked === 'boolean'
      const box = isTask ? `<input type="checkbox"${node.checked === true ? ' checked' : ''}>` : ''
      return `<li>${box}${inner()}</li>`
    }
    case 'code':
      return `<pre><code class="language-${escaped(textOf(node.language))}">${codeOf(node)}</code></pre>`
    case 'link':
    case 'autolink':
      return `<a href="${escaped(textOf(node.url))}">${inner()}</a>`
    case 'horizontalrule':
      return '<hr>'
    case 'snbubble': {
      const id = textOf(node.itemUuid)
      const address = context.addressOf(id)
      if (address === undefined) context.report('A link to a note that is not there is left out.', id)
      return address === undefined ? '' : `<a href="${escaped(address)}">${escaped(context.titleOf(id) ?? 'Note')}</a>`
    }
    default:
      context.report('A part of a note is left out, or only its words are kept.', type.slice(0, 100))
      return inner()
  }
}

const headingLevel = (tag: unknown): string => /^h([1-6])$/.exec(textOf(tag))?.[1] ?? '1'

const codeOf = (node: Node): string =>
  nodesIn(node.children)
    .map((child) => (child.type === 'linebreak' ? '\n' : escaped(textOf(child.text))))
    .join('')

function formatted(text: string, format: number): string {
  const tags = FORMATS.filter(([bit]) => (format & bit) !== 0).map(([, tag]) => tag)
  const open = tags.map((tag) => `<${tag}>`).join('')
  const close = tags.toReversed().map((tag) => `</${tag}>`)
  return `${open}${escaped(text)}${close.join('')}`
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
