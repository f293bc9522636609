/** Edits the title of a page in place: one line of text with marks. */
import { baseKeymap } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { Fragment, type Node } from 'prosemirror-model'
import { type Command, EditorState, Plugin, Selection, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { mergeTexts } from '../../../difference/merge-texts.ts'
import { type Title, writeTitle } from '../../../markdown/inline-title.ts'
import { schema } from '../model/editor-schema.ts'
import { readContent, writeContent } from '../model/inline-nodes.ts'
import { besideCaret, updateText } from '../model/node-update.ts'
import { REMOTE } from '../model/page-merge.ts'
import { text } from '../page-text.ts'
import { type EditedPage, setTitleOfPage, titleOfPage } from '../sync/edited-page.ts'
import { type PageQueue, TYPING_PAUSE_MS } from '../sync/page-queue.ts'
import { openLinkField } from './link-field.ts'
import { caretReader, readCaret } from './read-caret.ts'
import { toggleBold, toggleCode, toggleItalic } from './text-marks.ts'
import { contentOfTitle, isSameTitle, titleOfContent } from './title-content.ts'

export interface TitleEditor {
  /** Shows the title that the server has, with what was typed since. */
  receive(title: Title): void
  /** Queues what was typed. */
  save(): void
  /** Shows the title that the server has. */
  takeBackTyped(): void
  /** Shows a title that was suggested before. */
  showSuggested(title: Title): void
  focus(): void
  /** Takes the last change back, or redoes it. @returns false if nothing of this session is left */
  takeBack(isRedo: boolean): boolean
}

export interface TitleOptions {
  page: EditedPage
  queue: PageQueue
  /** Moves the caret to the text below. @param isEnter  true to write there, which needs a text */
  onLeave: (isEnter: boolean) => void
  /** Undo and redo when nothing of this session is left. */
  onUndo: (isRedo: boolean) => void
  /** Called after each change that is made here. */
  onChange: () => void
}

/** A title that the server has, or will have. What has too many marks to be stored is refused there. */
interface SentTitle {
  title: Title
  markdown: string
}

const asSent = (title: Title): SentTitle => ({ title, markdown: writeTitle(title) })

/** @returns undefined if the title cannot be changed, as that of a daily note */
export function createTitleEditor({ page, queue, onLeave, onUndo, onChange }: TitleOptions): TitleEditor | undefined {
  const { article, pageId } = page
  const heading = article.querySelector<HTMLElement>(':scope > h1')
  const title = titleOfPage(page)
  if (heading === null || title === undefined) return undefined
  /** The title that the server has, or will have. */
  let sent = asSent(title)
  const host = document.createElement('span')
  heading.classList.add('editable')
  heading.replaceChildren(host)

  let pause: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(pause)
    const typed = titleOfContent(view.state.doc.content)
    const isSame = isSameTitle(typed, sent.title)
    // An empty title is not saved: the page keeps the previous one.
    if (typed.value === '') return
    if (queue.isSuggesting) return queue.suggestTitle(isSame ? undefined : typed, sent.markdown)
    if (isSame) return
    queue.changeTitle(typed, sent.markdown)
    sent = { title: typed, markdown: writeContent(view.state.doc.content) }
  }
  /** A suggestion is no draft: it is not written later. */
  const keepDraft = () => {
    if (queue.isSuggesting) return markSuggested()
    const typed = titleOfContent(view.state.doc.content)
    if (typed.value === '' || isSameTitle(typed, sent.title)) return queue.store.remove('draft', pageId)
    const { value: text, attributes } = typed
    const fields = { type: 'page' } as const
    queue.store.put('draft', { blockId: pageId, fields, text, attributes, expected: sent.markdown })
  }
  const markSuggested = () => {
    const isSuggested = !isSameTitle(titleOfContent(view.state.doc.content), sent.title)
    heading.className = `editable${isSuggested ? ` suggested by-${page.suggestTone ?? 1}` : ''}`
  }
  const leave =
    (isEnter: boolean): Command =>
    () => {
      onLeave(isEnter)
      return true
    }
  const takeBack = (isRedo: boolean): boolean => (isRedo ? redo : undo)(view.state, view.dispatch)
  const undoKey =
    (isRedo: boolean): Command =>
    () => {
      if (!takeBack(isRedo)) onUndo(isRedo)
      return true
    }
  const leaveAll: Command = (_state, _dispatch, opened) => {
    opened?.dom.blur()
    return true
  }
  const view = new EditorView(
    { mount: host },
    {
      state: EditorState.create({
        doc: docOf(contentOfTitle(sent.title)),
        plugins: [
          caretReader(),
          keymap({
            ...{ Enter: leave(true), 'Shift-Enter': leave(true), ArrowDown: leave(false), Escape: leaveAll },
            ...{ 'Mod-b': toggleBold, 'Mod-i': toggleItalic, 'Mod-e': toggleCode },
            'Mod-k': (_state, _dispatch, opened) => opened !== undefined && openLinkField(opened),
            ...{ 'Mod-z': undoKey(false), 'Mod-y': undoKey(true), 'Mod-Shift-z': undoKey(true) },
          }),
          keymap(baseKeymap),
          history(),
          onOneLine(),
        ],
      }),
      attributes: ({ doc }) => ({
        class: doc.content.size === 0 ? 'empty-title' : '',
        role: 'textbox',
        'aria-label': text('Title'),
        spellcheck: 'true',
      }),
      clipboardTextParser: (text, $context) =>
        docOf(
          Fragment.from(text.trim() === '' ? [] : [schema.text(text.replace(/\s+/g, ' '), $context.marks())]),
        ).slice(0),
      handleDOMEvents: {
        blur: () => {
          save()
          return false
        },
      },
      dispatchTransaction(transaction) {
        view.updateState(view.state.apply(transaction))
        if (!transaction.docChanged || transaction.getMeta(REMOTE)) return
        keepDraft()
        clearTimeout(pause)
        pause = setTimeout(save, TYPING_PAUSE_MS)
        onChange()
      },
    },
  )
  const showTyped = (typed: Title) => {
    view.dispatch(withContent(view.state, contentOfTitle(typed)))
    keepDraft()
    save()
  }
  return {
    save,
    focus() {
      view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)))
      view.focus()
    },
    takeBack(isRedo) {
      const isDone = takeBack(isRedo)
      if (isDone && !view.hasFocus()) save()
      return isDone
    },
    receive(now) {
      if (isSameTitle(now, sent.title)) return setTitleOfPage(page, now)
      readCaret(view)
      const merged = mergeTitle(sent, view.state.doc.content, now)
      // Both changed the same words: what was typed is sent, refused, and shown beside the other one.
      if (merged === undefined) return
      setTitleOfPage(page, now)
      sent = asSent(now)
      view.dispatch(withContent(view.state, merged))
      keepDraft()
      if (queue.isSuggesting) save()
    },
    takeBackTyped: () => showTyped(sent.title),
    showSuggested: showTyped,
  }
}

const docOf = (content: Fragment): Node => schema.nodes.text_block.create(null, content)

/** @returns undefined if both changed the same words */
function mergeTitle(sent: SentTitle, content: Fragment, now: Title): Fragment | undefined {
  const typed = titleOfContent(content)
  if (isSameTitle(typed, sent.title) || typed.value === '') return contentOfTitle(now)
  const merged = mergeTexts(sent.markdown, writeContent(content), writeTitle(now))
  return merged === undefined ? undefined : readContent(merged)
}

/** Changes only what differs, so that the caret keeps its place. */
function withContent({ doc, tr }: EditorState, content: Fragment): Transaction {
  besideCaret(tr, () => updateText(tr, 0, doc.content, content))
  return tr.setMeta('addToHistory', false).setMeta(REMOTE, true)
}

/** Pasted and dropped line ends, formulas and pictures become text. */
const onOneLine = (): Plugin =>
  new Plugin({
    appendTransaction: (_transactions, _before, { doc, tr }) => {
      doc.descendants((node, position) => {
        if (node.type !== schema.nodes.line_break) return
        tr.replaceWith(tr.mapping.map(position), tr.mapping.map(position + 1), schema.text(' ', node.marks))
      })
      return tr.docChanged ? tr : null
    },
  })
