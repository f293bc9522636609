/** A space with a document that browsers and agents write to, and a server that can be killed and restarted. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { Node } from 'prosemirror-model'
import type { Title } from '../../../src/markdown/inline-title.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { blockOf } from '../../../src/page/assets/model/page-block.ts'
import { portOf } from '../../http/serve-process.ts'
import { NO_INPUT, UNREAD } from '../../support/unread.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SCRIPT = 'src/start.js'
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

export interface ServedBlock {
  id: string
  type: string
  markdown: string
}

/** The response of a call that succeeded. */
type Answer = { items: { id: string }[]; content: ServedBlock[]; title: Title; collectionBlockId: string }

/** How processes that work on a space are started. */
interface Program {
  env: Readonly<Record<string, string | undefined>>
  /** The checkout. */
  cwd: string
}

export class EditingServer {
  readonly #program: Program
  readonly #port: number
  #child: ChildProcess
  #rest = ''

  private constructor(program: Program, port: number, child: ChildProcess) {
    this.#program = program
    this.#port = port
    this.#child = child
  }

  /**
   * @param database  the address of a space on PostgreSQL; without one, the space is a file in the folder
   * @param cwd  the checkout whose program serves it
   */
  static async open(folder: string, { database, cwd = ROOT }: { database?: string; cwd?: string } = {}) {
    const program = { env: { ...process.env, SCRIPTORIUM_SPACE: database ?? join(folder, 'space.sqlite') }, cwd }
    const port = await freePort()
    const server = new EditingServer(program, port, await serve(program, port))
    server.#rest = await server.#addLink('editing')
    return server
  }

  /** Creates a link. @returns the address of its pages */
  async addPages(name: string): Promise<string> {
    return (await this.#addLink(name)).replace('/api/v1', '/view')
  }

  /** Revokes a link by its name. */
  async revoke(name: string): Promise<void> {
    const links = JSON.parse(await this.#links('list', '--json')) as { id: string; name: string }[]
    await this.#links('revoke', links.find((link) => link.name === name)?.id ?? '')
  }

  /** @returns the base address of its REST interface */
  async #addLink(name: string): Promise<string> {
    const added = await this.#links('add', '--name', name, '--json', '--port', String(this.#port))
    return (JSON.parse(added) as { restUrl: string }).restUrl
  }

  async #links(...what: string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [SCRIPT, 'links', ...what], this.#program)).stdout
  }

  /** Kills the server and starts it again at the same address. */
  async restart(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
    this.#child = await serve(this.#program, this.#port)
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
  }

  /** Makes a call over REST. @throws Error with the error message of the response, and its code as the name */
  async call(line: string, body?: object, client = 'agent'): Promise<Answer> {
    const [method = '', path] = line.split(' ')
    const response = await fetch(`${this.#rest}${path}${path?.includes('?') ? '&' : '?'}ids=short`, {
      method,
      headers: { 'content-type': 'application/json', 'user-agent': client },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer & { error?: string; code?: string }
    if (!response.ok) throw Object.assign(new Error(answer.error), { name: answer.code ?? 'Error' })
    return answer
  }

  async addDocument(title: string, markdown: string): Promise<string> {
    const { items } = await this.call('POST /documents', { documents: [{ title, markdown }] })
    return items[0]?.id ?? ''
  }

  /** @param schema  with its name and its properties */
  async addCollection(pageId: string, schema: object): Promise<string> {
    const position = { position: 'end', pageId }
    return (await this.call('POST /collections', { schema, position })).collectionBlockId
  }

  async blocks(id: string): Promise<ServedBlock[]> {
    return (await this.call(`GET /blocks?id=${id}&maxDepth=1`)).content ?? []
  }

  async title(id: string): Promise<Title> {
    return (await this.call(`GET /blocks?id=${id}&maxDepth=0`)).title
  }

  /** Opens a document in a separate browser context. */
  async visit(browser: Browser, id: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    await page.goto(this.#rest.replace('/api/v1', '/view'))
    await page.goto(`${page.url().replace(/\/$/, '')}/d/${id}`)
    await page.locator('html.edits').waitFor()
    return page
  }
}

async function serve(program: Program, port: number): Promise<ChildProcess> {
  const unlimited = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']
  const args = [SCRIPT, 'serve', '--port', String(port), '--no-welcome', ...unlimited]
  const child = spawn(process.execPath, args, { ...program, stdio: [NO_INPUT, UNREAD, 'pipe'] })
  await portOf(child)
  return child
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  return port
}

export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`Expected Chromium at ${CHROMIUM}, found none; install it, or name it in CHROMIUM.`)
  }
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

/** The Markdown of blocks. */
export const texts = (blocks: readonly { markdown: string }[]): string[] => blocks.map(({ markdown }) => markdown)

/** The blocks as a page shows them: the Markdown of what stands in its editor, in their order. */
export async function shownBlocks(page: Page): Promise<{ id: string; markdown: string }[]> {
  // ProseMirror keeps the node that it has drawn with each element.
  const drawn = await page.evaluate(`document.querySelector('.part.ProseMirror').pmViewDesc.node.toJSON()`)
  return Node.fromJSON(schema, drawn).content.content.map(blockOf)
}

/** The person's side of all conflicts that a page shows; for a table, one cell per line. */
export const shownVersions = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('.versions blockquote.mine')]
    .flatMap((one) => one.querySelector('table') === null ? [one] : [...one.querySelectorAll('th, td')])
    .map((one) => one.textContent)
    .join('\\n')`)

/**
 * Waits until a page has had nothing to send for a while. A refused call may be sent again in parts.
 *
 * @param leaves  true to move the caret out of the text first
 */
export async function waitUntilSaved(page: Page, leaves = true): Promise<void> {
  if (leaves) await page.keyboard.press('Escape')
  let quiet = 0
  for (let tries = 0; tries < 600; tries++) {
    quiet = (await page.evaluate(IS_QUIET)) ? quiet + 1 : 0
    if (quiet === 8) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const left = JSON.stringify([await page.evaluate(WAITING), await page.evaluate('({ ...localStorage })')])
  throw new Error(`Expected a page that sends all it has within a minute, found one that still has some: ${left}`)
}

/**
 * Polls until it finds the expected value, since a page reads what others wrote with a delay.
 *
 * @returns after about ten seconds without success, one sentence with the difference; otherwise an empty list
 */
export async function expectSoon(what: string, wanted: unknown, read: () => Promise<unknown>): Promise<string[]> {
  const expected = JSON.stringify(wanted)
  let found = ''
  for (let tries = 0; tries < 50; tries++) {
    found = JSON.stringify(await read())
    if (found === expected) return []
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return [`expected ${what} ${expected}, found ${found}.`]
}

/**
 * Scripts that let a page, and nothing else in the browser, reach no server, and then reach it again. Requests of a page
 * that is being left are not always intercepted.
 */
export const UNREACHABLE = `
  globalThis.reachingFetch = fetch
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))`
export const REACHABLE = 'globalThis.fetch = globalThis.reachingFetch'

/** Scripts that run in the page, in a browser with one session: what waits for the server, and whether nothing does. */
const WAITING = `(async () => {
  const databases = await indexedDB.databases()
  const { name } = databases.find(({ name }) => name.startsWith('scriptorium ' + document.body.dataset.base + ' '))
  const opening = indexedDB.open(name)
  await new Promise((resolve) => opening.addEventListener('success', resolve))
  const tables = opening.result.transaction(['calls', 'refused'])
  const found = ['calls', 'refused'].map((name) => tables.objectStore(name).getAll())
  await new Promise((resolve) => tables.addEventListener('complete', resolve))
  opening.result.close()
  return found.flatMap(({ result }) => result)
})()`
const IS_QUIET = `${WAITING}.then((waiting) =>
  waiting.length === 0 && !Object.keys(localStorage).some((key) => key.includes(' draft ')))`
