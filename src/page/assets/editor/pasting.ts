/** Content that is pasted or dropped: Markdown and HTML become blocks, pictures and files are added as files. */
import { Fragment, Slice } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { PASTED_TEXT_LENGTH } from '../../../base/limits/browser-limits.ts'
import { FILE_BYTES } from '../../../base/limits/file-limits.ts'
import type { Block } from '../../../markdown/block.ts'
import { hasTitle } from '../../../markdown/block-traits.ts'
import { announce, endAnnouncement } from '../announcement.ts'
import { schema } from '../model/editor-schema.ts'
import { readContent } from '../model/inline-nodes.ts'
import { isCodeNode } from '../model/page-block.ts'
import { inBackground } from '../page-background.ts'
import { count, text } from '../page-text.ts'
import { hasHtml, type PastedContent, pastedContent, plainContent } from '../pasted/pasted-content.ts'
import type { EditedPage } from '../sync/edited-page.ts'
import type { PageQueue } from '../sync/page-queue.ts'
import { blockAround } from './block-place.ts'
import { insertShown, placeOrLast } from './inserted-blocks.ts'
import { linkToPage } from './pasted-address.ts'
import { isSafeAddress, setLink } from './text-marks.ts'

export class Pasting {
  readonly #page: EditedPage
  readonly #queue: PageQueue
  readonly #view: () => EditorView

  /** @param view  of the editor, once there is one */
  constructor(page: EditedPage, queue: PageQueue, view: () => EditorView) {
    this.#page = page
    this.#queue = queue
    this.#view = view
  }

  /** Takes files that are dropped anywhere on the page, except on a form. */
  start(): void {
    document.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files') || isOnForm(event)) return
      event.preventDefault()
      showDrop(this.#page.article, event.target)
    })
    // Before the editor, which would insert the names of the files.
    document.addEventListener('drop', (event) => isOnForm(event) || this.#drop(event), { capture: true })
  }

  /** @returns false if plain text is to be inserted as it is */
  paste(data: DataTransfer): boolean {
    const { state } = this.#view()
    const files = [...data.files]
    if (files.length > 0 && !data.types.includes('text/plain')) {
      this.addFiles(files, String(blockAround(state.selection.$to).node.attrs.id))
      return true
    }
    const { markdown } = plainContent(data)
    const { selection } = state
    if (isCodeNode(selection.$from.parent)) return false
    if (isAddress(markdown)) return this.#pasteAddress(markdown)
    if (hasHtml(data)) {
      this.#insertLater(pastedContent(data))
      return true
    }
    if (markdown === '') return false
    if (markdown.includes('\n') || BEGINS_BLOCK.test(markdown)) this.#insertLater(Promise.resolve(plainContent(data)))
    // Spaces around a part of a line belong to it.
    else this.#insertText(data.getData('text/plain'))
    return true
  }

  /** Adds files after a block. */
  addFiles(files: readonly File[], after: string): void {
    let beside = after
    const taken = files.filter(({ size }) => size <= FILE_BYTES)
    for (const file of taken) {
      const view = this.#view()
      const shown = { fields: { type: 'file' }, markdown: `${file.name || text('Picture')} …` } as const
      const { name, transaction } = insertShown(view.state, placeOrLast(view.state, beside), shown)
      this.#queue.insertFile(transaction, name, file)
      beside = name
    }
    if (taken.length > 0) {
      const message = count(taken.length, { one: 'Adding the file', other: 'Adding {n} files' })
      announce(message)
      inBackground(() => this.#queue.sendAll().then(() => endAnnouncement(message)))
    }
    if (taken.length < files.length) refuseLarge(files.filter((file) => !taken.includes(file)))
  }

  #drop(event: DragEvent): void {
    showDrop(this.#page.article)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('.part > .block') : null
    const { doc } = this.#view().state
    this.addFiles(files, target?.id.slice(1) ?? String(doc.lastChild?.attrs.id ?? ''))
  }

  /** An address on selected text links it. The address of a page of this space becomes a link with its title. */
  #pasteAddress(address: string): boolean {
    const view = this.#view()
    const { selection } = view.state
    const isOnText = selection instanceof TextSelection && !selection.empty && selection.$from.sameParent(selection.$to)
    const link = linkToPage(address, this.#page.base)
    if (isOnText) {
      view.dispatch(setLink(view.state, link?.url ?? address).scrollIntoView())
      return true
    }
    if (link === undefined) this.#insertText(address)
    else
      inBackground(async () => {
        const title = await link.title()
        this.#insertText(title === undefined ? address : `[${title}](${link.url})`)
      })
    return true
  }

  #insertText(markdown: string): void {
    const view = this.#view()
    const [before = '', after = ''] = [/^\s+/, /\s+$/].map((spaces) => spaces.exec(markdown)?.[0])
    const content = [textIn(before), readContent(markdown), textIn(after)]
    const all = content.reduce((joined, one) => joined.append(one), Fragment.empty)
    const slice = new Slice(all, 0, 0)
    view.dispatch(view.state.tr.replaceSelection(slice).setMeta('paste', true).scrollIntoView())
  }

  /** Converting takes a moment. Until then, the document is busy. */
  #insertLater(converted: Promise<PastedContent>): void {
    const { article } = this.#page
    article.setAttribute('aria-busy', 'true')
    inBackground(() =>
      converted.then((content) => this.#insert(content)).finally(() => article.removeAttribute('aria-busy')),
    )
  }

  async #insert({ markdown, blocks, notKept }: PastedContent): Promise<void> {
    if (markdown.length > PASTED_TEXT_LENGTH) {
      announce(text('Not pasted: the text is too long. Paste it in parts, or import it as a file.'))
      return
    }
    if (markdown !== '') {
      const read = blocks ?? (await readMarkdown(markdown))
      if (read === undefined) this.#insertText(markdown.replace(/\s*\n\s*/g, ' '))
      else if (read.some(({ type, content }) => hasTitle(type) || content !== undefined)) this.#insertByCall(markdown)
      else {
        // As reading pasted text, writing it is loaded when it is first needed.
        const [{ blockMarkdown }, { insertPasted, nodesOf }] = await Promise.all([
          import('../../../markdown/write-markdown.ts'),
          import('./pasted-blocks.ts'),
        ])
        const view = this.#view()
        view.dispatch(insertPasted(view.state, nodesOf(read, blockMarkdown)).setMeta('paste', true).scrollIntoView())
      }
    }
    if (notKept.length > 0) announce(notKept.join(' '))
  }

  /** Pages with content of their own are made by the server. */
  #insertByCall(markdown: string): void {
    const { state } = this.#view()
    const shown = { fields: { type: 'page' }, markdown: '…' } as const
    const { name, transaction } = insertShown(state, blockAround(state.selection.$to), shown)
    this.#queue.insert(transaction, name, (position) => ({ tool: 'blocks_add', arguments: { markdown, position } }))
  }
}

/** Marks where dropped files would go: after the block under the pointer, or at the end. @param at  nothing once it is over */
function showDrop(article: HTMLElement, at?: EventTarget | null): void {
  const over =
    at instanceof Element ? (at.closest('.part > .block') ?? article.querySelector('.part > :last-child')) : null
  for (const one of article.querySelectorAll('.takes-files')) if (one !== over) one.classList.remove('takes-files')
  over?.classList.add('takes-files')
  clearTimeout(dropEnds)
  // Browsers say nothing when what is dragged leaves the window, and tell several times a second while it stays.
  if (over !== null) dropEnds = setTimeout(() => showDrop(article), DROP_ENDS_MS)
}

const DROP_ENDS_MS = 800
let dropEnds: ReturnType<typeof setTimeout> | undefined

const refuseLarge = (files: readonly File[]): void =>
  announce(
    text('Not added: {names}. A file may have {size} MiB.', {
      names: files.map(({ name }) => name).join(', '),
      size: FILE_BYTES / 1024 ** 2,
    }),
  )

const textIn = (text: string): Fragment => (text === '' ? Fragment.empty : Fragment.from(schema.text(text)))

const BEGINS_BLOCK = /^(?:#{1,6} |[-*+] |\d+[.)] |> |```|\||!\[|<)/

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text) && isSafeAddress(text)

/** @returns undefined for Markdown that cannot be read, after saying why */
async function readMarkdown(markdown: string): Promise<Block[] | undefined> {
  const { readPasted } = await import('../pasted/read-pasted.ts')
  try {
    return readPasted(markdown)
  } catch (error) {
    announce(`${text('Pasted as one line of text.')} ${error instanceof Error ? error.message : ''}`.trim())
    return undefined
  }
}

const isOnForm = ({ target }: Event): boolean => target instanceof Element && target.closest('dialog, form') !== null
