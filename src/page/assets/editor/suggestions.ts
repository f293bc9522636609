/**
 * Draws what others suggest over the text of the editor. None of it is part of the document: what is typed, copied and
 * saved is the text alone. Loaded once something is suggested.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type { DrawnBlock, DrawnForEditor } from '../../blocks/drawn-block.ts'
import { announce } from '../announcement.ts'
import { calls } from '../calls.ts'
import { idOf, isTextNode } from '../model/page-block.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import type { EditedPage } from '../sync/edited-page.ts'
import type { PageEditor } from './page-editor.ts'
import { BESIDE, marksOf } from './suggested-marks.ts'

/** Milliseconds between a change and reading what is suggested then. */
const PAUSE_MS = 300

const key = new PluginKey<DecorationSet>('suggestions')

/** Decorations move with the text, until the server says where they are now. */
const drawnSuggestions = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, set) =>
        (transaction.getMeta(key) as DecorationSet | undefined) ?? set.map(transaction.mapping, transaction.doc),
    },
    props: { decorations: (state) => key.getState(state) },
  })

export function startSuggestions(page: EditedPage, { view }: Pick<PageEditor, 'view'>): void {
  new Suggestions(page, view).start()
}

class Suggestions {
  readonly #page: EditedPage
  readonly #view: PageEditor['view']
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAny = true

  constructor(page: EditedPage, view: PageEditor['view']) {
    this.#page = page
    this.#view = view
  }

  start(): void {
    const { article, documentId } = this.#page
    const { state } = this.#view
    this.#view.updateState(state.reconfigure({ plugins: [...state.plugins, drawnSuggestions()] }))
    article.addEventListener('submit', (event) => this.#submit(event))
    document.body.addEventListener('spacefeed', (event) => {
      const { documents, isProposal } = (event as CustomEvent<{ documents: string[]; isProposal?: boolean }>).detail
      if (documents.includes(documentId) && (this.#isAny || isProposal)) this.#request()
    })
    // What is written here changes what a suggestion would do.
    calls.addEventListener('outcome', (event) => {
      const { detail } = event as CustomEvent<{ document: string }>
      if (this.#isAny && detail.document === documentId) this.#request()
    })
    document.addEventListener('visibilitychange', () => this.#request())
    inBackground(() => this.#read())
  }

  #request(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => inBackground(() => this.#read()), PAUSE_MS)
  }

  async #read(): Promise<void> {
    if (document.hidden) return
    const { base, documentId, pageId } = this.#page
    const { pathname, search } = location
    // What is typed here is drawn as it is typed.
    const own = () => document.body.dataset.suggested ?? ''
    const without = own()
    const query = new URLSearchParams({ page: pageId, back: `${pathname.slice(base.length)}${search}`, without })
    try {
      const response = await fetch(`${base}/d/${documentId}/suggestions?${query}`)
      const drawn = response.ok ? ((await response.json()) as DrawnForEditor) : undefined
      const pending = await calls.pending(documentId)
      // The server may have what is suggested here before this page knows its ID.
      if (own() !== without || pending.some(({ suggest }) => suggest !== undefined)) this.#request()
      else if (drawn !== undefined) this.#draw(drawn)
    } catch (error) {
      // Without a connection, those that are drawn stay. The next change reads again.
      console.error(error)
    }
  }

  #draw(drawn: DrawnForEditor): void {
    this.#isAny = drawn.count > 0
    const { article } = this.#page
    const { state } = this.#view
    const blocks = new Map(drawn.blocks.map((block) => [block.id, block]))
    const decorations: Decoration[] = []
    if (drawn.start !== '') decorations.push(belowAt(0, drawn.start))
    state.doc.forEach((node, position) => {
      const block = blocks.get(idOf(node))
      if (block === undefined) return
      blocks.delete(block.id)
      decorations.push(...decorationsOf(node, position, block))
    })
    this.#view.dispatch(
      state.tr.setMeta(key, DecorationSet.create(state.doc, decorations)).setMeta('addToHistory', false),
    )
    // Those for the rows of a collection are part of it.
    const rest = [...blocks.values()].filter(
      ({ id }) => article.querySelector(`[data-item="${CSS.escape(id)}"]`) === null,
    )
    this.#drawAround(drawn.above, rest.map(({ below }) => below).join(''))
  }

  /** What stands above the text, and what has no place in it. */
  #drawAround(above: string, rest: string): void {
    const { article } = this.#page
    const { dom } = this.#view
    for (const old of article.querySelectorAll(':scope > .suggestions')) old.remove()
    dom.insertAdjacentHTML('beforebegin', above)
    if (rest !== '')
      dom.insertAdjacentHTML(
        'afterend',
        `<section class="suggestions elsewhere"><h2>${text('Suggested elsewhere in this document')}</h2>${rest}</section>`,
      )
  }

  /** Decides without leaving the page. */
  #submit(event: SubmitEvent): void {
    const { target, submitter } = event
    if (!(target instanceof HTMLFormElement) || target.closest('.suggestion, .suggestions') === null) return
    event.preventDefault()
    const body = new URLSearchParams([...new FormData(target)].map(([name, value]) => [name, String(value)]))
    if (submitter instanceof HTMLButtonElement) submitter.disabled = true
    inBackground(async () => {
      try {
        const response = await fetch(target.action, { method: 'POST', headers: { 'hx-request': 'true' }, body })
        const isRefused =
          !response.ok || (response.headers.get('x-leads-to')?.includes('notice=suggestions-changed') ?? false)
        if (isRefused) announce(decodeURIComponent(response.headers.get('x-refusal') ?? '') || CHANGED)
      } catch {
        announce(text('The server cannot be reached. Try again.'))
      }
      await this.#read()
    })
  }
}

const CHANGED = text('This suggestion would now change something else. Read it again.')

function decorationsOf(node: Node, position: number, { look, words, below }: DrawnBlock): Decoration[] {
  const end = position + node.nodeSize
  const inText = isTextNode(node) ? words : undefined
  const html = inText?.below ?? below
  return [
    ...(look === '' ? [] : [Decoration.node(position, end, { class: look })]),
    ...(inText === undefined ? [] : marksOf(node, position, inText)),
    ...(html === '' ? [] : [belowAt(end, html)]),
  ]
}

/** What stands between two blocks. */
const belowAt = (position: number, html: string): Decoration =>
  Decoration.widget(
    position,
    () => {
      const element = document.createElement('div')
      element.className = 'suggested-below'
      element.contentEditable = 'false'
      element.innerHTML = html
      return element
    },
    { ...BESIDE, side: -1, key: html },
  )
