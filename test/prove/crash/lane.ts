/** A caller that makes one call after another: random calls that write to documents of its own. */
import { chance } from '../proof.ts'
import type { AnsweredCall, KeyedCall } from './keyed-call.ts'
import { apply, emptyModel, linesOf, type Model, type Place, parentOf, type What } from './model.ts'

/** The number of blocks in a page from which deletions are more likely than additions. */
const FULL = 30

const WORDS = 'a space keeps what was acknowledged and nothing that is half whoever reads writes or falls'.split(' ')

/** Calls that history_list does not show for a document, and calls whose undo leaves a document in the trash. */
const NOT_LISTED = ['folders_add', 'documents_add']

export class Lane {
  readonly name: string
  /** Acknowledged calls, in order. */
  readonly done: AnsweredCall[] = []
  readonly model: Model = emptyModel()
  /** The pending call. */
  call: KeyedCall | undefined
  readonly #random: () => number
  #calls = 0

  constructor(name: string, seed: number) {
    this.name = name
    this.#random = chance(seed)
  }

  /**
   * Chooses the next call. Only one can be pending at a time.
   *
   * @param takesProposals  true if the call may be a proposal or a decision on one
   */
  next(takesProposals = false): KeyedCall {
    const key = `${this.name}-${++this.#calls}`
    const chosen = takesProposals ? (this.#decide() ?? this.#propose(key)) : undefined
    this.call = { key, ...(chosen ?? this.#nextCall(key)) }
    return this.call
  }

  /** Sometimes decides on the pending proposal. It is approved only if nothing has changed since. */
  #decide(): Omit<KeyedCall, 'key'> | undefined {
    const { waiting } = this.model
    if (waiting === undefined || this.#random() < 0.3) return undefined
    const isApproved = waiting.isFresh && this.#random() < 0.8
    return callOf(isApproved ? 'proposals_approve' : 'proposals_reject', { proposalId: waiting.proposalId })
  }

  #propose(key: string): Omit<KeyedCall, 'key'> | undefined {
    const document = this.#one('document')
    if (this.model.waiting !== undefined || document === undefined || this.#random() > 0.06) return undefined
    return { ...this.#batch(key, document), proposedBy: `${this.name} proposing` }
  }

  /** A batch in which most steps refer to things that other steps create. */
  #batch(key: string, document: string): Omit<KeyedCall, 'key'> {
    const step = (as: string, tool: string, args: object) => ({ as, tool, arguments: args })
    const steps = [
      step('a', 'blocks_add', { markdown: this.#lines(`${key}a`), position: this.#place([]) }),
      step('b', 'blocks_update', { blocks: [{ id: '$a', markdown: this.#sentence(`${key}b`) }] }),
      step('c', 'blocks_add', {
        markdown: this.#sentence(`${key}c`),
        position: { position: 'before', siblingId: '$a' },
      }),
      step('d', 'collections_add', {
        schema: { name: `Table ${key}`, properties: [] },
        position: { position: 'end', pageId: document },
      }),
      step('e', 'items_add', { collectionId: '$d', items: [{ title: this.#sentence(`${key}e`) }] }),
      step('f', 'blocks_delete', { blockIds: ['$c'] }),
    ]
    return callOf('batch', { steps: steps.slice(0, 2 + Math.floor(this.#random() * (steps.length - 1))) })
  }

  acknowledge(answer: object): void {
    if (this.call === undefined) return
    const done = { ...this.call, answer }
    this.call = undefined
    this.done.push(done)
    apply(this.model, done)
  }

  /** Records that the pending call was not done. */
  drop(): void {
    this.call = undefined
  }

  #nextCall(key: string): Omit<KeyedCall, 'key'> {
    const document = this.#one('document')
    if (document === undefined) return callOf('documents_add', { documents: [{ title: this.#sentence(key) }] })
    const end: Place = { position: 'end', pageId: document }
    const collection = this.#one('collection')
    if (collection === undefined) {
      return callOf('collections_add', { schema: { name: `Table ${key}`, properties: [] }, position: end })
    }
    const board = this.#one('board')
    if (board === undefined) return callOf('whiteboards_add', { position: end })
    const draw = Math.floor(this.#random() * 100)
    if (this.#isFull && draw < 50 && this.#one('text') !== undefined)
      return callOf('blocks_delete', { blockIds: this.#several('text', 4) })
    if (draw < 6) return this.#batch(key, document)
    if (draw < 66) return this.#blockCall(key, draw, document)
    if (draw < 70) return this.#besideCall(key, draw, document)
    if (draw < 78) {
      return callOf('files_add', { text: this.#long(key), fileName: `${key}.txt`, position: this.#place([]) })
    }
    if (draw < 88) return this.#taskCall(key, draw, document)
    if (draw < 95) return this.#itemCall(key, draw, collection)
    if (draw < 97) {
      const element = { id: key, type: 'rectangle', x: 0, y: 0, width: 160, height: 60 }
      return callOf('elements_add', { whiteboardBlockId: board, elements: [element], answer: 'changed' })
    }
    return draw < 98 ? this.#schemaCall(key, collection) : this.#folderCall(key, document)
  }

  get #isFull(): boolean {
    return [...this.model.children.values()].some(({ length }) => length > FULL)
  }

  #blockCall(key: string, draw: number, document: string): Omit<KeyedCall, 'key'> {
    const text = this.#one('text')
    if (draw < 30 || text === undefined)
      return callOf('blocks_add', { markdown: this.#lines(key), position: this.#place([]) })
    if (draw < 34) return callOf('blocks_add', { blocks: [this.#page(key)], position: this.#place([]) })
    if (draw < 48) return callOf('blocks_update', { blocks: [{ id: text, markdown: this.#sentence(key) }] })
    if (draw < 52 && this.#mayUndo) return callOf('history_undo', { documentId: document })
    if (draw < 60) return this.#move()
    return callOf('blocks_delete', { blockIds: this.#several(draw < 62 ? 'file' : 'text', 2) })
  }

  /** Adds or changes what stands beside a block: a comment or a reminder. */
  #besideCall(key: string, draw: number, document: string): Omit<KeyedCall, 'key'> {
    const text = this.#one('text')
    if (text === undefined) return this.#blockCall(key, draw, document)
    const [comment] = this.model.comments.keys()
    if (draw < 67 && comment !== undefined) {
      return callOf('comments_update', { comments: [{ commentId: comment, content: this.#sentence(key) }] })
    }
    if (draw < 69) return callOf('comments_add', { comments: [{ blockId: text, content: this.#sentence(key) }] })
    return callOf('reminders_add', { reminders: [{ blockId: text }] })
  }

  #taskCall(key: string, draw: number, document: string): Omit<KeyedCall, 'key'> {
    const task = this.#one('task')
    if (draw < 82 || task === undefined) {
      const location = { type: 'document', documentId: document }
      return callOf('tasks_add', { tasks: [{ markdown: this.#sentence(key), location }] })
    }
    if (draw < 86) return callOf('tasks_update', { tasksToUpdate: [{ id: task, markdown: this.#sentence(key) }] })
    return callOf('tasks_delete', { idsToDelete: [task] })
  }

  #itemCall(key: string, draw: number, collection: string): Omit<KeyedCall, 'key'> {
    const item = this.#one('item')
    if (draw < 91 || item === undefined) {
      return callOf('items_add', { collectionId: collection, items: [{ title: this.#sentence(key) }] })
    }
    const holder = parentOf(this.model, item)
    if (draw < 94) {
      const changed = { id: item, title: this.#sentence(key) }
      return callOf('items_update', { collectionId: holder, itemsToUpdate: [changed] })
    }
    return callOf('items_delete', { collectionId: holder, idsToDelete: [item] })
  }

  #schemaCall(key: string, collection: string): Omit<KeyedCall, 'key'> {
    const isView = this.#random() < 0.5
    if (isView) return callOf('views_add', { collectionId: collection, view: { name: `View ${key}`, type: 'table' } })
    return callOf('schema_update', { collectionId: collection, schema: { name: `Table ${key}`, properties: [] } })
  }

  #folderCall(key: string, document: string): Omit<KeyedCall, 'key'> {
    const [folder] = this.model.folders.keys()
    if (folder === undefined) return callOf('folders_add', { folders: [{ name: `Folder ${key}` }] })
    // Moving a document to its current folder changes nothing, so the next undo would undo the call before.
    const isThere = this.model.places.get(document) === folder
    if (isThere || this.#random() < 0.5) return callOf('documents_add', { documents: [{ title: this.#sentence(key) }] })
    return callOf('documents_move', { documentIds: [document], destination: { folderId: folder } })
  }

  /** True if the last call is the last one in the only document, and undoing it does not delete a document. */
  get #mayUndo(): boolean {
    const { last } = this.model
    return last !== undefined && !NOT_LISTED.includes(last.tool) && this.#all('document').length === 1
  }

  #move(): Omit<KeyedCall, 'key'> {
    const blockIds = this.#several('text', 3)
    return callOf('blocks_move', { blockIds, position: this.#place(blockIds) })
  }

  /** Chooses a position in a document or page, but not next to one of `moved`. */
  #place(moved: readonly string[]): Place {
    const beside = this.#one('text')
    if (beside !== undefined && !moved.includes(beside) && parentOf(this.model, beside) && this.#random() < 0.5) {
      return { position: this.#random() < 0.5 ? 'before' : 'after', siblingId: beside }
    }
    const pageId = (this.#random() < 0.4 ? this.#one('page') : undefined) ?? this.#one('document') ?? ''
    return { position: this.#random() < 0.3 ? 'start' : 'end', pageId }
  }

  #page(key: string): object {
    const content = linesOf(this.#lines(key)).map((markdown) => ({ type: 'text', markdown }))
    return { type: 'page', title: this.#sentence(key), content }
  }

  #all(what: What): string[] {
    return [...this.model.blocks].flatMap(([id, found]) => (found === what ? id : []))
  }

  #one(what: What): string | undefined {
    const all = this.#all(what)
    return all[Math.floor(this.#random() * all.length)]
  }

  /** Falls back to text blocks if there are none of this kind. There must be at least one text block. */
  #several(what: What, most: number): string[] {
    if (this.#all(what).length === 0) return this.#several('text', most)
    const count = 1 + Math.floor(this.#random() * most)
    return [...new Set(Array.from({ length: count }, () => this.#one(what) ?? ''))]
  }

  /** Creates a sentence that no other call contains. */
  #sentence(key: string, words = 4 + Math.floor(this.#random() * 12)): string {
    const response = Array.from({ length: words }, () => WORDS[Math.floor(this.#random() * WORDS.length)])
    return `Call ${key} says ${response.join(' ')}.`
  }

  #lines(key: string): string {
    const count = 1 + Math.floor(this.#random() * 4)
    const words = this.#random() < 0.1 ? 900 : undefined
    return Array.from({ length: count }, (_, index) => this.#sentence(`${key}.${index}`, words)).join('\n\n')
  }

  #long(key: string): string {
    return this.#sentence(key, 20 + Math.floor(this.#random() ** 3 * 4_000))
  }
}

const callOf = (tool: string, args: Record<string, unknown>): Omit<KeyedCall, 'key'> => ({ tool, args })
