/**
 * Converts edits to calls. Each change is one call that includes the text it was based on. The page shows changes
 * immediately, and calls.ts sends them to the server.
 */
import type { Title } from '../../../../markdown/inline-title.ts'
import { calls, isName, newName } from '../../calls.ts'
import { placeOf } from '../../model/block-levels.ts'
import { type Fields, markdownFor } from '../../model/block-text.ts'
import { type BlockPosition, plainStyle, type Step, titleStep } from '../../model/page-step.ts'
import { RefusedChanges } from '../../sync/refused-changes.ts'
import { UnsavedTextStore } from '../../sync/unsaved-text.ts'
import { session, tab } from '../../this-session.ts'
import {
  applyFields,
  blockElement,
  blockId,
  editableTextOf,
  fieldsOf,
  markdownOf,
  newElement,
  previousBlock,
  renumber,
} from '../blocks/block-element.ts'
import { announce, type EditedPage } from '../blocks/edited-page.ts'

export class PageWriter {
  readonly page: EditedPage
  readonly store: UnsavedTextStore
  /** The last call, if it only changes the text of one block and can still be amended. */
  #last: { order: number; blockId: string } | undefined
  /** The number of changes so far. */
  #changes = 0
  readonly #refused = new RefusedChanges(this)
  /** The previous IDs of blocks that were added again. */
  readonly #addedAgain = new Set<string>()
  /** Resolves once earlier changes are in the queue. */
  #keeping: Promise<unknown> = Promise.resolve()
  /** Called when text of a block could not be saved. @param id  of the block */
  onConflict: (id: string) => void = () => {}
  /** Called when a conflict was resolved in another tab. @param id  of the block */
  onSettled: (id: string) => void = () => {}
  /** Called for a deleted block. @returns true if further typing keeps its text */
  onGone: (id: string) => boolean = () => false

  constructor(page: EditedPage) {
    this.page = page
    this.store = new UnsavedTextStore(page.base, session, page.documentId, tab)
  }

  /**
   * Builds the step that gives a block a new text and new fields, and updates the element. Together with other steps it
   * divides or joins blocks, so that it is refused if others changed the text.
   */
  textStep(element: HTMLElement, fields: Fields, words: string): Step {
    const expectedMarkdown = markdownOf(element)
    return updatingStep({ ...this.#newText(element, fields, words), expectedMarkdown })
  }

  #newText(element: HTMLElement, fields: Fields, words: string): object {
    const markdown = markdownFor(fields, words)
    applyFields(element, fields)
    element.dataset.markdown = markdown
    return { id: blockId(element), markdown, ...placeOf(fields), ...plainStyle(fields) }
  }

  /**
   * Changes the text of a block. The server merges it with what others changed. If the previous change of the same block
   * was not sent yet, that call is amended.
   */
  changeText(element: HTMLElement, fields: Fields, words: string): void {
    const id = blockId(element)
    const base = markdownOf(element)
    const change = this.#newText(element, fields, words)
    this.#enqueue(async () => {
      const last = this.#last
      const isAmended =
        last?.blockId === id &&
        (await calls.amend(last.order, (call) => {
          // What the first of these changes was based on.
          const [{ id, base }] = call.arguments.blocks as [{ id: string; base: string }]
          return { ...call, arguments: { ...call.arguments, blocks: [{ ...change, id, base }] } }
        }))
      if (!isAmended) {
        const order = await this.keep([updatingStep({ ...change, base })])
        this.#last = { order, blockId: id }
      }
      // Its placeholder may have been replaced by an ID in the meantime.
      for (const one of new Set([id, blockId(element)])) {
        if (this.store.get('draft', one)?.words === words) this.store.remove('draft', one)
      }
    })
  }

  /** Changes the title of the page. @param expected  the text of the previous title */
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

  /** Sets the state of a task, which may move it from the inbox to the logbook. */
  setTask(element: HTMLElement, state: 'todo' | 'done'): void {
    const fields = fieldsOf(element)
    const words = editableTextOf(element)
    const changed: Fields = { ...fields, taskInfo: { state } }
    applyFields(element, changed)
    element.dataset.markdown = markdownFor(changed, words)
    element.querySelector('.box')?.setAttribute('aria-checked', String(state === 'done'))
    this.write({
      tool: 'blocks_update',
      arguments: { blocks: [{ id: blockId(element), taskInfo: { state } }], answer: 'ids' },
    })
  }

  /** Makes one change with several steps: all of them are carried out, or none. */
  write(...steps: Step[]): void {
    this.#enqueue(async () => {
      await this.keep(steps)
      this.#last = undefined
    })
  }

  /** Adds a dropped file. @returns the placeholder for its ID */
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

  /** Creates a block with text: the element on the page, and the step that adds it. */
  addStep(position: BlockPosition, fields: Fields, words: string): { step: Step; element: HTMLElement } {
    const name = newName()
    const element = newElement(name, fields, words)
    this.place(element, position)
    return { step: addingStep(fields, words, position, name), element }
  }

  /** Adds a deleted block again, with a new placeholder. */
  addAgain(element: HTMLElement, words: string, position: BlockPosition): void {
    this.#addedAgain.add(blockId(element))
    const fields = fieldsOf(element)
    const name = newName()
    element.id = `b${name}`
    element.dataset.markdown = markdownFor(fields, words)
    this.write(addingStep(fields, words, position, name))
  }

  /** True if a block was added again. Its new version contains the changes made under the old ID. */
  wasAddedAgain(id: string): boolean {
    return this.#addedAgain.has(id)
  }

  /** Inserts an element at a position. */
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

  fieldsOf(id: string): Fields | undefined {
    const element = blockElement(id)
    return element && fieldsOf(element)
  }

  /** The ID of the block before one; `start` if there is none, undefined if the block is not on the page. */
  blockBefore(id: string): string | undefined {
    const element = blockElement(id)
    if (element === undefined) return undefined
    const before = previousBlock(element)
    return before === undefined ? 'start' : blockId(before)
  }

  removeBlock(name: string): void {
    blockElement(name)?.remove()
  }

  announce(text: string): void {
    announce(text)
  }

  /** Resolves once all changes so far are stored in the browser. */
  async kept(): Promise<void> {
    await this.#keeping
  }

  /** A number that increases with each change. */
  get changes(): number {
    return this.#changes
  }

  /** Runs work sequentially, so that calls are queued in the order of the changes. */
  #enqueue(work: () => Promise<unknown>): void {
    this.#changes++
    this.#keeping = this.#keeping.then(work).catch((error) => {
      console.error(error)
      announce(
        'This browser could not keep a change: its storage is full or closed. Copy what you wrote before you leave.',
      )
    })
  }

  /**
   * Queues steps as one call.
   *
   * @param typedIn  the tab in which their text was typed
   * @returns the position of the call in the order
   */
  keep(steps: readonly Step[], typedIn = tab): Promise<number> {
    const [step] = steps
    const common = { document: this.page.documentId, tab: typedIn, isKept: true } as const
    if (step !== undefined && steps.length === 1) {
      const { tool, added = [], idAt } = step
      const names = Object.fromEntries(added.map((name, at) => [name, idAt ?? `items.${at}.id`]))
      return calls.keep({ ...common, tool, arguments: step.arguments, names })
    }
    const names = steps.flatMap(({ added = [] }, index) => added.map((name, at) => [name, `items.${index}.ids.${at}`]))
    return calls.keep({
      ...common,
      tool: 'batch',
      // Responses of steps contain IDs only, as over MCP.
      arguments: { steps: steps.map(({ tool, arguments: input }) => ({ tool, arguments: input })) },
      names: Object.fromEntries(names),
    })
  }

  /** Starts handling refused calls, including those from earlier visits. */
  async start(): Promise<void> {
    calls.addEventListener('outcome', () => this.#enqueue(() => this.#afterOutcome()))
    for (const id of this.store.conflicts) this.onConflict(id)
    this.store.onOtherTab((id) => {
      if (this.store.conflict(id) === undefined) this.onSettled(id)
      else this.onConflict(id)
    })
    await this.#refused.saveAll()
  }

  async #afterOutcome(): Promise<void> {
    for (const element of this.page.article.querySelectorAll<HTMLElement>('.block[id^="bnew-"]')) {
      const id = await calls.idOf(blockId(element))
      if (id === undefined) continue
      // A read in the meantime may have added the block already.
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
    await this.#refused.saveAll()
  }
}

/** True if the server has the block. A new block has a placeholder instead of an ID. */
export const isOnServer = (element: HTMLElement): boolean => !isName(blockId(element))

const updatingStep = (change: object): Step => ({
  tool: 'blocks_update',
  arguments: { blocks: [change], answer: 'full' },
})

/** The step that adds a block, in the callouts of its fields. */
function addingStep(fields: Fields, words: string, position: BlockPosition, name: string): Step {
  const { type, decorations } = fields
  const boxes = decorations?.callout && { decorations }
  const added = { type, markdown: markdownFor(fields, words), ...placeOf(fields), ...boxes }
  return { tool: 'blocks_add', arguments: { blocks: [added], position }, added: [name] }
}
