/**
 * A space as plain objects in memory: what the product promises, told a second time and in another way. Nothing here
 * comes from the product's code.
 */
import { Id, TextOfIds } from './ids.ts'
import { Journal, takeBack } from './journal.ts'

/** What a call is to be refused with. */
export class Refused extends Error {
  readonly code: string
  /** What it may be refused with as well. */
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
  /** Counts up with every block that is made. */
  made: number
  type: string
  text: string
  /** Whether the tag of its comments stands around its text. */
  isTagged: boolean
  indentation: number
  listStyle: string | undefined
  task: Task | undefined
  /** All else that it shows, as it shows it. */
  fields: Json
  parent: Block | undefined
  children: Block[]
  /** Of a root. */
  document: Document | undefined
  comments: Comment[]
  collection: Collection | undefined
  /** Of an item. */
  values: Map<Property, unknown[]>
  board: Board | undefined
  /** Deleted: its ID may be told all the same. */
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

/** The title column stands as `title`. */
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

/** What is known of a block that is to be made. */
export type Draft = Pick<Block, 'type' | 'text' | 'indentation' | 'listStyle' | 'task' | 'fields'> & {
  content: Draft[]
}

/** A call that was done, and stands. */
interface Past {
  changes: ReturnType<Journal['commit']>
  touched: ReadonlySet<Document>
  addsDocuments: boolean
}

/** Calls that can be taken back. */
const PAST = 10

export class World {
  readonly journal = new Journal()
  /** By the IDs that answers have told. */
  readonly blocks = new Map<string, Block>()
  readonly folders = new Map<string, Folder>()
  readonly reminders = new Map<string, Reminder>()
  /** Those of blocks that are gone among them. */
  readonly comments = new Map<string, Comment>()
  /** In the order in which they were made, the inbox and the logbook among them. */
  documents: Document[] = []
  folderList: Folder[] = []
  collections: Collection[] = []
  reminderList: Reminder[] = []
  made = 0
  /** Of the call. */
  now = 0
  author = ''
  /** What the call has changed. */
  touched = new Set<Document>()
  readonly #past: Past[] = []
  /** IDs of the call that have a name until they are known, by that name. */
  readonly #guessed = new Map<string, Id>()

  get today(): string {
    return new Date(this.now).toISOString().slice(0, 10)
  }

  /** Gives the IDs of an answer that are not known names by which later steps of the call find them. */
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

  /** What calls may name, by kinds. */
  get #named(): Map<string, unknown>[] {
    return [this.blocks, this.folders, this.reminders, this.comments]
  }

  /** Takes names back of IDs that no answer has told. */
  forgetGuesses(): void {
    for (const [name, id] of this.#guessed) {
      id.forgetGuess()
      for (const map of this.#named) map.delete(name)
    }
    this.#guessed.clear()
  }

  /** An answer with IDs in place of the names that they have until they are known. */
  withIds<T>(answer: T): T {
    if (typeof answer === 'string') {
      const text = answer.includes('guess-') ? new TextOfIds(answer, this.#guessed) : answer
      return (this.#guessed.get(answer) ?? text) as T
    }
    if (typeof answer !== 'object' || answer === null || answer instanceof Id) return answer
    if (Array.isArray(answer)) return answer.map((one) => this.withIds(one)) as T
    return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, this.withIds(value)])) as T
  }

  /** Takes away what calls may name. */
  drop<Thing extends { id: Id }>(map: Map<string, Thing>, thing: Thing): void {
    map.delete(thing.id.value ?? '')
    // Its ID may have been told since.
    this.journal.onUndo(() => {
      if (thing.id.value !== undefined) map.set(thing.id.value, thing)
    })
  }

  /** Does a call, which stands unless it was refused. */
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

  /** Does work, and takes back what it did. */
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

  /** How many of the last calls can be taken back. Documents that they added would go to the trash, which is left out. */
  get undoable(): number {
    const last = this.#past.findLastIndex(({ addsDocuments }) => addsDocuments)
    return this.#past.length - 1 - last
  }

  /** Takes the last calls back that stand. */
  undo(count: number): void {
    this.touched = new Set()
    for (const { changes, touched } of this.#past.splice(-count).toReversed()) {
      takeBack(changes)
      for (const document of touched) this.touched.add(document)
    }
  }

  block(id: string): Block {
    const found = this.blocks.get(id)
    if (found === undefined) throw missing()
    return found
  }

  /** Each once, in their order. */
  blocksOf(ids: readonly string[]): Block[] {
    return [...new Set(ids)].map((id) => this.block(id))
  }

  folder(id: string): Folder {
    const found = this.folders.get(id)
    if (found === undefined) throw missing()
    return found
  }

  /** A document that calls may name. */
  document(id: string): Document {
    const found = this.blocks.get(id)?.document
    if (found === undefined || isKept(found)) throw missing()
    return found
  }

  /** A block without a place. */
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

/** The block and all below it, in reading order. */
export function subtree(block: Block): Block[] {
  const all: Block[] = []
  const visit = (one: Block) => {
    all.push(one)
    one.children.forEach(visit)
  }
  visit(block)
  return all
}
