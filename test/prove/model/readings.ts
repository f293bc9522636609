/** Reads a space with its own tools and compares the responses with the model. */
import { showBoard } from './boards.ts'
import { showSchema } from './collections.ts'
import { listDocuments, listFolders } from './documents.ts'
import { listItems } from './items.ts'
import { difference, withComments } from './match.ts'
import { listReminders } from './reminders.ts'
import { showRead } from './shown.ts'
import { listTasks } from './tasks.ts'
import { listViews } from './views.ts'
import { type Document, documentOf, isKept, type World } from './world.ts'

/** The titles of the system documents. */
const NAMES = { inbox: 'Inbox', logbook: 'Logbook' }

interface Read {
  pageBlockPath?: { content: string }[]
}

interface Part {
  items?: unknown[]
  pagination?: { cursor: string }
}

/** Calls a tool and returns its response. @throws the tool's error */
export type Ask = (tool: string, args: object) => Promise<unknown>

const itemsOf = (answer: unknown): unknown => (answer as { items: unknown }).items
const asItIs = (answer: unknown): unknown => answer
const MOST = { limit: 1000 }

export class Readings {
  readonly #world: World
  readonly #ask: Ask
  readonly #known: Set<string>
  readonly #reader: string

  /** @param reader  the author of the calls that read */
  constructor(world: World, ask: Ask, known: Set<string>, reader: string) {
    this.#world = world
    this.#reader = reader
    this.#ask = ask
    this.#known = known
  }

  /** Describes the first difference in the documents that a call has changed. */
  async touched(documents: ReadonlySet<Document>): Promise<string | undefined> {
    const areAllKnown = [...documents].every((one) => isKept(one) || one.root.id.value !== undefined)
    if (!areAllKnown) {
      const fault = await this.#documents()
      if (fault !== undefined) return fault
    }
    for (const document of documents) {
      const fault = await this.#document(document)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  /** Describes the first difference in the lists of the whole space. */
  lists(): Promise<string | undefined> {
    return first([this.#documents, this.#folders, this.#tasks, this.#collections, () => this.#reminders(['all'])])
  }

  /** Describes the first difference in the whole space. */
  all(): Promise<string | undefined> {
    return first([
      ...[() => this.lists(), () => this.touched(new Set(this.#world.documents))],
      ...[() => this.#reminders(['incomplete', 'completed', 'upcoming']), this.#tasksOfDocuments],
      ...[this.#itemsAndViews, this.#boards],
    ])
  }

  async #hold(expected: unknown, tool: string, args: object, read = itemsOf): Promise<string | undefined> {
    const found = read(await this.#whole(tool, args))
    const fault = difference(expected, found, this.#known)
    return fault && `${tool} ${JSON.stringify(args)} answers otherwise: ${fault}`
  }

  /** Fetches all pages of a response. */
  async #whole(tool: string, args: object): Promise<unknown> {
    const answer = (await this.#ask(tool, args)) as Part
    const items = answer.items ?? []
    for (let rest = answer.pagination; rest !== undefined; ) {
      const part = (await this.#ask(tool, { ...args, cursor: rest.cursor })) as Part
      items.push(...(part.items ?? []))
      rest = part.pagination
    }
    return answer
  }

  #documents = () => this.#hold(listDocuments(this.#world), 'documents_list', MOST)
  #folders = () => this.#hold(listFolders(this.#world), 'folders_list', {})

  async #document({ root, location }: Document): Promise<string | undefined> {
    if (location === 'inbox' || location === 'logbook') {
      const fault = await this.#hold(listTasks(this.#world, location), 'tasks_list', { scope: location, ...MOST })
      if (fault !== undefined) return fault
      for (const task of root.children) {
        const holder = task.children.length > 0 ? await this.#block(task, [NAMES[location]]) : undefined
        if (holder !== undefined) return holder
      }
      return undefined
    }
    return this.#block(root)
  }

  /** @param pageBlockPath  the titles of the enclosing pages; undefined for a document */
  #block(block: Document['root'], pageBlockPath?: string[]): Promise<string | undefined> {
    const args = { id: block.id.value, fetchMetadata: true, maxBlocks: 20_000 }
    const expected = { ...showRead(block), pageBlockPath }
    return this.#hold(expected, 'blocks_get', args, (found) => withTitlesOfPath(withComments(found) as Read))
  }

  #collections = async (): Promise<string | undefined> => {
    const listed = this.#world.collections.filter(({ block }) => documentOf(block).location !== 'trash')
    const shown = listed
      .toSorted((one, other) => one.block.made - other.block.made)
      .map((collection) => {
        const { block } = collection
        const itemCount = block.children.length
        const documentId = documentOf(block).root.id
        return { id: block.id, name: block.text, itemCount, documentId, schema: showSchema(collection) }
      })
    const fault = await this.#hold(shown, 'collections_list', { limit: 100 })
    this.#world.seen.begin(this.#reader)
    for (const collection of listed) this.#world.seen.note(collection)
    this.#world.seen.keep()
    return fault
  }

  #itemsAndViews = async (): Promise<string | undefined> => {
    for (const collection of this.#world.collections) {
      const args = { collectionId: collection.block.id.value }
      const other =
        (await this.#hold(listItems(collection), 'items_list', { ...args, maxDepth: 0, limit: 1000 })) ??
        (await this.#hold(listViews(collection), 'views_list', args, asItIs))
      if (other !== undefined) return other
    }
    return undefined
  }

  async #reminders(statuses: readonly string[]): Promise<string | undefined> {
    for (const status of statuses) {
      const fault = await this.#hold(listReminders(this.#world, status), 'reminders_list', { status, limit: 200 })
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #boards = async (): Promise<string | undefined> => {
    for (const { id, board } of this.#world.blocks.values()) {
      if (board === undefined) continue
      const fault = await this.#hold(showBoard(board), 'elements_list', { whiteboardBlockId: id.value }, asItIs)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #tasks = async (): Promise<string | undefined> => {
    for (const scope of ['active', 'upcoming', 'undated', 'inbox', 'logbook', 'all']) {
      const fault = await this.#hold(listTasks(this.#world, scope), 'tasks_list', { scope, ...MOST })
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #tasksOfDocuments = async (): Promise<string | undefined> => {
    for (const { root, location } of this.#world.documents) {
      if (location === 'inbox' || location === 'logbook') continue
      const args = { scope: 'document', documentId: root.id.value, ...MOST }
      const fault = await this.#hold(listTasks(this.#world, 'document', root), 'tasks_list', args)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

/** Reduces the path to titles: the IDs of system documents are unknown, since no list contains them. */
const withTitlesOfPath = ({ pageBlockPath, ...others }: Read): object => ({
  ...others,
  ...(pageBlockPath && { pageBlockPath: pageBlockPath.map(({ content }) => content) }),
})

/** Runs the checks in order and returns the first difference. */
async function first(parts: readonly (() => Promise<string | undefined>)[]): Promise<string | undefined> {
  for (const part of parts) {
    const fault = await part()
    if (fault !== undefined) return fault
  }
  return undefined
}
