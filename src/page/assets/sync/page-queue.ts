/**
 * Sends what is typed: compares the document with what was sent, and queues the difference as one call. Text waits for a
 * pause; everything else is queued at once. Until it is queued, text is a draft in the browser.
 */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { STEPS_PER_BATCH } from '../../../base/limits/call-limits.ts'
import type { Title } from '../../../markdown/inline-title.ts'
import type { OwnSuggestions } from '../../blocks/suggested-text-blocks.ts'
import { calls } from '../calls.ts'
import { editableText } from '../model/block-text.ts'
import { blockOf, idOf } from '../model/page-block.ts'
import { REMOTE } from '../model/page-merge.ts'
import type { PageModel } from '../model/page-model.ts'
import { type BlockPosition, type Step, titleStep } from '../model/page-step.ts'
import { session, tab } from '../this-session.ts'
import { isName, newName } from '../unsent/placeholders.ts'
import { UnsavedTextStore } from './unsaved-text.ts'

/** Milliseconds without a key press after which typed text is sent, and the maximum delay while typing goes on. */
export const TYPING_PAUSE_MS = 600
const LONGEST_MS = 3_000

/** The page whose blocks are edited. */
export interface QueuedPage {
  /** The document by which calls are ordered. */
  documentId: string
  /** The base address of the space's pages. */
  base: string
}

/** The document of the editor. */
export interface EditedDocument {
  readonly state: EditorState
  /** The state with the caret as the browser has it, for changes that were not typed. */
  readonly current: EditorState
  dispatch(transaction: Transaction): void
}

/** A transaction whose block another call adds. */
const ADOPTED = 'adopted'

export class PageQueue {
  readonly page: QueuedPage
  readonly model: PageModel
  readonly store: UnsavedTextStore
  readonly #edited: EditedDocument
  /** The last call, if it only changes the text of one block and can still be amended. */
  #last: { order: number; blockId: string } | undefined
  /** The blocks with a draft that this page has stored and not queued yet, by the IDs that they had then. */
  readonly #drafts = new Set<string>()
  /** The calls that deleted blocks, as placeholders for their IDs, by the IDs of the blocks. */
  readonly #deletions = new Map<string, string>()
  /** Resolves once earlier changes are in the queue. */
  #keeping: Promise<unknown> = Promise.resolve()
  #changes = 0
  #pause: ReturnType<typeof setTimeout> | undefined
  #typedSince: number | undefined
  /** Called if the browser cannot store a change. */
  onFailure: (error: unknown) => void = () => {}
  /** Called to read the page. */
  onDue: () => void = () => {}
  /** Called to show the title of the server again: what was suggested was rejected or taken back. */
  onTitleRejected: () => void = () => {}
  /** Called when a call was answered or refused, after its IDs are known. */
  onOutcome: () => Promise<void> = async () => {}

  constructor(page: QueuedPage, model: PageModel, edited: EditedDocument) {
    this.page = page
    this.model = model
    this.#edited = edited
    this.store = new UnsavedTextStore(page.base, session, page.documentId, tab)
  }

  /** Begins to take the IDs of blocks from answers. */
  start(): void {
    calls.addEventListener('outcome', () => this.#enqueue(() => this.#afterOutcome()))
  }

  /** Called after each transaction of the editor. @param before  the document before it */
  changed(before: Node, transaction: Transaction): void {
    const { doc } = transaction
    if (doc === before || transaction.getMeta(REMOTE) || transaction.getMeta(ADOPTED)) return
    const typed = changedText(before, doc)
    // The first block of an empty page is added with its first letter: drafts are of blocks that the server has.
    if (typed === undefined || this.model.sentBlock(idOf(typed)) === undefined) {
      this.flush()
      return
    }
    this.#keepDraft(typed)
    clearTimeout(this.#pause)
    this.#typedSince ??= performance.now()
    const left = this.#typedSince + LONGEST_MS - performance.now()
    this.#pause = setTimeout(() => this.flush(), Math.max(0, Math.min(TYPING_PAUSE_MS, left)))
  }

  #keepDraft(node: Node): void {
    const { id, fields, markdown } = blockOf(node)
    const sent = this.model.sentBlock(id)
    if (sent === undefined) return
    const text = editableText(markdown, fields)
    this.#drafts.add(id)
    if (sent.markdown === markdown) this.store.remove('draft', id)
    else this.store.put('draft', { blockId: id, fields, text, expected: sent.markdown })
  }

  /** Queues what was changed since the last time. */
  flush(): void {
    clearTimeout(this.#pause)
    this.#typedSince = undefined
    const { steps, restored } = this.model.send(this.#edited.state.doc)
    for (const call of this.#restoring(restored)) this.#queue([call])
    const dropDrafts = this.#takeDrafts()
    const [step] = steps
    if (step === undefined) {
      dropDrafts()
      return
    }
    const changed = step.tool === 'blocks_update' ? (step.arguments.blocks as TextChange[]) : []
    const [change] = changed
    const isText = steps.length === 1 && changed.length === 1 && change?.base !== undefined
    if (isText && change !== undefined) this.#queueText(change, dropDrafts)
    else this.#queue(steps, dropDrafts)
  }

  /**
   * All that was typed is queued now, also what was joined to another block or merged since.
   *
   * @returns a function that removes the drafts, except those into which more was typed meanwhile
   */
  #takeDrafts(): () => void {
    const textOf = (id: string) => {
      const { blockId: _, ...draft } = this.store.get('draft', id) ?? {}
      return JSON.stringify(draft)
    }
    const drafts = [...this.#drafts].map((id) => ({ id, text: textOf(id) }))
    this.#drafts.clear()
    return () => {
      for (const { id, text } of drafts) {
        const known = this.model.idOf(id)
        if (textOf(known) === text) this.store.remove('draft', known)
      }
    }
  }

  /** Changes the title of the page. @param base  see {@link titleStep} */
  changeTitle(title: Title, base?: string): void {
    const { pageId } = this.model
    this.#queue([titleStep(pageId, title, base)], () => {
      const draft = this.store.get('draft', pageId)
      const isSame =
        draft?.text === title.value && JSON.stringify(draft.attributes) === JSON.stringify(title.attributes)
      if (isSame) this.store.remove('draft', pageId)
    })
  }

  /** True if what is typed is suggested in place of written. */
  get isSuggesting(): boolean {
    return false
  }

  /** Suggests a title. @param title  undefined for the one that the server has @param base  see {@link titleStep} */
  suggestTitle(_title: Title | undefined, _base: string): void {}

  /** Takes back what is suggested for blocks, or for the page as its title. */
  withdraw(_ids: Iterable<string>): void {}

  /** Goes on with what was suggested before. */
  resume(_own: OwnSuggestions): void {}

  /** Makes a change that is not one of the document, after what was changed before it. */
  write(...steps: Step[]): void {
    this.flush()
    this.#queue(steps)
  }

  /**
   * Shows a block that a call of its own adds. Undo takes it out again.
   *
   * @param transaction  inserts a node with this ID
   * @param name  a placeholder
   * @param step  makes the call, which has the ID at the path of `idAt`
   */
  insert(transaction: Transaction, name: string, step: (position: BlockPosition) => Step): void {
    this.#show(transaction, name)
    this.#queue([{ added: [name], ...step(this.#positionOf(name)) }])
  }

  /** Shows a block for a file, and adds the file. */
  insertFile(transaction: Transaction, name: string, file: File): void {
    this.#show(transaction, name)
    this.#addFile(file, this.#positionOf(name), name)
  }

  /** Moves blocks to another page. */
  moveAway(ids: readonly string[], pageId: string): void {
    this.flush()
    for (const id of ids) {
      const transaction = this.model.remove(this.#edited.state, id)
      if (transaction !== undefined) this.#edited.dispatch(transaction)
    }
    this.write({ tool: 'blocks_move', arguments: { blockIds: ids, position: { position: 'end', pageId } } })
  }

  #show(transaction: Transaction, name: string): void {
    this.flush()
    this.#edited.dispatch(transaction.setMeta(ADOPTED, true))
    this.model.adopt(this.#edited.state.doc, name)
  }

  /** The place of a block behind the last one before it that the server has, or will have. */
  #positionOf(name: string): BlockPosition {
    const ids = this.#edited.state.doc.content.content.map(idOf)
    const before = ids.slice(0, ids.indexOf(name)).findLast((id) => this.model.sentBlock(id) !== undefined)
    const { pageId } = this.model
    return before === undefined ? { position: 'start', pageId } : { position: 'after', siblingId: before }
  }

  #addFile(file: File, position: BlockPosition, name: string): void {
    const given = { ...position, ...(file.name !== '' && { fileName: file.name }) }
    this.#enqueue(() =>
      calls.keep({ ...this.#common, tool: 'files_add', arguments: given, file, names: { [name]: 'blockId' } }),
    )
  }

  /** Resolves once all changes so far are stored in the browser. */
  async kept(): Promise<void> {
    await this.#keeping
  }

  /** Called before what was read is shown. @param _order  the IDs of the blocks that the server has */
  expect(_order: readonly string[]): void {}

  /** A number that increases with each change. */
  get changes(): number {
    return this.#changes
  }

  /** Sends everything and waits until it has arrived. @returns true if it has arrived */
  async sendAll(): Promise<boolean> {
    this.flush()
    await this.kept()
    if (calls.connection !== 'online') return false
    await calls.settled(this.page.documentId)
    return true
  }

  /** Undo has brought deleted blocks back. Taking back the calls that deleted them also restores their comments. */
  #restoring(ids: readonly string[]): Step[] {
    const names = new Set(ids.flatMap((id) => this.#deletions.get(id) ?? []))
    for (const id of ids) this.#deletions.delete(id)
    return [...names].map((name) => ({ tool: 'history_undo', arguments: { calls: [name] } }))
  }

  /** If the previous change of the same block was not sent yet, that call is amended. */
  #queueText(change: TextChange, afterwards: () => void): void {
    this.#enqueue(async () => {
      const { id } = change
      const isAmended =
        this.#last?.blockId === id &&
        (await calls.amend(this.#last.order, (call) => {
          // What the first of these changes was based on.
          const [{ base }] = call.arguments.blocks as [TextChange]
          return { ...call, arguments: { ...call.arguments, blocks: [{ ...change, base }] } }
        }))
      if (!isAmended) {
        const order = await this.#keep([{ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }])
        this.#last = { order, blockId: id }
      }
      afterwards()
    })
  }

  /** @param afterwards  called once all steps are stored */
  #queue(steps: readonly Step[], afterwards: () => void = () => {}): void {
    // Undo takes back whole calls: one that deletes adds nothing, since what it adds would go with what comes back.
    const added = steps.findLastIndex((step) => step.added !== undefined) + 1
    const parts = [...batches(steps.slice(0, added)), ...batches(steps.slice(added))].map((some) => ({
      some,
      call: this.#nameDeletion(some),
    }))
    this.#enqueue(async () => {
      for (const { some, call } of parts) await this.#keep(some, tab, call)
      this.#last = undefined
      afterwards()
    })
  }

  /** @returns a placeholder for the ID of a call that deletes blocks, with which undo takes it back */
  #nameDeletion(steps: readonly Step[]): string | undefined {
    const deleted = steps.flatMap(({ tool, arguments: input }) =>
      tool === 'blocks_delete' ? (input.blockIds as string[]) : [],
    )
    if (deleted.length === 0) return undefined
    const call = newName()
    for (const id of deleted) this.#deletions.set(id, call)
    return call
  }

  get #common() {
    return { document: this.page.documentId, tab, isKept: true } as const
  }

  /** Queues steps as one call. @param typedIn  the tab in which their text was typed */
  keep(steps: readonly Step[], typedIn = tab): Promise<number> {
    return this.#keep(steps, typedIn)
  }

  /** @param call  a placeholder for the ID of the call */
  #keep(steps: readonly Step[], typedIn = tab, call?: string): Promise<number> {
    const common = { ...this.#common, tab: typedIn }
    const own = call === undefined ? {} : { [call]: 'callId' }
    const [step] = steps
    if (step !== undefined && steps.length === 1) {
      const { tool, arguments: input, added = [], idAt } = step
      const names = Object.fromEntries(added.map((name, at) => [name, idAt ?? `items.${at}.id`]))
      return calls.keep({ ...common, tool, arguments: input, names: { ...own, ...names } })
    }
    const names = steps.flatMap(({ added = [] }, index) => added.map((name, at) => [name, `items.${index}.ids.${at}`]))
    const input = { steps: steps.map(({ tool, arguments: given }) => ({ tool, arguments: given })) }
    return calls.keep({ ...common, tool: 'batch', arguments: input, names: { ...own, ...Object.fromEntries(names) } })
  }

  /** Runs work sequentially, so that calls are queued in the order of the changes. */
  #enqueue(work: () => Promise<unknown>): void {
    this.#changes++
    this.#keeping = this.#keeping.then(work).catch((error) => this.onFailure(error))
  }

  async #afterOutcome(): Promise<void> {
    const names: string[] = []
    this.#edited.state.doc.forEach((node) => {
      if (isName(idOf(node))) names.push(idOf(node))
    })
    for (const name of names) {
      const id = await calls.idOf(name)
      if (id === undefined) continue
      this.#edited.dispatch(this.model.rename(this.#edited.current, name, id))
      const draft = this.store.get('draft', name)
      if (draft === undefined) continue
      this.store.remove('draft', name)
      this.store.put('draft', { ...draft, blockId: id })
      if (this.#drafts.delete(name)) this.#drafts.add(id)
    }
    await this.onOutcome()
  }
}

/** An entry of `blocks_update`. */
type TextChange = { id: string; markdown?: string; base?: string }

const batches = (steps: readonly Step[]): Step[][] =>
  Array.from({ length: Math.ceil(steps.length / STEPS_PER_BATCH) }, (_, index) =>
    steps.slice(index * STEPS_PER_BATCH, (index + 1) * STEPS_PER_BATCH),
  )

/** The block whose text alone is changed; undefined if more is, or none. */
function changedText(before: Node, after: Node): Node | undefined {
  if (before.childCount !== after.childCount) return undefined
  const changed = after.content.content.filter((node, index) => node !== before.child(index))
  const [node] = changed
  if (node === undefined || changed.length > 1) return undefined
  const old = before.child(after.content.content.indexOf(node))
  return old.type === node.type && old.attrs === node.attrs ? node : undefined
}
