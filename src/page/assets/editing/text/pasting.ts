/** Handles pasted and dropped content: Markdown and HTML become blocks; images and files are added as files. */
import type { EditorView } from '@codemirror/view'
import { gfm } from '@joplin/turndown-plugin-gfm'
import Turndown from 'turndown'
import { newName } from '../../calls.ts'
import type { Fields } from '../../model/block-text.ts'
import type { BlockPosition } from '../../model/page-step.ts'
import { blockId, fieldsOf, isLineOfText, textHost } from '../blocks/block-element.ts'
import { announce } from '../blocks/edited-page.ts'
import type { TextEditor } from './text-editor.ts'

/** Maximum length of HTML to convert. For longer HTML, the plain text is used. */
const HTML_LENGTH = 2_000_000

const turndown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  hr: '---',
})
turndown.use(gfm)
turndown.remove(['script', 'style', 'noscript', 'title', 'iframe', 'object', 'embed', 'template', 'head'] as never)
turndown.addRule('link', {
  filter: 'a',
  replacement: (content, node) => {
    const href = (node as HTMLAnchorElement).getAttribute('href') ?? ''
    return isSafe(href) && content.trim() !== ''
      ? `[${content}](${href.replace(/[\s()<>]/g, encodeURIComponent)})`
      : content
  },
})
turndown.addRule('picture', {
  filter: 'img',
  replacement: (_, node) => {
    const image = node as HTMLImageElement
    const source = image.getAttribute('src') ?? ''
    const label = (image.getAttribute('alt') ?? '').replace(/[[\]\n]/g, ' ')
    return isSafe(source) ? `![${label}](${source.replace(/[\s()<>]/g, encodeURIComponent)})` : label
  },
})

/** Allows only addresses that can be followed and cannot run scripts. */
const isSafe = (address: string): boolean => /^(?:https?|mailto):/i.test(address.trim())

/** Converts foreign HTML to Markdown. It is parsed in a separate, inert document that loads and runs nothing. */
export function markdownOfHtml(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  readStyles(parsed.body)
  return turndown
    .turndown(parsed.body)
    .replace(/\u00a0/g, ' ')
    .trim()
}

const STYLED = [
  ['strong', /font-weight: ?(?:bold|[6-9]00)/],
  ['em', /font-style: ?italic/],
] as const

/**
 * Word processors mark text with styles: bold and italic spans, and one `b` without bold type around everything. Theirs
 * become elements. Boxes of checklists become those of tasks.
 */
function readStyles(body: HTMLElement): void {
  for (const box of body.querySelectorAll('li[role="checkbox"]')) {
    const isDone = box.getAttribute('aria-checked') === 'true'
    const line = box.querySelector('p')
    line?.replaceWith(...line.childNodes)
    box.prepend(Object.assign(document.createElement('input'), { type: 'checkbox', defaultChecked: isDone }))
  }
  for (const element of body.querySelectorAll('b, strong, i, em, span')) {
    // The policy of the page keeps browsers from reading the attribute.
    const style = element.getAttribute('style') ?? ''
    const isSpan = element.localName === 'span'
    const marks = STYLED.filter(([, on]) => isSpan && on.test(style)).map(([mark]) => mark)
    const isPlain = (element.matches('b, strong') ? /font-weight: ?(?:normal|400)/ : /font-style: ?normal/).test(style)
    let inner = [...element.childNodes]
    for (const mark of marks) {
      const made = document.createElement(mark)
      made.append(...inner)
      inner = [made]
    }
    if (marks.length > 0) element.replaceChildren(...inner)
    else if (isPlain) element.replaceWith(...inner)
  }
}

export function startPasting(editor: TextEditor): { chooseFiles: (after: HTMLElement) => void } {
  const { article } = editor.writer.page
  editor.onPaste = (data, view) => paste(editor, data, view)

  article.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  article.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('.part > .block') : null
    addFiles(editor, files, target ?? undefined)
  })
  document.addEventListener('paste', (event) => {
    // Without a caret, content is pasted after the selected block.
    const target = document.activeElement
    if (!(target instanceof HTMLElement) || !target.matches('.part > .block') || event.clipboardData === null) return
    event.preventDefault()
    const files = [...event.clipboardData.files]
    if (files.length > 0) {
      addFiles(editor, files, target)
      return
    }
    const markdown = markdownOf(event.clipboardData)
    if (markdown !== '') addMarkdown(editor, markdown, { position: 'after', siblingId: blockId(target) })
  })

  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.hidden = true
  document.body.append(input)
  let place: HTMLElement | undefined
  input.addEventListener('change', () => {
    addFiles(editor, [...(input.files ?? [])], place)
    input.value = ''
  })
  return {
    chooseFiles(after) {
      place = after
      input.click()
    },
  }
}

/** @returns true if the content became something other than text at the caret */
function paste(editor: TextEditor, data: DataTransfer, view: EditorView): boolean {
  const { element } = editor
  if (element === undefined) return false
  const files = [...data.files]
  if (files.length > 0 && !data.types.includes('text/plain')) {
    addFiles(editor, files, element)
    return true
  }
  if (!isLineOfText(element) && editor.cell === undefined) return false
  const markdown = editor.cell === undefined ? markdownOf(data) : markdownOf(data).replace(/\s*\n\s*/g, ' ')
  if (markdown === '') return false
  if (editor.cell !== undefined || (!markdown.includes('\n') && !BEGINS_BLOCK.test(markdown))) {
    view.dispatch(view.state.replaceSelection(markdown), { userEvent: 'input.paste', scrollIntoView: true })
    return true
  }
  pasteBlocks(editor, view, element, markdown)
  return true
}

const BEGINS_BLOCK = /^(?:#{1,6} |[-*+] |\d+[.)] |> |```|\||!\[)/

/** Inserts pasted blocks between the text before and after the caret. */
function pasteBlocks(editor: TextEditor, view: EditorView, element: HTMLElement, markdown: string): void {
  const { writer } = editor
  const fields = fieldsOf(element)
  const { from, to } = view.state.selection.main
  const text = view.state.doc.toString()
  const [before, after] = [text.slice(0, from), text.slice(to)]
  editor.close()
  const position: BlockPosition = { position: 'after', siblingId: blockId(element) }
  const steps = before === text ? [] : [writer.textStep(element, fields, before)]
  textHost(element)?.replaceChildren(before)
  if (after !== '') {
    const { taskInfo, ...others } = fields
    const rest: Fields = { ...others, ...(taskInfo && { taskInfo: { state: 'todo' } }) }
    steps.push(writer.addStep(position, rest, after).step)
  }
  const name = newName()
  steps.push({ tool: 'blocks_add', arguments: { markdown, position }, added: [name] })
  if (before === '') steps.push({ tool: 'blocks_delete', arguments: { blockIds: [blockId(element)] } })
  writer.write(...steps)
  const waiting = waitingElement(name, markdown)
  element.after(waiting)
  if (before === '') element.remove()
}

/** Adds Markdown as blocks at a position. */
function addMarkdown(editor: TextEditor, markdown: string, position: BlockPosition): void {
  const name = newName()
  const waiting = waitingElement(name, markdown)
  editor.writer.place(waiting, position)
  editor.writer.write({ tool: 'blocks_add', arguments: { markdown, position }, added: [name] })
}

function addFiles(editor: TextEditor, files: readonly File[], after: HTMLElement | undefined): void {
  const { writer } = editor
  let position: BlockPosition =
    after === undefined
      ? { position: 'end', pageId: writer.page.pageId }
      : { position: 'after', siblingId: blockId(after) }
  for (const file of files) {
    const name = writer.addFile(file, position)
    writer.place(waitingElement(name, `${file.name || 'Picture'} …`), position)
    position = { position: 'after', siblingId: name }
  }
  if (files.length > 0) announce(files.length === 1 ? 'Adding the file' : `Adding ${files.length} files`)
}

/** A placeholder element, which shows the content until the server has rendered it. */
function waitingElement(name: string, text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = 'block waits'
  element.id = `b${name}`
  element.dataset.fields = '{"type":"line"}'
  element.dataset.markdown = text
  element.textContent = text
  return element
}

function markdownOf(data: DataTransfer): string {
  const plain = data.getData('text/plain').replace(/\r\n?/g, '\n')
  const html = data.getData('text/html')
  // Code editors also copy their text as colored HTML. The plain text is better.
  if (html === '' || html.length > HTML_LENGTH || /^<meta[^>]*><div style="[^"]*monospace/.test(html))
    return plain.trim()
  return markdownOfHtml(html) || plain.trim()
}
