/** The menu that `/` opens in a text: changes the kind of the block, or inserts a block without text. */
import type { EditorView } from '@codemirror/view'
import { codeFields } from '../../../../markdown/blocks/code-block.ts'
import { newName } from '../../calls.ts'
import type { Fields } from '../../model/block-text.ts'
import type { Step } from '../../model/page-step.ts'
import { blockId, fieldsOf, isLineOfText, renumber } from '../blocks/block-element.ts'
import type { TextEditor } from './text-editor.ts'

interface Kind {
  name: string
  /** Further search terms. */
  words?: string
  /** The fields that the text block gets. */
  fields?: Partial<Fields>
  /** A new block that the caret moves to. */
  block?: { fields: Fields; words: string }
  /** The call that adds it after a block. */
  step?: (position: object) => Step
  /** Another action. */
  action?: 'file'
}

const added =
  (block: object) =>
  (position: object): Step => ({ tool: 'blocks_add', arguments: { blocks: [block], position } })
const LINE = added({ type: 'line' })
const TABLE = '|  |  |\n| --- | --- |\n|  |  |'

const KINDS: readonly Kind[] = [
  { name: 'Text', words: 'paragraph body', fields: {} },
  { name: 'Heading 1', words: 'h1 title', fields: { textStyle: 'h1' } },
  { name: 'Heading 2', words: 'h2', fields: { textStyle: 'h2' } },
  { name: 'Heading 3', words: 'h3', fields: { textStyle: 'h3' } },
  { name: 'Heading 4', words: 'h4', fields: { textStyle: 'h4' } },
  { name: 'Task', words: 'to do checkbox', fields: { listStyle: 'task', taskInfo: { state: 'todo' } } },
  { name: 'Bulleted list', words: 'bullet', fields: { listStyle: 'bullet' } },
  { name: 'Numbered list', words: 'number', fields: { listStyle: 'numbered' } },
  { name: 'Toggle', words: 'fold', fields: { listStyle: 'toggle' } },
  { name: 'Quote', fields: { decorations: { quote: true } } },
  { name: 'Callout', words: 'box note', fields: { decorations: { callout: true } } },
  { name: 'Caption', fields: { textStyle: 'caption' } },
  { name: 'Code', block: { fields: { type: 'code' }, words: '' } },
  { name: 'Formula', words: 'math latex', block: { fields: { type: 'code', language: 'math_formula' }, words: '' } },
  { name: 'Table', block: { fields: { type: 'table' }, words: TABLE } },
  { name: 'Line', words: 'divider rule', step: LINE },
  { name: 'Page', words: 'subpage', step: added({ type: 'page', title: 'Untitled' }) },
  { name: 'Card', step: added({ type: 'page', title: 'Untitled', textStyle: 'card' }) },
  { name: 'Picture or file', words: 'image upload photo video', action: 'file' },
  {
    name: 'Collection',
    words: 'database table properties',
    step: (position) => ({
      tool: 'collections_add',
      arguments: { schema: { name: 'Collection', properties: [{ name: 'Note', type: 'text' }] }, position },
      idAt: 'collectionBlockId',
    }),
  },
  {
    name: 'Whiteboard',
    words: 'drawing canvas',
    step: (position) => ({ tool: 'whiteboards_add', arguments: { position }, idAt: 'whiteboardBlockId' }),
  },
]

export function startKindMenu(editor: TextEditor, chooseFiles: (after: HTMLElement) => void): void {
  const menu = document.createElement('div')
  menu.className = 'kinds'
  menu.id = 'kinds'
  menu.setAttribute('role', 'listbox')
  menu.setAttribute('aria-label', 'Kinds of blocks')
  menu.hidden = true
  // The arrow keys of the text choose an option. Since the menu may scroll, it must also be reachable by Tab.
  menu.tabIndex = 0
  document.querySelector('main')?.append(menu)
  let shown: Kind[] = []
  let chosen = 0
  /** The position of the slash. */
  let from = 0

  const close = () => {
    menu.hidden = true
    editor.view?.contentDOM.removeAttribute('aria-activedescendant')
  }
  const draw = () => {
    menu.replaceChildren(
      ...shown.map((kind, index) => {
        const option = document.createElement('div')
        option.id = `kind-${index}`
        option.setAttribute('role', 'option')
        option.setAttribute('aria-selected', String(index === chosen))
        option.textContent = kind.name
        // Keeps the caret in the text.
        option.addEventListener('pointerdown', (event) => event.preventDefault())
        option.addEventListener('click', () => choose(kind))
        return option
      }),
    )
    menu.children[chosen]?.scrollIntoView({ block: 'nearest' })
    editor.view?.contentDOM.setAttribute('aria-activedescendant', `kind-${chosen}`)
  }
  const choose = (kind: Kind) => {
    const { view, element } = editor
    close()
    if (view === undefined || element === undefined) return
    const { head } = view.state.selection.main
    const text = view.state.doc.toString()
    const words = text.slice(0, from) + text.slice(head)
    if (kind.fields !== undefined) {
      const { indentationLevel } = kind.fields.textStyle ? {} : fieldsOf(element)
      return editor.setFields({ type: 'text', ...(indentationLevel && { indentationLevel }), ...kind.fields }, words)
    }
    editor.setFields(fieldsOf(element), words)
    if (kind.action === 'file') {
      chooseFiles(element)
      return
    }
    if (kind.block !== undefined) insertWords(editor, kind.block, words === '')
    if (kind.step !== undefined) insert(editor, kind.step, words === '')
  }

  editor.onTyped = (view) => {
    const found = isLineOfText(editor.element ?? menu) ? slashBefore(view) : undefined
    if (found === undefined) {
      close()
      return
    }
    from = found.from
    const query = found.query.toLowerCase()
    shown = KINDS.filter(({ name, words = '' }) => `${name} ${words}`.toLowerCase().includes(query))
    if (shown.length === 0) {
      close()
      return
    }
    chosen = 0
    menu.hidden = false
    draw()
    const caret = view.coordsAtPos(view.state.selection.main.head)
    if (caret === null) return
    const isBelow = caret.bottom + menu.offsetHeight + 8 < innerHeight
    menu.style.top = `${isBelow ? caret.bottom + 4 : Math.max(8, caret.top - menu.offsetHeight - 4)}px`
    menu.style.left = `${Math.max(8, Math.min(caret.left, innerWidth - menu.offsetWidth - 8))}px`
  }
  editor.onMenuKey = ({ key, shiftKey }) => {
    if (menu.hidden) return key === 'Enter' && !shiftKey && typedBlock(editor)
    const kind = shown[chosen]
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      chosen = (chosen + (key === 'ArrowDown' ? 1 : -1) + shown.length) % shown.length
      draw()
    } else if ((key === 'Enter' || key === 'Tab') && kind !== undefined) choose(kind)
    else if (key === 'Escape') close()
    else return false
    return true
  }
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) close()
  })
  window.addEventListener('scroll', close, { passive: true })
}

/** Finds `/` at the start or after a space, and the letters between it and the caret. */
function slashBefore(view: EditorView): { from: number; query: string } | undefined {
  const { head, empty } = view.state.selection.main
  const found = /(?:^|\s)\/([\p{L}\d ]{0,20})$/u.exec(view.state.sliceDoc(0, head))
  if (found === null || !empty) return undefined
  const query = found[1] ?? ''
  return { from: head - query.length - 1, query }
}

/** Enter after ```` ```js ````, which starts code, or after `---`, a divider. @returns true if it was one of them */
function typedBlock(editor: TextEditor): boolean {
  const { element, words } = editor
  if (element === undefined || fieldsOf(element).type !== 'text') return false
  const [, info] = /^```([\w+#-]{0,40})$/.exec(words) ?? []
  if (info === undefined && !/^(?:-{3,}|\*{3,})$/.test(words)) return false
  editor.setFields(fieldsOf(element), '')
  if (info === undefined) insert(editor, LINE, true)
  else insertWords(editor, { fields: { type: 'code', ...codeFields(info) }, words: '' }, true)
  return true
}

/** Inserts a block with text, which gets the caret, and which replaces an empty block. */
function insertWords(
  editor: TextEditor,
  { fields, words }: { fields: Fields; words: string },
  takesPlace: boolean,
): void {
  const { element, writer } = editor
  if (element === undefined) return
  editor.close()
  const { step, element: added } = writer.addStep({ position: 'after', siblingId: blockId(element) }, fields, words)
  writer.write(step, ...(takesPlace ? [removal(element)] : []))
  if (takesPlace) element.remove()
  renumber(writer.page.article)
  editor.open(added, { offset: 0 })
}

const removal = (element: HTMLElement): Step => ({
  tool: 'blocks_delete',
  arguments: { blockIds: [blockId(element)] },
})

/** Inserts a block without text after the current one, or before an empty one. The caret stays. */
function insert(editor: TextEditor, step: (position: object) => Step, isEmpty: boolean): void {
  const { element, writer } = editor
  if (element === undefined) return
  const name = newName()
  const position = { position: isEmpty ? 'before' : 'after', siblingId: blockId(element) }
  const waiting = document.createElement('div')
  waiting.className = 'block waits'
  waiting.id = `b${name}`
  waiting.dataset.fields = '{"type":"line"}'
  waiting.append('…')
  if (isEmpty) element.before(waiting)
  else element.after(waiting)
  writer.write({ added: [name], ...step(position) })
  renumber(writer.page.article)
}
