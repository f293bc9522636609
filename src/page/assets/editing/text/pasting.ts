/** Handles pasted and dropped content: Markdown and HTML become blocks; images and files are added as files. */
import type { EditorView } from '@codemirror/view'
import { newName } from '../../calls.ts'
import type { Fields } from '../../model/block-text.ts'
import type { BlockPosition } from '../../model/page-step.ts'
import { inBackground } from '../../page-background.ts'
import { hasHtml, type PastedContent, pastedContent, plainContent } from '../../pasted/pasted-content.ts'
import { blockId, fieldsOf, isLineOfText, textHost } from '../blocks/block-element.ts'
import { announce } from '../blocks/edited-page.ts'
import type { TextEditor } from './text-editor.ts'

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
    const position: BlockPosition = { position: 'after', siblingId: blockId(target) }
    whenConverted(editor, event.clipboardData, ({ markdown }) => addMarkdown(editor, markdown, position))
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
  if (!hasHtml(data) && plainContent(data).markdown === '') return false
  whenConverted(editor, data, ({ markdown }) => {
    const isOpen = editor.element === element && view.dom.isConnected
    if (isOpen) insert(editor, view, element, markdown)
    else if (element.isConnected) addMarkdown(editor, markdown, { position: 'after', siblingId: blockId(element) })
    else addMarkdown(editor, markdown, { position: 'end', pageId: editor.writer.page.pageId })
  })
  return true
}

/** Converting takes a moment. Until then, the document is busy. */
function whenConverted(editor: TextEditor, data: DataTransfer, add: (content: PastedContent) => void): void {
  const accept = (content: PastedContent): void => {
    if (content.markdown !== '') add(content)
    if (content.notKept.length > 0) announce(content.notKept.join(' '))
  }
  if (!hasHtml(data)) {
    accept(plainContent(data))
    return
  }
  const { article } = editor.writer.page
  const converted = pastedContent(data)
  article.setAttribute('aria-busy', 'true')
  inBackground(() => converted.then(accept).finally(() => article.removeAttribute('aria-busy')))
}

/** Inserts at the caret: in a cell and within a line as text, otherwise as blocks. */
function insert(editor: TextEditor, view: EditorView, element: HTMLElement, content: string): void {
  const markdown = editor.cell === undefined ? content : content.replace(/\s*\n\s*/g, ' ')
  if (editor.cell === undefined && (markdown.includes('\n') || BEGINS_BLOCK.test(markdown))) {
    pasteBlocks(editor, view, element, markdown)
    return
  }
  view.dispatch(view.state.replaceSelection(markdown), { userEvent: 'input.paste', scrollIntoView: true })
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
