/** Edits a document: connects its editor with the queue of calls, and with what others change. */

import type { OwnSuggestions } from '../blocks/suggested-text-blocks.ts'
import { PageLinks } from '../page-links.ts'
import { announce } from './announcement.ts'
import { elementId } from './editor/block-view.ts'
import type { CommentedWords } from './editor/commented-words.ts'
import { INSERTED, insertShown, placeOrLast } from './editor/inserted-blocks.ts'
import { Conflicts } from './editor/later-conflicts.ts'
import { createEditor, isEmptyPage, type PageEditor } from './editor/page-editor.ts'
import { PageUpdates } from './editor/page-updates.ts'
import { Pasting } from './editor/pasting.ts'
import { readCaret } from './editor/read-caret.ts'
import type { InsertedKind } from './editor/slash-kinds.ts'
import { openTextField } from './editor/text-field.ts'
import { createTitleEditor } from './editor/title-editor.ts'
import { leavesUpward } from './editor/title-keys.ts'
import { REMOTE } from './model/page-merge.ts'
import { PageModel } from './model/page-model.ts'
import { titleStep } from './model/page-step.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { type EditedPage, findEditedPage } from './sync/edited-page.ts'
import { PageQueue } from './sync/page-queue.ts'
import { blockElements, blockOfElement } from './sync/rendered-blocks.ts'
import { flushBeforeSignOut, isHiddenOnly } from './unsent.ts'

/** Milliseconds after which a script that could not be loaded is asked for again. */
const RETRY_MS = 5_000

const page = findEditedPage()
if (page?.suggestTone !== undefined)
  loadLater(
    async () => {
      const mode = await import('./sync/suggest-mode.ts')
      return { mode, own: await mode.readOwnSuggestions(page) }
    },
    ({ mode, own }) => start(page, mode, own),
  )
else if (page !== undefined) start(page)

/** Loads a script, and tries again while it cannot be loaded. */
function loadLater<Script>(load: () => Promise<Script>, use: (script: Script) => void): void {
  load().then(use, (error: unknown) => {
    console.error(error)
    setTimeout(() => loadLater(load, use), RETRY_MS)
  })
}

/** @param mode  given where what is typed is only suggested @param own  what was suggested before */
function start(page: EditedPage, mode?: typeof import('./sync/suggest-mode.ts'), own?: OwnSuggestions): void {
  const { article } = page
  document.documentElement.classList.add('edits')
  const elements = new Map(blockElements(article).map((element) => [element.id.slice(1), element]))
  const model = new PageModel(page.pageId, [...elements.values()].map(blockOfElement))
  const edited = {
    get state() {
      return editor.view.state
    },
    get current() {
      readCaret(editor.view)
      return editor.view.state
    },
    dispatch: (...given: Parameters<PageEditor['dispatch']>) => editor.dispatch(...given),
  }
  const queue = new (mode?.SuggestQueue ?? PageQueue)(page, model, edited)
  const undoEarlier = (isRedo: boolean) => {
    if (mode === undefined) inBackground(() => loadUndo(page, queue, isRedo))
  }
  const undoTitle = (isRedo: boolean) => title?.takeBack(isRedo) || undoEarlier(isRedo)
  const undoText = (isRedo: boolean) => editor.undo(isRedo, undoEarlier)
  /** Outside of the text, the editor that was used last comes first. */
  let isTitleLast = false
  const pasting = new Pasting(page, queue, () => editor.view)
  let chooseFiles: (after: string) => void = sayOffline
  const insert = (kind: InsertedKind, after: string) => {
    if (kind === 'file') return chooseFiles(after)
    const { fields, step } = INSERTED[kind]
    const { state } = editor.view
    const { name, transaction } = insertShown(state, placeOrLast(state, after), { fields, markdown: '' })
    queue.insert(transaction, name, step)
    if (fields.type !== 'page' || queue.isSuggesting) return
    openTextField(editor.view, {
      ...{ value: '', placeholder: text('Untitled'), label: text('Name of the page'), isTakenOnLeave: true },
      over: document.getElementById(elementId(name)),
      onSubmit(value) {
        if (value !== '') queue.write(titleStep(model.idOf(name), { value, attributes: [] }))
        return true
      },
    })
  }
  const editor: PageEditor = createEditor({
    place: article,
    links: new PageLinks(page.base, page.spaceId),
    doc: model.createDocument(),
    elements: (id) => elements.get(id),
    onChange(_state, transaction) {
      const isRemote = transaction.getMeta(REMOTE) === true
      if (transaction.docChanged && !isRemote) isTitleLast = false
      queue.changed(transaction.before, transaction)
      if (transaction.docChanged) conflicts.follow(isRemote)
    },
    onPaste: (data) => pasting.paste(data),
    onInsert: insert,
    onUndo: undoTitle,
    onComment: openComment,
    onMoveTo: (ids) =>
      inBackground(async () => {
        const { chooseDocument } = await import('./editor/document-choice.ts')
        chooseDocument(page.base, text('Move to'), (id, title) => {
          queue.moveAway(ids, id)
          announce(text('Moving to {title}', { title }))
        })
      }),
    onStale: (id) => updates.request(id),
    plugins: [
      leavesUpward(() => title?.focus()),
      ...(mode === undefined
        ? []
        : [
            mode.ownSuggestions({
              sent: () => model.sent,
              tone: page.suggestTone ?? 1,
              withdraw: (id) => queue.withdraw([id]),
            }),
          ]),
    ],
  })
  const title = createTitleEditor({
    ...{ page, queue, onUndo: undoText },
    onChange() {
      isTitleLast = true
    },
    onLeave: (isEnter) => editor.focusStart(isEnter),
  })
  queue.onTitleRejected = () => title?.takeBackTyped()
  const conflicts = new Conflicts({ page, editor, queue, refresh: (id) => updates.request(id) })
  const updates = new PageUpdates({
    ...{ page, queue, editor, title },
  })
  queue.onFailure = (error) => {
    console.error(error)
    announce(
      text(
        'This browser could not keep a change: its storage is full or closed. Copy what you wrote before you leave.',
      ),
    )
  }
  queue.onOutcome = () => conflicts.saveRefused()
  queue.onDue = () => updates.request()
  if (own?.title !== undefined) title?.showSuggested(own.title)
  if (own !== undefined) queue.resume(own)
  queue.start()
  pasting.start()
  updates.start()
  loadLater(
    () => import('./editor/around-editor.ts'),
    ({ startAround, fileChooser }) => {
      chooseFiles = fileChooser((files, after) => pasting.addFiles(files, after))
      startAround(page, editor, updates)
    },
  )
  for (const id of queue.store.conflicts) conflicts.show(id)
  queue.store.onOtherTab((id) => {
    conflicts.show(id)
    updates.request(id)
  })
  inBackground(() => conflicts.saveRefused())
  startKeys(editor, (isRedo) => {
    if (!isTitleLast) editor.undo(isRedo, undoTitle)
    else if (!title?.takeBack(isRedo)) undoText(isRedo)
  })
  showTarget(editor, updates)

  // Typed text is stored in the browser already. Send what can be sent.
  const flush = () => {
    queue.flush()
    title?.save()
  }
  flushBeforeSignOut(() => {
    flush()
    return queue.kept()
  })
  document.addEventListener('visibilitychange', () => {
    if (isHiddenOnly()) flush()
  })
}

/** For what is loaded later, as long as it is not there. */
function sayOffline(): void {
  announce(text('You are offline. Try again later.'))
}

/** Few undo what they did before they opened the page. */
async function loadUndo(page: EditedPage, queue: PageQueue, isRedo: boolean): Promise<void> {
  const loaded = await import('./sync/page-undo.ts').catch(sayOffline)
  await loaded?.undoInHistory(page, queue, isRedo)
}

/** Keys outside of the text. */
function startKeys(editor: PageEditor, undo: (isRedo: boolean) => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (target !== document.body && target !== document.documentElement) return
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() !== 'z') return
      event.preventDefault()
      undo(event.shiftKey)
    } else if (key === 'e' && !event.altKey) {
      event.preventDefault()
      editor.addAtEnd()
    }
  })
}

/** Opens the form for a comment on a block, or on words in it. */
function openComment(id: string, words?: CommentedWords): void {
  const block = document.getElementById(`b${id}`)
  const link = block?.querySelector<HTMLElement>('.who a[href*="/comments/new"]')
  if (link instanceof HTMLAnchorElement) openCommentOn(link, words)
  else announce(text('The block is not stored yet. Try again in a moment.'))
}

function openCommentOn(link: HTMLAnchorElement, about: CommentedWords | undefined): void {
  if (about === undefined) {
    link.click()
    return
  }
  const { href } = link
  const address = new URL(href)
  address.searchParams.set('words', about.words)
  address.searchParams.set('start', String(about.start))
  link.href = address.href
  link.click()
  link.href = href
}

/**
 * The block that the address names has another element now. After *New document*, the caret is in the text, as in every
 * page that is empty, so that no letter is lost. On phones, the keyboard would cover it.
 */
function showTarget(editor: PageEditor, updates: PageUpdates): void {
  const { dom, state } = editor.view
  const { hash } = location
  if (hash === '#write') {
    history.replaceState(null, '', location.pathname + location.search)
    editor.addAtEnd()
    const { typed = '' } = document.body.dataset
    if (typed !== '') editor.dispatch(editor.view.state.tr.insertText(typed))
  } else if (/^#b\w+$/.test(hash)) document.getElementById(hash.slice(1))?.scrollIntoView()
  else if (
    isEmptyPage(state.doc) &&
    document.activeElement === document.body &&
    !matchMedia('(pointer: coarse)').matches
  ) {
    editor.addAtEnd()
    updates.isOnlyRead = true
    for (const type of ['keydown', 'pointerdown', 'beforeinput'])
      dom.addEventListener(type, () => Object.assign(updates, { isOnlyRead: false }), { once: true })
  }
}
