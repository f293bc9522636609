/**
 * Starts the entry of a host once, as the host would: what cannot start is not written into its configuration.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import program from '../../../package.json' with { type: 'json' }
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import { isObject } from '../../base/is-object.ts'
import { shorten } from '../../base/shorten.ts'
import type { ServerCommand } from '../../hosts/host-entry.ts'

/** What a started entry offers. */
export interface StartedEntry {
  tools: number
  /** How many documents its space has, as far as one list shows them; absent if it has no such tool. */
  documents?: { count: number; hasMore: boolean }
}

/** Milliseconds until an entry that does not answer counts as one that cannot start. */
const START_MS = 60_000

const PROTOCOL = '2025-06-18'
/** Documents that are asked for. */
const DOCUMENTS_LISTED = 100

/** @throws VALIDATION_ERROR if it ends, or does not answer, with its message */
export async function startOnce({ command, args }: ServerCommand): Promise<StartedEntry> {
  // A host starts it in a folder of its own choice.
  const child = spawn(command, [...args], { cwd: homedir(), stdio: 'pipe' })
  const connection = new Connection(child)
  const timer = setTimeout(() => child.kill(), START_MS)
  try {
    const clientInfo = { name: 'scriptorium install', version: program.version }
    await connection.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo })
    connection.send({ method: 'notifications/initialized' })
    const names: string[] = []
    let cursor: unknown
    do {
      const page = await connection.request('tools/list', cursor === undefined ? {} : { cursor })
      for (const { name } of page.tools as { name: string }[]) names.push(name)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    if (!names.includes('documents_list')) return { tools: names.length }
    const listed = await connection.request('tools/call', {
      name: 'documents_list',
      arguments: { limit: DOCUMENTS_LISTED, format: 'json' },
    })
    return { tools: names.length, ...documentsIn(listed) }
  } finally {
    // What does not end at the end of its input is ended when the minute is over.
    await connection.end()
    clearTimeout(timer)
  }
}

function documentsIn({ content }: Record<string, unknown>): Pick<StartedEntry, 'documents'> {
  const [first] = Array.isArray(content) ? content : []
  try {
    const { items, pagination } = JSON.parse(isObject(first) ? String(first.text) : '') as Record<string, unknown>
    return Array.isArray(items) ? { documents: { count: items.length, hasMore: pagination !== undefined } } : {}
  } catch {
    return {}
  }
}

/** `It starts: 50 tools, a space of 2 documents.` @param isNew  true if this start made the space */
export function startedLine({ tools, documents }: StartedEntry, isNew: boolean): string {
  const counted = documents && `${documents.hasMore ? 'more than ' : ''}${formatCount(documents.count, 'document')}`
  const space = isNew ? ', a new space' : counted === undefined ? '' : `, a space of ${counted}`
  return `It starts: ${formatCount(tools, 'tool')}${space}.`
}

/** What a line says; undefined for one that is no message, as programs print that start others. */
function messageIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** JSON-RPC with the process, one message a line. */
class Connection {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>()
  readonly #ended: Promise<string>
  #errors = ''
  #rest = ''
  #last = 0

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2_000)
    })
    // A process that ended takes no more input; why it ended is message below.
    child.stdin.on('error', () => {})
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('close', (code, signal) =>
        resolve(signal === null ? `it ended with code ${code}` : 'it did not answer within a minute'),
      )
    })
  }

  send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#last
    const answer = new Promise<Record<string, unknown>>((resolve) => this.#waiting.set(id, resolve))
    this.send({ id, method, params })
    const found = await Promise.race([answer, this.#ended])
    if (typeof found === 'string') throw this.#failed(found)
    const { result, error } = found
    if (isObject(result)) return result
    throw this.#failed(`${method} was answered with ${shorten(JSON.stringify(error ?? found), 300)}`)
  }

  /** Closes its input, at which it ends by itself. */
  async end(): Promise<void> {
    this.#child.stdin.end()
    await this.#ended
  }

  #failed(reason: string) {
    const message = this.#errors.trim().split('\n').at(-1) ?? ''
    return invalid(
      `Expected the entry to start, found this: ${message === '' ? reason : message}${/[.;]$/.test(message) ? '' : '.'} Nothing was written; install again once it starts.`,
    )
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = messageIn(line)
      if (isObject(message) && typeof message.id === 'number') this.#waiting.get(message.id)?.(message)
    }
  }
}
