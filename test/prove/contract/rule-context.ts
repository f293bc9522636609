/** What the check of a rule works with: a connection, and pages of its own that other checks do not touch. */
import assert from 'node:assert/strict'
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { call } from '../test-client/test-client.ts'
import { type Answer, type Thing, thingIn } from './answer.ts'
import type { Connection } from './connections.ts'
import type { Transport } from './rule.ts'
import type { ContractWorld, LimitOptions } from './world.ts'

/** Changes calls and answers of a connection, as a faulty product would. */
export interface Spoiler {
  call?(tool: string, args: object): object
  answer?(tool: string, answer: Answer, args: object): Answer
}

/** The status of each code, as the contract's shapes list them. */
const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  INVALID_REGEX_ERROR: 400,
  CURSOR_INVALID: 400,
  INVALID_AUTH_HEADER: 401,
  FORBIDDEN: 403,
  REMINDERS_UNAVAILABLE: 403,
  NOT_FOUND_ERROR: 404,
  NOT_AVAILABLE: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
}

export class RuleContext {
  readonly world: ContractWorld
  readonly connection: Connection
  /** The number of calls that the check has made. */
  readonly counts: { calls: number }
  readonly #spoiler: Spoiler

  constructor(world: ContractWorld, connection: Connection, spoiler: Spoiler = {}, counts = { calls: 0 }) {
    this.counts = counts
    this.world = world
    this.connection = connection
    this.#spoiler = spoiler
  }

  get kind(): ConnectionKind {
    return this.connection.kind
  }

  get transport(): Transport {
    return this.connection.transport
  }

  get isRest(): boolean {
    return this.transport === 'REST'
  }

  /** Makes a call, which may be refused. */
  async call(tool: string, args: object = {}): Promise<Answer> {
    this.counts.calls++
    const answer = await this.connection.send(tool, this.#spoiler.call?.(tool, args) ?? args)
    return this.#spoiler.answer?.(tool, answer, args) ?? answer
  }

  /** Makes a call that must succeed. */
  async done(tool: string, args: object = {}): Promise<Thing> {
    const { isRefused, code, error, body } = await this.call(tool, args)
    assert.ok(!isRefused, `Expected ${tool} ${JSON.stringify(args)} to be done, found ${code}: ${error}`)
    return body
  }

  /** Makes a call that must be refused with a code, and over REST with its status. Returns the sentence. */
  async refused(tool: string, args: object, code = 'VALIDATION_ERROR'): Promise<string> {
    const answer = await this.call(tool, args)
    const about = `${tool} ${JSON.stringify(args)}`
    assert.ok(answer.isRefused, `Expected ${about} to be refused, found ${answer.text.slice(0, 300)}`)
    assert.equal(answer.code, code, `Expected ${code} for ${about}, found ${answer.code}: ${answer.error}`)
    if (this.isRest)
      assert.equal(answer.status, STATUS[code], `Expected status ${STATUS[code]} for ${about}, found ${answer.status}`)
    return answer.error
  }

  /** Sends a whole REST request. */
  async rest(method: string, target: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
    this.counts.calls++
    const request = { method, target, headers, ...(body !== undefined && { body }) }
    const { status, headers: sent, text } = await this.connection.http.rest(request)
    let parsed = {} as Thing
    if (sent['content-type']?.startsWith('application/json') === true) parsed = JSON.parse(text) as Thing
    const isRefused = status >= 400
    const answer = {
      ...{ isRefused, status, headers: sent, text, body: parsed, error: String(parsed.error ?? '') },
      ...(isRefused && { code: String(parsed.code) }),
    }
    return this.#spoiler.answer?.(`${method} ${target}`, answer, {}) ?? answer
  }

  /** The document under which this kind of connection gets its pages. */
  get root(): string {
    return this.world.roots[this.kind]
  }

  /** Makes an empty page that this connection reaches. */
  async page(): Promise<string> {
    const blocks = [{ type: 'page', title: 'page of a check' }]
    const { items } = await this.setup('blocks_add', { blocks, position: inPage(this.root) })
    return one(items).id
  }

  /** Makes a page with this text, and returns its ID and those of its blocks. */
  async made(markdown: string): Promise<{ page: string; ids: string[] }> {
    const page = await this.page()
    const { items } = await this.setup('blocks_add', { markdown, position: inPage(page) })
    return { page, ids: items.map(({ id }) => id) }
  }

  /** Makes a page with one block of this text. */
  async madeBlock(markdown: string): Promise<{ page: string; id: string }> {
    const { page, ids } = await this.made(markdown)
    return { page, id: one(ids) }
  }

  /** Makes a collection with these properties on a page of its own. */
  async collection(properties: readonly object[] = []): Promise<string> {
    const schema = { name: 'Things', properties }
    return (await this.setup('collections_add', { schema, position: inPage(await this.page()) })).collectionBlockId
  }

  /** Makes a document, over the full connection. */
  async document(title: string, more: object = {}): Promise<string> {
    return one((await this.setup('documents_add', { documents: [{ title, ...more }] })).items).id
  }

  /**
   * Makes a document that this connection reaches and that has this text alone: of a daily connection, the note of a day.
   */
  async freshDocument(markdown: string): Promise<{ id: string; date?: string }> {
    if (this.kind === 'daily') {
      const date = this.world.nextDay()
      const { items } = await this.setup('blocks_add', { markdown, position: { position: 'end', date } })
      return { id: items[0]?.documentId ?? '', date }
    }
    const id = await this.document('fresh document', { markdown })
    if (this.kind === 'selected') await this.world.expose(id)
    return { id }
  }

  /** Reads a block with all that it holds. */
  read(id: string, more: object = {}): Promise<Thing> {
    return this.done('blocks_get', { id, ...more })
  }

  /** Adds one block at the end of a fresh page, and returns it as the call answers it. */
  async added(block: object): Promise<Thing> {
    return one((await this.done('blocks_add', { blocks: [block], position: inPage(await this.page()) })).items)
  }

  /** Adds Markdown to a fresh page, and returns the blocks as they are read back. */
  async readBack(markdown: string): Promise<Thing[]> {
    const page = await this.page()
    await this.done('blocks_add', { markdown, position: inPage(page) })
    return (await this.read(page)).content
  }

  /** Reads a page as Markdown: over REST with the header Accept, over MCP with the format. */
  async markdown(id: string, more: Record<string, unknown> = {}): Promise<string> {
    if (!this.isRest) return (await this.call('blocks_get', { id, ...more, format: 'markdown' })).text
    const query = new URLSearchParams({ id })
    for (const [key, value] of Object.entries(more)) query.set(key, String(value))
    return (await this.rest('GET', `/blocks?${query}`, { accept: 'text/markdown' })).text
  }

  /** Prepares something over a full connection that no planted fault touches. */
  async setup(tool: string, args: object): Promise<Thing> {
    const { isRefused, text, object } = await call(this.world.maker, tool, args)
    if (isRefused) throw new Error(`The preparation ${tool} ${JSON.stringify(args)} was refused: ${text}`)
    return Object.keys(object).length > 0 ? (object as Thing) : thingIn(text)
  }

  /**
   * Serves the space once more, with rate limits, for the time of the work.
   *
   * @param work  gets a context like this one, and a function that opens further connections
   */
  limited(
    options: LimitOptions,
    work: (
      context: RuleContext,
      open: (kind: ConnectionKind, transport: Transport) => Promise<RuleContext>,
    ) => Promise<void>,
  ): Promise<void> {
    return this.world.limited(options, async (connect) => {
      const open = async (kind: ConnectionKind, transport: Transport) =>
        new RuleContext(this.world, await connect(kind, transport), this.#spoiler, this.counts)
      await work(await open(this.kind, this.transport), open)
    })
  }

  /** Does the work with a context like this one, by a link that may only read. */
  async readOnly(work: (context: RuleContext) => Promise<void>): Promise<void> {
    await this.world.readOnly(this.kind, this.transport, (connection) =>
      work(new RuleContext(this.world, connection, this.#spoiler, this.counts)),
    )
  }

  /** Does the work with a context like this one, on another space that has two participants. */
  async inSpaceOfTwo(work: (context: RuleContext) => Promise<void>): Promise<void> {
    await this.world.inSpaceOfTwo(this.kind, this.transport, (connection) =>
      work(new RuleContext(this.world, connection, this.#spoiler, this.counts)),
    )
  }
}

export const inPage = (pageId: string, position: 'start' | 'end' = 'end') => ({ position, pageId })
export const beside = (siblingId: string, position: 'before' | 'after' = 'after') => ({ position, siblingId })

/** The only entry of a list. */
export function one<Entry>(list: readonly Entry[]): Entry {
  const [first] = list
  assert.ok(
    first !== undefined && list.length === 1,
    `Expected one entry, found ${JSON.stringify(list)?.slice(0, 300)}`,
  )
  return first
}

/** The entry of a list with this ID. */
export function withId(list: readonly Thing[], id: string): Thing {
  const found = list.find((entry) => entry.id === id)
  assert.ok(found !== undefined, `Expected ${id} in the list, found ${list.length} others`)
  return found
}

export const idsOf = (list: readonly Thing[]): string[] => list.map(({ id }) => id)
export const markdownsOf = (list: readonly Thing[]): string[] => list.map(({ markdown }) => markdown)

/** The value is as expected, with all fields. */
export const same = (found: unknown, expected: unknown): void => assert.deepEqual(found, expected)
/** The value has the expected fields, and maybe others. */
export const has = (found: unknown, expected: unknown): void => assert.partialDeepStrictEqual(found, expected)
/** The text has the expected form. */
export const reads = (found: unknown, form: RegExp): void => assert.match(String(found), form)
export const holds = (condition: boolean, otherwise: string): void => assert.ok(condition, otherwise)
