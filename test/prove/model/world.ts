/**
 * A space as plain objects in memory: a second, independent implementation of the product's promises. It uses none of
 * the product's code.
 */
import { Completions } from './completions.ts'
import { Id, TextOfIds } from './ids.ts'
import { Journal, undoChanges } from './journal.ts'
import { SeenSchemas } from './seen.ts'

/** The expected refusal of a call. */
export class Refused extends Error {
  readonly code: string
  /** Another error code that is accepted as well. */
  readonly or: string | undefined

  constructor(code: string, or?: string) {
    super(code)
    this.code = code
    this.or = or
  }
}
export const invalid = () => new Refused('VALIDATION_ERROR')
export const missing = () => new Refused('NOT_FOUND_ERROR')

export type Json = Record<string, unknown>

export interface Task {
  state: string
  scheduleDate?: string
  deadlineDate?: string
  completedAt?: string
  canceledAt?: string
  repeat?: Json
}

export interface Comment {
  id: Id
  block: Block
  author: string
  content: string
  resolvedBy?: string | undefined
}

export interface Reminder {
  id: Id
  block: Block
  remindAt: number | undefined
  completedAt: number | undefined
  createdAt: number
}

export interface Block {
  id: Id
  /** The ordinal number of the block, in order of creation. */
  made: number
  type: string
  text: string
  /** True if its text is wrapped in the tag of its comments. */
  isTagged: boolean
  indentation: number
  listStyle: string | undefined
  task: Task | undefined
  /** Other fields, in the form in which responses show them. */
  fields: Json
  parent: Block | undefined
  children: Block[]
  /** For root blocks only. */
  document: Document | undefined
  comments: Comment[]
  collection: Collection | undefined
  /** For items only. */
  values: Map<Property, unknown[]>
  board: Board | undefined
  /** True once it is deleted. Its ID may be learned even after that. */
  isGone: boolean
}

export interface Document {
  root: Block
  /** A built-in location, or `folder`. */
  location: string
  folder: Folder | undefined
  date: string | undefined
}

export interface Folder {
  id: Id
  name: string
  parent: Folder | undefined
}

export interface Option {
  name: string
  color: string
}

export interface Property {
  key: string
  name: string
  type: string
  position: number
  made: number
  config: Json | undefined
  options: Option[]
  target: Collection | undefined
  otherSide: Property | undefined
  isBackReference: boolean
  collection: Collection
  isGone: boolean
}

export interface View {
  id: Id
  name: string
  type: string
  settings: Settings
}

/** The title column is represented by `title`. */
export type Column = Property | 'title'

export interface Settings {
  filters: { column: Column; filterType: string; value: unknown; options: Option[] | undefined }[]
  sortBy: { column: Column; ascending: boolean }[]
  groupBy: { column: Column; ascending: boolean }[]
  order: Column[]
  hidden: Column[]
  widths: Map<Column, string>
  calculations: Map<Column, string>
  isCalculationsRowVisible: boolean | undefined
  cards: Json | undefined
}

export interface Collection {
  block: Block
  titleKey: string
  titleName: string
  properties: Property[]
  views: View[]
  active: View | undefined
}

export interface Board {
  elements: Json[]
  assets: Map<string, unknown>
  state: Json | undefined
}

/** The known fields of a block that is about to be created. */
export type Draft = Pick<Block, 'type' | 'text' | 'indentation' | 'listStyle' | 'task' | 'fields'> & {
  content: Draft[]
}

/** A successful call that was not undone. */
interface Past {
  changes: ReturnType<Journal['commit']>
  touched: ReadonlySet<Document>
  addsDocuments: boolean
}

/** The maximum number of calls that can be undone. */
const PAST = 10

export class World {
  readonly journal = new Journal()
  /** By their IDs, as far as they are known. */
  readonly blocks = new Map<string, Block>()
  readonly folders = new Map<string, Folder>()
  readonly reminders = new Map<string, Reminder>()
  /** Includes the comments of deleted blocks. */
  readonly comments = new Map<string, Comment>()
  /** In order of creation, including the inbox and the logbook. */
  documents: Document[] = []
  folderList: Folder[] = []
  collections: Collection[] = []
  reminderList: Reminder[] = []
  made = 0
  /** The time of the current call. */
  now = 0
  author = ''
  /** The documents that the call has changed. */
  touched = new Set<Document>()
  readonly seen = new SeenSchemas()
  readonly completions = new Completions()
  readonly #past: Past[] = []
  /** IDs of this call with placeholders, by placeholder. */
  readonly #guessed = new Map<string, Id>()

  get today(): string {
    return new Date(this.now).toISOString().slice(0, 10)
  }

  /** Gives each unknown ID in a response a placeholder, by which later steps of the call can name it. */
  guess(answer: unknown): void {
    if (answer instanceof Id) {
      if (answer.value === undefined) this.#name(answer)
    } else if (typeof answer === 'object' && answer !== null) {
      for (const one of Object.values(answer)) this.guess(one)
    }
  }

  #name(id: Id): void {
    const name = `guess-${this.#guessed.size}`
    this.#guessed.set(name, id)
    id.guess(name, (value) => {
      for (const map of this.#named) {
        const thing = map.get(name)
        if (thing !== undefined) map.set(value, thing)
        map.delete(name)
      }
    })
  }

  /** The maps of everything that calls can name. */
  get #named(): Map<string, unknown>[] {
    return [this.blocks, this.folders, this.reminders, this.comments]
  }

  /** Removes the placeholders of IDs that are still unknown. */
  forgetGuesses(): void {
    for (const [name, id] of this.#guessed) {
      id.forgetGuess()
      for (const map of this.#named) map.delete(name)
    }
    this.#guessed.clear()
  }

  /** Replaces the placeholders in a response by their ID objects. */
  withIds<T>(answer: T): T {
    if (typeof answer === 'string') {
      const text = answer.includes('guess-') ? new TextOfIds(answer, this.#guessed) : answer
      return (this.#guessed.get(answer) ?? text) as T
    }
    if (typeof answer !== 'object' || answer === null || answer instanceof Id) return answer
    if (Array.isArray(answer)) return answer.map((one) => this.withIds(one)) as T
    return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, this.withIds(value)])) as T
  }

  /** Removes a thing, so that calls cannot name it any more. */
  drop<Thing extends { id: Id }>(map: Map<string, Thing>, thing: Thing): void {
    map.delete(thing.id.value ?? '')
    // Its ID may have become known since.
    this.journal.onUndo(() => {
      if (thing.id.value !== undefined) map.set(thing.id.value, thing)
    })
  }

  /** Runs a call and keeps its changes unless it is refused. */
  apply<T extends object>(work: () => T): T {
    this.forgetGuesses()
    const count = this.documents.length
    const result = work()
    if ('refused' in result) {
      this.forgetGuesses()
      return result
    }
    const changes = this.journal.commit()
    this.#past.push({ changes, touched: this.touched, addsDocuments: this.documents.length !== count })
    if (this.#past.length > PAST) this.#past.shift()
    return result
  }

  /** Runs `work` and reverts its changes. */
  tryOut<T>(work: () => T): T {
    this.forgetGuesses()
    try {
      return work()
    } finally {
      this.journal.rollBack()
      this.forgetGuesses()
      this.touched = new Set()
    }
  }

  /**
   * The number of last calls that can be undone. It ends before calls that added documents, since undoing those moves
   * the documents to the trash, which the model does not implement.
   */
  get undoable(): number {
    const last = this.#past.findLastIndex(({ addsDocuments }) => addsDocuments)
    return this.#past.length - 1 - last
  }

  /** Undoes the last calls that are not undone yet. */
  undo(count: number): void {
    this.touched = new Set()
    for (const { changes, touched } of this.#past.splice(-count).toReversed()) {
      undoChanges(changes)
      for (const document of touched) this.touched.add(document)
    }
  }

  block(id: string): Block {
    const found = this.blocks.get(id)
    if (found === undefined) throw missing()
    return found
  }

  /** Returns each block once, in the given order. */
  blocksOf(ids: readonly string[]): Block[] {
    return [...new Set(ids)].map((id) => this.block(id))
  }

  folder(id: string): Folder {
    const found = this.folders.get(id)
    if (found === undefined) throw missing()
    return found
  }

  /** Returns a document that calls may name. */
  document(id: string): Document {
    const found = this.blocks.get(id)?.document
    if (found === undefined || isKept(found)) throw missing()
    return found
  }

  /** Creates a block that has no place in a tree yet. */
  newBlock(draft: Omit<Draft, 'content'>): Block {
    this.journal.set(this, 'made', this.made + 1)
    const block: Block = {
      ...draft,
      id: new Id((id) => {
        if (!block.isGone) this.blocks.set(id, block)
      }),
      made: this.made,
      isTagged: false,
      parent: undefined,
      children: [],
      document: undefined,
      comments: [],
      collection: undefined,
      values: new Map(),
      board: draft.type === 'whiteboard' ? { elements: [], assets: new Map(), state: undefined } : undefined,
      isGone: false,
    }
    this.journal.onUndo(() => {
      block.isGone = true
      this.blocks.delete(block.id.value ?? '')
    })
    return block
  }

  touch(block: Block): void {
    this.touched.add(documentOf(block))
  }
}

export const isKept = ({ location }: Document): boolean => location === 'inbox' || location === 'logbook'

export function rootOf(block: Block): Block {
  let root = block
  while (root.parent !== undefined) root = root.parent
  return root
}

export function documentOf(block: Block): Document {
  const { document } = rootOf(block)
  if (document === undefined) throw new Error('Expected a root with its document.')
  return document
}

/** The block and all its descendants, in reading order. */
export function subtree(block: Block): Block[] {
  const all: Block[] = []
  const visit = (one: Block) => {
    all.push(one)
    one.children.forEach(visit)
  }
  visit(block)
  return all
}
