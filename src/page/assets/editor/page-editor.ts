/**
 * The editor of a page: one document of ProseMirror, whose blocks look as the server renders them.
 *
 *     const editor = createEditor({ place: article, doc: model.createDocument(), elements, onChange })
 *     editor.dispatch(model.receive(editor.view.state, read).transaction)
 */
import { baseKeymap } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { keydownHandler } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { EditorState, NodeSelection, Plugin, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { EditorView } from 'prosemirror-view'
import type { PageLinks } from '../../page-links.ts'
import { fieldsOfNode, isTextNode } from '../model/page-block.ts'
import { isPlain } from '../model/page-merge.ts'
import { text } from '../page-text.ts'
import { BlockAbout } from './block-about.ts'
import { inBlock } from './block-active.ts'
import { blockClipboard } from './block-clipboard.ts'
import { tickWithId } from './block-fields.ts'
import { blockIds } from './block-ids.ts'
import { blockOutline, toggleFold } from './block-outline.ts'
import { blockWithId, endOf } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import type { BlockView, TableTools, ViewContext } from './block-view.ts'
import { codeColors, setCodeColors } from './code-colors.ts'
import { CodeView } from './code-view.ts'
import type { CommentedWords } from './commented-words.ts'
import { editorKeys, type KeyActions } from './editor-keys.ts'
import { emojiMenu } from './emoji-menu.ts'
import { FormulaView } from './formula-view.ts'
import { HeaderCellView } from './header-cell-view.ts'
import { loadPointerToolsLater } from './later-tools.ts'
import { openLinkField } from './link-field.ts'
import { linkMenu } from './link-menu.ts'
import { caretReader } from './read-caret.ts'
import { ShownView } from './shown-view.ts'
import type { InsertedKind } from './slash-kinds.ts'
import { slashMenu } from './slash-menu.ts'
import { emptyText } from './split-blocks.ts'
import { spokenChanges } from './spoken-changes.ts'
import { tabThrough } from './tab-through.ts'
import { openTableMenu } from './table-keys.ts'
import { TableView } from './table-view.ts'
import { tagLinks } from './tag-links.ts'
import { addAtEnd, linkView, textClicks } from './text-clicks.ts'
import { TextView } from './text-view.ts'
import { typingRules } from './typing-rules.ts'
import { undoHistory, withUndoStep } from './undo-steps.ts'

export interface EditorOptions extends Partial<KeyActions> {
  /** The article. Its parts are replaced by the editor. */
  place: HTMLElement
  /** Where the links of texts lead. */
  links: PageLinks
  doc: Node
  /** The element that the server has rendered for a block. */
  elements: (id: string) => HTMLElement | undefined
  /** Called after each transaction. */
  onChange: (state: EditorState, transaction: Transaction) => void
  /** Takes what is pasted from elsewhere. @returns false to insert it as plain text */
  onPaste?: (data: DataTransfer, view: EditorView) => boolean
  /** Adds what the page makes by a call of its own, after the block with this ID. */
  onInsert?: (kind: InsertedKind, after: string) => void
  /** Opens the form for a comment on a block. */
  onComment?: (id: string, words?: CommentedWords) => void
  /** Asks for a document, and moves blocks there. */
  onMoveTo?: (ids: readonly string[]) => void
  /** Called for a block that could not be updated now. */
  onStale?: (id: string) => void
  /** Further plugins, which handle keys first. */
  plugins?: readonly Plugin[]
}

export interface PageEditor {
  view: EditorView
  dispatch(transaction: Transaction): void
  /** Shows what the server renders now about a block: authors, comments, dates, colors, and all of what is not edited here. */
  setAbout(id: string, element: HTMLElement | undefined): void
  /** Shows an element of the page below a block. */
  setBeside(id: string, element: HTMLElement | undefined): void
  /** Moves the caret to the empty text at the end of the page, which is added if necessary. */
  addAtEnd(): void
  /** Shows the colors of code that the server has rendered again. */
  setColors(elements: (id: string) => HTMLElement | undefined): void
  /** Takes the last change back, or redoes it. @param onNothing  called when nothing of this session is left */
  undo(isRedo: boolean, onNothing: (isRedo: boolean) => void): void
  /** Moves the caret to the beginning of the text. @param isWritten  true to add a text above what has no place for it */
  focusStart(isWritten: boolean): void
  /** Moves the caret to an edge of a block. @returns false if the block is gone */
  focusBlock(id: string, edge: 'start' | 'end'): boolean
}

/** The plugins that need no elements. */
export const statePlugins = (): Plugin[] => [
  typingRules(),
  blockIds(),
  blockOutline(),
  undoHistory(),
  inBlock(),
  selectShown(),
  tableEditing(),
]

export function createEditor(options: EditorOptions): PageEditor {
  const { place, links, doc, plugins = [], onChange } = options
  const {
    onPaste = () => false,
    onInsert = () => {},
    onComment = () => {},
    onStale = () => {},
    onMoveTo = () => {},
  } = options
  const root = document.createElement('div')
  root.className = 'part'
  const views = new Map<string, BlockView>()
  const about = new BlockAbout(options.elements)
  const state = EditorState.create({
    doc,
    plugins: [
      caretReader(),
      ...plugins,
      slashMenu(onInsert),
      linkMenu(links.base),
      emojiMenu(),
      tabThrough(),
      editorKeys({
        onUndo: () => {},
        onLink: (_state, _dispatch, view) => view !== undefined && openLinkField(view),
        onTableMenu: openTableMenu,
        ...options,
      }),
      blockClipboard(onPaste),
      spokenChanges(),
      textClicks(),
      tagLinks(links),
      codeColors(options.elements),
      ...statePlugins(),
      basicKeys(),
    ],
  })
  const tools = Promise.withResolvers<TableTools>()
  const context = { about, views, tools: tools.promise } as ViewContext
  const view = new EditorView(
    { mount: root },
    {
      state,
      nodeViews: {
        text_block: (node, _view, _getPos, decorations) => new TextView(node, decorations, context),
        code_block: (node, _view, getPos) => new CodeView(node, context, getPos),
        table: (node) => new TableView(node, context),
        table_header: (node) => new HeaderCellView(node),
        shown: (node) => new ShownView(node, context),
        formula: (node, opened, getPos) => new FormulaView(node, opened, getPos, about.formulas),
      },
      markViews: { link: (mark) => linkView(mark, links) },
      attributes: ({ doc }) => ({
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': text('Text of the document'),
        spellcheck: 'true',
        ...(isEmptyPage(doc) && { 'aria-placeholder': text('Write, or press / for a block') }),
      }),
      dispatchTransaction(transaction) {
        const next = view.state.apply(withUndoStep(transaction, view.state))
        view.updateState(next)
        onChange(next, transaction)
      },
    },
  )
  Object.assign(context, {
    view,
    onTick: (id) => {
      const transaction = tickWithId(view.state, id)
      if (transaction !== undefined) view.dispatch(transaction)
    },
    onStale,
    onFold: (id) => view.dispatch(toggleFold(view.state, id)),
    onOpenCode: (position) => {
      const end = position + (view.state.doc.nodeAt(position)?.nodeSize ?? 2) - 1
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, end)))
      view.focus()
    },
  } satisfies Partial<ViewContext>)
  const actions = { onComment, onMoveTo, ...(options.onUndo && { onUndo: options.onUndo }) }
  loadPointerToolsLater(view, place, actions, tools.resolve)
  // A page without blocks says so where its text would begin, above what links to it.
  const [first, ...others] = place.querySelectorAll(':scope > .part, :scope > .empty')
  if (first === undefined) place.append(root)
  else first.replaceWith(root)
  for (const part of others) part.remove()
  return {
    view,
    dispatch: (transaction) => view.dispatch(transaction),
    setAbout(id, element) {
      const before = about.of(id)
      const now = about.set(id, element)
      views.get(id)?.showAbout(before, now)
    },
    setBeside(id, element) {
      const before = about.of(id)
      const now = about.setBeside(id, element)
      views.get(id)?.showAbout(before, now)
    },
    addAtEnd: () => addAtEnd(view),
    setColors: (elements) => view.dispatch(setCodeColors(view.state, elements)),
    undo(isRedo, onNothing) {
      const isDone = (isRedo ? redo : undo)(view.state, view.dispatch)
      if (!isDone) onNothing(isRedo)
    },
    focusStart(isWritten) {
      const { tr } = view.state
      if (isWritten && tr.doc.firstChild?.isAtom) tr.insert(0, emptyText())
      view.dispatch(tr.setSelection(Selection.atStart(tr.doc)).scrollIntoView())
      view.focus()
    },
    focusBlock: (id, edge) => focusBlock(view, id, edge),
  }
}

/** True for one empty text without marks. */
export const isEmptyPage = ({ childCount, firstChild }: Node): boolean =>
  childCount === 1 &&
  firstChild !== null &&
  isTextNode(firstChild) &&
  firstChild.content.size === 0 &&
  isPlain(fieldsOfNode(firstChild))

function focusBlock(view: EditorView, id: string, edge: 'start' | 'end'): boolean {
  const { doc, tr } = view.state
  const found = blockWithId(doc, id)
  if (found === undefined) return false
  const selection = found.node.isAtom
    ? BlockRange.create(doc, [found.pos])
    : edge === 'start'
      ? Selection.near(doc.resolve(found.pos + 1), 1)
      : Selection.near(doc.resolve(endOf(found) - 1), -1)
  view.dispatch(tr.setSelection(selection).scrollIntoView())
  view.focus()
  return true
}

/** A block that is not edited here is selected as a whole, by a click and by arrows. */
const selectShown = (): Plugin =>
  new Plugin({
    appendTransaction: (_transactions, _before, { selection, doc, tr }) =>
      selection instanceof NodeSelection && selection.$from.depth === 0
        ? tr.setSelection(BlockRange.create(doc, [selection.from]))
        : null,
  })

/** What the library does by default, for keys that nothing else handles. */
function basicKeys(): Plugin {
  const handle = keydownHandler(baseKeymap)
  return new Plugin({ props: { handleKeyDown: (view, event) => !view.composing && handle(view, event) } })
}
