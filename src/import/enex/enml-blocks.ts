/** Converts the text of an Evernote note (ENML) to blocks. */

import { type HtmlContext, htmlBlocks } from '../../html/html-blocks.ts'
import { attributeOf, findFirst, type HtmlElement, isElement, named, textOf } from '../../html/html-tree.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { codeFields } from '../../markdown/blocks/code-block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { type ImportContent, type ImportFile, plainContent } from '../../space/import/imported-content.ts'
import { parseHtml } from '../html/parse-html.ts'
import type { EnexNote } from './enex-reader.ts'

export interface EnmlContext {
  /**
   * Returns the address of the note that an Evernote link leads to.
   *
   * @param label  text of the link, which is often the title of the note
   */
  noteAddress(href: string, label: string): string | undefined
  report(message: string): void
}

export function enmlBlocks(enml: string, { resources }: EnexNote, context: EnmlContext): ImportContent {
  const files = new Map<Block, ImportFile>()
  const fileBlock = (hash: string): Block | undefined => {
    const file = resources.get(hash.toLowerCase())
    if (file === undefined) {
      context.report('A file that a note shows is not in the export.')
      return undefined
    }
    const block: Block = { type: 'file', text: '' }
    files.set(block, file)
    return block
  }
  const root = parseHtml(enml.replace(/^[\s\S]*?(?=<en-note)/, '').replace(EMPTY, '<$1$2></$1>'))
  const note = findFirst(root, named('en-note')) ?? root
  const html: HtmlContext = {
    addressOf: (href, label) => addressOf(href, label, context),
    formulaOf: () => undefined,
    highlightOf: (element) => (isHighlighted(element) ? 'yellow' : undefined),
    media: (source, altText) => {
      if (source !== '') return { type: 'image', text: '', url: source, ...(altText !== '' && { altText }) }
      context.report('A picture without an address is left out.')
      return altText === '' ? undefined : { type: 'text', text: titleFromPlain(altText) }
    },
    taskOf,
    special: (element, convert) => {
      const { name, children } = element
      if (name === 'en-media') {
        const block = fileBlock(attributeOf(element, 'hash'))
        return block === undefined ? [] : [block]
      }
      if (name === 'en-crypt') {
        context.report('An encrypted text is left out.')
        return [{ type: 'text', text: '*Encrypted in Evernote*' }]
      }
      if (isCodeBlock(element)) return [codeBlock(element)]
      const todo = name === 'div' || name === 'p' ? leadingTodo(element) : undefined
      if (todo === undefined) return undefined
      const [first, ...others] = convert(children.filter((child) => child !== todo))
      return [{ ...(first ?? { type: 'text', text: '' }), listStyle: 'task', taskInfo: todoState(todo) }, ...others]
    },
  }
  const blocks = htmlBlocks(note.children, html)
  // Resources that do not appear in the text follow it.
  const shown = new Set(files.values())
  for (const [hash, file] of resources) {
    const block = shown.has(file) ? undefined : fileBlock(hash)
    if (block !== undefined) blocks.push(block)
  }
  return { ...plainContent(blocks), files }
}

/** How many characters of a title are repeated in a report. */
const SHOWN_LENGTH = 100

/** Empty XML elements, which an HTML parser would treat as start tags. */
const EMPTY = /<(en-(?:todo|media)|span|div|a|b|i)((?:\s[^<>]*?)?)\/>/g

/** True for the address of a note in Evernote. */
export const isNoteLink = (href: string): boolean =>
  /^evernote:|^https:\/\/(?:www\.evernote\.com\/shard|share\.evernote\.com\/note)\//i.test(href)

function addressOf(href: string, label: string, context: EnmlContext): string | undefined {
  if (!isNoteLink(href)) return /^(?:javascript|vbscript|data):/i.test(href) ? undefined : href
  const address = context.noteAddress(href, label)
  if (address === undefined) {
    const why = label === '' ? 'it shows no title' : `no note alone is called ${label.slice(0, SHOWN_LENGTH)}`
    context.report(`A link to a note is kept as it is: ${why}.`)
  }
  return address ?? href
}

const isHighlighted = (element: HtmlElement): boolean =>
  /--en-highlight|-evernote-highlight:\s*true/.test(attributeOf(element, 'style')) && element.name === 'span'

const isCodeBlock = (element: HtmlElement): boolean => /--?en-codeblock:\s*true/.test(attributeOf(element, 'style'))

function codeBlock(element: HtmlElement): Block {
  const [, name = ''] = /--en-codeblockLanguage:\s*([\w+#-]+)/.exec(attributeOf(element, 'style')) ?? []
  const isLines = element.children.some((child) => isElement(child) && child.name === 'div')
  const text = isLines ? element.children.map(lineText).join('\n') : textOf(element)
  return { type: 'code', text: text.replaceAll('\u00a0', ' '), ...codeFields(name) }
}

const lineText = (node: HtmlElement['children'][number]): string => textOf(node).replace(/\n$/, '')

/** Returns the checkbox at the beginning of a line, if there is one. */
function leadingTodo(element: HtmlElement): HtmlElement | undefined {
  const first = element.children.find((child) => isElement(child) || child.trim() !== '')
  return first !== undefined && isElement(first) && first.name === 'en-todo' ? first : undefined
}

const todoState = (todo: HtmlElement): TaskInfo => ({
  state: attributeOf(todo, 'checked') === 'true' ? 'done' : 'todo',
})

function taskOf(item: HtmlElement): TaskInfo | undefined {
  const [, checked] = /--en-checked:\s*(true|false)/.exec(attributeOf(item, 'style')) ?? []
  if (checked !== undefined) return { state: checked === 'true' ? 'done' : 'todo' }
  const todo = findFirst(item, named('en-todo'))
  return todo === undefined ? undefined : todoState(todo)
}
