/**
 * What is copied from a page that is read: HTML and Markdown of the text, without what stands around it, such as
 * authors, comments and buttons. Loaded where a document cannot be edited; the editor copies by itself.
 */
import { LaterThreads } from './later-threads.ts'

/** What stands around the text. */
const AROUND =
  '.who, .comments, .linked, .due, .more, form, .hidden, button:not(.box), ins.new, .suggestion, .suggestions, .suggesting'
/** Elements that mark words, with their Markdown. */
const MARKS = new Map(Object.entries({ STRONG: '**', EM: '*', DEL: '~~', S: '~~', MARK: '==', CODE: '`' }))
/** Elements that Markdown keeps as tags. */
const TAGS: ReadonlySet<string> = new Set(['u', 'sub', 'sup', 'kbd'])
const LISTS = 'UL, OL'

document.addEventListener('copy', (event) => {
  const selection = getSelection()
  const range = selection === null || selection.isCollapsed ? undefined : selection.getRangeAt(0)
  const { target, clipboardData } = event
  if (range === undefined || clipboardData === null || event.defaultPrevented) return
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
  const { commonAncestorContainer: place } = range
  const around = place instanceof Element ? place : place.parentElement
  if (around === null || (around.closest('article') === null && around.querySelector('article') === null)) return
  const copied = copyOf(range, around)
  const markdown = markdownOf(copied)
  if (markdown === '') return
  clipboardData.setData('text/html', copied.innerHTML)
  clipboardData.setData('text/plain', markdown)
  event.preventDefault()
})

/** The selected part, as elements that mean the same elsewhere. */
function copyOf(range: Range, around: Element): HTMLElement {
  const copied = document.createElement('div')
  copied.append(range.cloneContents())
  // A part of one block has the elements around it no more.
  const list = around.closest(LISTS)
  if (copied.querySelector(':scope > li') !== null && list !== null) {
    const whole = document.createElement(list.tagName)
    whole.append(...copied.childNodes)
    copied.append(whole)
  }
  for (const one of copied.querySelectorAll(AROUND)) one.remove()
  // What a suggestion strikes is text until somebody accepts it.
  for (const one of copied.querySelectorAll('del.old')) one.replaceWith(...one.childNodes)
  for (const box of copied.querySelectorAll('button.box')) {
    const input = document.createElement('input')
    input.type = 'checkbox'
    input.toggleAttribute('checked', box.getAttribute('aria-checked') === 'true')
    box.replaceWith(input)
  }
  for (const quote of copied.querySelectorAll('.block.quote')) {
    const element = document.createElement('blockquote')
    element.append(...quote.childNodes)
    quote.replaceWith(element)
  }
  for (const one of copied.querySelectorAll('*:not(math, math *)'))
    for (const { name, value } of [...one.attributes])
      if (!KEPT.has(name) && !(one.tagName === 'MARK' && COLOR.test(value))) one.removeAttribute(name)
  return copied
}

const KEPT: ReadonlySet<string> = new Set([
  ...['href', 'src', 'alt', 'type', 'checked', 'start', 'value', 'colspan', 'dir', 'data-language'],
])
/** The color of a highlight, as the server names it. */
const COLOR = /^hl-(?<color>[\w-]+)$/

/** The blocks of an element as Markdown. */
function markdownOf(element: Element, indent = ''): string {
  const parts: string[] = []
  let words = ''
  const endWords = () => {
    if (words.trim() !== '') parts.push(words.trim())
    words = ''
  }
  for (const node of element.childNodes) {
    const block = node instanceof Element ? blockOf(node, indent) : undefined
    if (block === undefined) words += inlineOf(node)
    else {
      endWords()
      if (block !== '') parts.push(block)
    }
  }
  endWords()
  return parts.join('\n\n')
}

/** @returns undefined for what stands in a line */
function blockOf(element: Element, indent: string): string | undefined {
  const { tagName } = element
  const [, level] = /^H([1-6])$/.exec(tagName) ?? []
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${inlineOf(element)}`
  if (element.matches(LISTS)) return listOf(element, indent)
  if (element.matches('math[display="block"]')) return `$$\n${texOf(element)}\n$$`
  switch (tagName) {
    case 'P':
      return inlineOf(element)
    case 'PRE':
      return codeOf(element)
    case 'HR':
      return '---'
    case 'BLOCKQUOTE':
      return markdownOf(element).replace(/^/gm, '> ')
    case 'TABLE':
      return tableOf(element as HTMLTableElement)
    case 'DIV':
    case 'SECTION':
    case 'ARTICLE':
    case 'DETAILS':
      return markdownOf(element, indent)
    default:
      return undefined
  }
}

/** The source of a formula, which the server writes beside it. */
const texOf = (math: Element): string => math.querySelector('annotation')?.textContent?.trim() ?? ''

/** A fence is longer than any in the code. */
function codeOf(pre: Element): string {
  const code = pre.textContent ?? ''
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${pre.getAttribute('data-language') ?? ''}\n${code}\n${fence}`
}

function listOf(list: Element, indent: string): string {
  let number = Number(list.getAttribute('start') ?? 1)
  return [...list.children]
    .map((item) => {
      const own = Number(item.getAttribute('value') ?? number)
      const mark = list.tagName === 'OL' ? `${own}. ` : '- '
      number = own + 1
      const nested = [...item.children].filter((child) => child.matches(LISTS))
      const line = item.cloneNode(true) as Element
      for (const child of line.querySelectorAll(LISTS)) child.remove()
      const inner = indent + ' '.repeat(mark.length)
      return [`${indent}${mark}${inlineOf(line)}`, ...nested.map((child) => listOf(child, inner))].join('\n')
    })
    .join('\n')
}

function tableOf(table: HTMLTableElement): string {
  const rows = [...table.rows].map(({ cells }) => [...cells].map((cell) => inlineOf(cell).replace(/\|/g, '\\|')))
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  lines.splice(1, 0, `| ${(rows[0] ?? []).map(() => '---').join(' | ')} |`)
  return lines.join('\n')
}

/** The words of a line, with their marks. */
function inlineOf(node: Node): string {
  if (!(node instanceof Element)) return (node.textContent ?? '').replace(/\s+/g, ' ')
  if (node instanceof HTMLInputElement) return node.hasAttribute('checked') ? '[x] ' : '[ ] '
  if (node instanceof HTMLImageElement) return `![${node.alt}](${node.src})`
  if (node.tagName === 'BR') return '\n'
  if (node.localName === 'math') return `$${texOf(node).replace(/\s+/g, ' ')}$`
  const inner = [...node.childNodes].map(inlineOf).join('')
  const mark = MARKS.get(node.tagName)
  const text = inner.trim()
  if (text === '') return inner
  const color = node.tagName === 'MARK' ? COLOR.exec(node.className)?.groups?.color : undefined
  if (color !== undefined && color !== 'yellow')
    return inner.replace(text, () => `<highlight color="${color}">${text}</highlight>`)
  if (TAGS.has(node.localName)) return inner.replace(text, () => `<${node.localName}>${text}</${node.localName}>`)
  if (mark !== undefined) return inner.replace(text, () => `${mark}${text}${mark}`)
  return node instanceof HTMLAnchorElement ? inner.replace(text, () => `[${text}](${node.href})`) : inner
}

if (document.querySelector('article .who a[href*="/comments/new"]') !== null)
  import('./reading-words.ts').catch(console.error)

// Threads stand beside the text once there are any. An update draws the whole article again.
const comments = new LaterThreads()
comments.update()
const main = document.getElementById('main')
if (main !== null) new MutationObserver(() => comments.update()).observe(main, { childList: true, subtree: true })
