/**
 * What a person changes, as calls: each change is one call, with the text that it began from. The page shows it at once,
 * and calls.ts brings it to the server.
 */
import type { Title } from '../../../../markdown/inline-title.ts'
import { calls, isName, newName } from '../../calls.ts'
import {
  applyFields,
  blockElement,
  blockId,
  fieldsOf,
  markdownOf,
  newElement,
  renumber,
  wordsOf,
} from '../blocks/block-element.ts'
import { type Fields, markdownFor } from '../blocks/block-text.ts'
import { type EditedPage, say } from '../blocks/edited-page.ts'
import { type KeptWords, WordsStore } from './kept-words.ts'
import { type BlockPosition, type Step, titleStep } from './page-step.ts'
import { RefusedChanges } from './refused-changes.ts'

export class PageWriter {
  readonly page: EditedPage
  readonly store: WordsStore
  /** The last call, as long as it is only a change of the words of one block that may be changed further. */
  #last: { order: number; blockId: string } | undefined
  /** How many changes there were. */
  #changes = 0
  readonly #refused = new RefusedChanges(this)
  /** The IDs that blocks had before they were added again. */
  readonly #addedAgain = new Set<string>()
  /** Changes that are on their way to the queue. */
  #keeping: Promise<unknown> = Promise.resolve()
  /** What shows words that could not be written. */
  onConflict: (kept: KeptWords) => void = () => {}
  /** A choice was made in another tab. @param id  of the block */
  onSettled: (id: string) => void = () => {}
  /** What goes on in a block that was deleted. @returns whether its words are kept by that */
  onGone: (id: string) => boolean = () => false

  constructor(page: EditedPage) {
    this.page = page
    this.store = new WordsStore(page.base, page.documentId)
  }

  /** The step that gives a block new words and fields; the element has them afterwards. */
  wordsStep(element: HTMLElement, fields: Fields, words: string): Step {
    const expectedMarkdown = markdownOf(element)
    const markdown = markdownFor(fields, words)
    applyFields(element, fields)
    element.dataset.markdown = markdown
    const indentationLevel = fields.indentationLevel ?? 0
    const change = { id: blockId(element), markdown, expectedMarkdown, indentationLevel }
    return { tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }
  }

  /** Changes the words of a block alone. What was not sent yet is changed once. */
  changeWords(element: HTMLElement, fields: Fields, words: string): void {
    const id = blockId(element)
    const step = this.wordsStep(element, fields, words)
    const [change] = step.arguments.blocks as { markdown: string; indentationLevel: number }[]
    this.#enqueue(async () => {
      const last = this.#last
      const isAmended =
        last?.blockId === id &&
        change !== undefined &&
        (await calls.amend(last.order, (call) => {
          const [begun] = call.arguments.blocks as object[]
          const { markdown, indentationLevel } = change
          return { ...call, arguments: { ...call.arguments, blocks: [{ ...begun, markdown, indentationLevel }] } }
        }))
      if (!isAmended) {
        const order = await this.keep([step])
        this.#last = { order, blockId: id }
      }
      // Its name may have become an ID meanwhile.
      for (const one of new Set([id, blockId(element)])) {
        if (this.store.get('draft', one)?.words === words) this.store.remove('draft', one)
      }
    })
  }

  /** Gives the page another title. @param expected  the words of the one that it had */
  changeTitle(title: Title, expected: string): void {
    const { article, pageId } = this.page
    article.dataset.title = title.value
    this.#enqueue(async () => {
      await this.keep([titleStep(pageId, title, expected)])
      this.#last = undefined
      const draft = this.store.get('draft', pageId)
      const isSent =
        draft?.words === title.value && JSON.stringify(draft.attributes) === JSON.stringify(title.attributes)
      if (isSent) this.store.remove('draft', pageId)
    })
  }

  /** Sets the state of a task, which moves from the inbox to the logbook by it. */
  setTask(element: HTMLElement, state: 'todo' | 'done'): void {
    const fields = fieldsOf(element)
    const words = wordsOf(element)
    const changed: Fields = { ...fields, taskInfo: { state } }
    applyFields(element, changed)
    element.dataset.markdown = markdownFor(changed, words)
    element.querySelector('.box')?.setAttribute('aria-checked', String(state === 'done'))
    this.write({
      tool: 'blocks_update',
      arguments: { blocks: [{ id: blockId(element), taskInfo: { state } }], answer: 'ids' },
    })
  }

  /** Makes one change of several steps: all or none. */
  write(...steps: Step[]): void {
    this.#enqueue(async () => {
      await this.keep(steps)
      this.#last = undefined
    })
  }

  /** Adds a file where it was dropped. @returns what stands for its ID */
  addFile(file: File, position: BlockPosition): string {
    const name = newName()
    const given = { ...position, ...(file.name !== '' && { fileName: file.name }) }
    this.#enqueue(() =>
      calls.keep({
        document: this.page.documentId,
        tool: 'files_add',
        arguments: given,
        file,
        names: { [name]: 'blockId' },
        isKept: true,
      }),
    )
    return name
  }

  /** A new block with words, on the page and as a step. */
  addStep(position: BlockPosition, fields: Fields, words: string): { step: Step; element: HTMLElement } {
    const name = newName()
    const element = newElement(name, fields, words)
    this.place(element, position)
    const indentationLevel = fields.indentationLevel ?? 0
    const added = { type: fields.type, markdown: markdownFor(fields, words), indentationLevel }
    return { step: { tool: 'blocks_add', arguments: { blocks: [added], position }, name }, element }
  }

  /** Adds a block that was deleted, under a name of its own. */
  addAgain(element: HTMLElement, words: string, position: BlockPosition): void {
    this.#addedAgain.add(blockId(element))
    const fields = fieldsOf(element)
    const name = newName()
    element.id = `b${name}`
    element.dataset.markdown = markdownFor(fields, words)
    const added = {
      type: fields.type,
      markdown: element.dataset.markdown,
      indentationLevel: fields.indentationLevel ?? 0,
    }
    this.write({ tool: 'blocks_add', arguments: { blocks: [added], position }, name })
  }

  /** Whether a block was added again: what was changed under its old ID before is in it. */
  wasAddedAgain(id: string): boolean {
    return this.#addedAgain.has(id)
  }

  /** Puts an element where a position says. */
  place(element: HTMLElement, position: BlockPosition): void {
    const { article } = this.page
    if ('siblingId' in position) {
      const sibling = blockElement(position.siblingId)
      if (position.position === 'before') sibling?.before(element)
      else sibling?.after(element)
    } else {
      const parts = article.querySelectorAll<HTMLElement>('.part')
      const part = position.position === 'start' ? parts[0] : parts[parts.length - 1]
      const place = part ?? this.#newPart()
      if (position.position === 'start') place.prepend(element)
      else place.append(element)
    }
    article.querySelector(':scope > .empty')?.remove()
    renumber(article)
  }

  #newPart(): HTMLElement {
    const part = document.createElement('div')
    part.className = 'part'
    const { article } = this.page
    const before = article.querySelector(':scope > .empty, :scope > .backlinks')
    if (before === null) article.append(part)
    else before.before(part)
    return part
  }

  /** Resolves once everything that was changed is kept in the browser. */
  async kept(): Promise<void> {
    await this.#keeping
  }

  /** A number that is another after each change. */
  get changes(): number {
    return this.#changes
  }

  /** One after another, so that calls are kept in the order of the changes. */
  #enqueue(work: () => Promise<unknown>): void {
    this.#changes++
    this.#keeping = this.#keeping.then(work).catch((error) => {
      console.error(error)
      say('This browser could not keep a change: its storage is full or closed. Copy what you wrote before you leave.')
    })
  }

  /** Keeps steps as one call, behind those that wait. @returns the place of the call in the order */
  keep(steps: readonly Step[]): Promise<number> {
    const [step] = steps
    const common = { document: this.page.documentId, isKept: true } as const
    if (step !== undefined && steps.length === 1) {
      const { tool, name, idAt = 'items.0.id' } = step
      return calls.keep({
        ...common,
        tool,
        arguments: step.arguments,
        ...(name !== undefined && { names: { [name]: idAt } }),
      })
    }
    const names = steps.flatMap(({ name }, index) => (name === undefined ? [] : [[name, `items.${index}.ids.0`]]))
    return calls.keep({
      ...common,
      tool: 'batch',
      // The answers of the steps are IDs, as over MCP.
      arguments: { steps: steps.map(({ tool, arguments: input }) => ({ tool, arguments: input })) },
      names: Object.fromEntries(names),
    })
  }

  /** Begins to look at what was refused, now and from an earlier visit. */
  async start(): Promise<void> {
    calls.addEventListener('outcome', () => this.#enqueue(() => this.#afterOutcome()))
    for (const draft of this.store.all('draft')) this.#resumeDraft(draft)
    for (const kept of this.store.all('conflict')) this.onConflict(kept)
    this.store.onOtherTab('conflict', {
      put: (kept) => this.onConflict(kept),
      removed: (id) => this.onSettled(id),
    })
    await this.#refused.look()
  }

  /** What was typed when the page was closed, and is no call yet. */
  #resumeDraft({ blockId: id, fields, words, attributes, expected }: KeptWords): void {
    const element = blockElement(id)
    const change = {
      id,
      markdown: markdownFor(fields, words),
      expectedMarkdown: expected,
      indentationLevel: fields.indentationLevel ?? 0,
    }
    const step =
      attributes === undefined
        ? { tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }
        : titleStep(id, { value: words, attributes: [...attributes] }, expected)
    this.#enqueue(async () => {
      await this.keep([step])
      this.store.remove('draft', id)
    })
    if (element !== undefined) element.classList.add('waits')
  }

  async #afterOutcome(): Promise<void> {
    for (const element of this.page.article.querySelectorAll<HTMLElement>('.block[id^="bnew-"]')) {
      const id = await calls.idOf(blockId(element))
      if (id === undefined) continue
      // What was read meanwhile may have brought it already.
      blockElement(id)?.remove()
      const draft = this.store.get('draft', blockId(element))
      if (draft !== undefined) {
        this.store.remove('draft', draft.blockId)
        this.store.put('draft', { ...draft, blockId: id })
      }
      element.id = `b${id}`
      const label = element.querySelector('[id^="tnew-"]')
      if (label !== null) label.id = `t${id}`
      element.querySelector('.box')?.setAttribute('aria-labelledby', `t${id}`)
    }
    await this.#refused.look()
  }
}

/** Whether the server has the block: one that was only just made has a name in place of its ID. */
export const isOnServer = (element: HTMLElement): boolean => !isName(blockId(element))
