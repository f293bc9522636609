/** The Model Context Protocol over {@link run}: the same tools for 2025 and 2026 clients, on every transport. */
import { type AuthInfo, Server } from '@modelcontextprotocol/server'
import { breathe } from '../breathe.ts'
import { cleanName } from '../control-characters.ts'
import type { Endpoint, Offer } from '../endpoint.ts'
import { invalid } from '../errors.ts'
import { CLIENT_NAME_LENGTH } from '../limits.ts'
import type { Kind, Link } from '../space/space.ts'
import { type Left, leftAfter } from './budget.ts'
import { tellChanges } from './changes.ts'
import { refuseUnasked } from './chosen-tools.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { serveResources } from './resources.ts'
import { type Answer, admission, type Caller, errorBody, run } from './run.ts'
import { type Tool, ToolTable } from './table.ts'
import { type Published, ToolList } from './tool-list.ts'

/** Milliseconds for which clients may keep a list: tools change with the program alone. */
const LIST_TTL = 3_600_000

export interface McpOptions {
  /** Loads what may be asked, when it is first needed: no connection begins with a call. */
  load(): Promise<Offer>
  /** The tools of the caller's kind as clients see them, where that is known beforehand. */
  published?: readonly Published[] | undefined
  version: string
  /** Whether a server lasts as long as its connection, and tells it of changes by itself. */
  watches?: boolean
  /**
   * Who calls; the log of writes has the client's own name beside theirs, where the client tells it. Over HTTP a request
   * may come with a caller of its own, of the same link, in its authInfo ({@link withCaller}).
   */
  caller: Caller
  log: (line: string) => void
  /** Stands around every call, to tell how it went. */
  observe?(tool: Tool, work: () => Promise<Answer>): Promise<Answer>
}

/** Where an idempotency key stands in the `_meta` of a call, and what is left of the limits in that of a result. */
const KEY = 'scriptorium/idempotencyKey'
const LEFT = 'scriptorium/limits'

/** Makes servers, one for each connection or HTTP request; the tools and their validators are made once. */
export function mcpFactory(options: McpOptions): (context?: { era?: 'legacy' | 'modern' }) => Server {
  const { load, published, version, caller, log, observe, watches = false } = options
  const table = async () => tableOf((await load()).endpoints, caller.link.kind)
  const resources = async () => (await load()).resources
  const known = published && new ToolList(published)
  return ({ era = 'modern' } = {}) => {
    const server = new Server(
      { name: 'scriptorium', title: 'Scriptorium', version },
      {
        capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } },
        instructions: INSTRUCTIONS[caller.link.kind],
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL, cacheScope: 'private' } },
      },
    )
    server.setRequestHandler('tools/list', async (_, context) => {
      const { space, link, lacks, tools: asked } = callerOf(context, caller)
      const list = known ?? (await table()).list
      const unavailable = await space.read(link, (view) => list.unavailable(view))
      // What may be had by signing in anew is listed: to call it is how that begins.
      const forbidden = lacks === undefined ? list.forbidden(link.access) : new Set<string>()
      const isListed = (name: string) => asked?.has(name) !== false && !unavailable.has(name) && !forbidden.has(name)
      // Whoever has the list calls next.
      if (known !== undefined) setImmediate(() => void load())
      return { tools: list.listings.filter(({ name }) => isListed(name)) } as never
    })
    const subscribed = new Set<string>()
    const asked = (context: unknown) => callerOf(context as WithAuth, caller)
    const isWatched = (uri: string) => era === 'modern' || subscribed.has(uri)
    // A space is looked at only for those who want to hear of it.
    let telling: Promise<void> | undefined
    const listen = async () => {
      if (watches) telling ??= tellChanges(server, caller, resources, isWatched)
      await telling
    }
    serveResources(server, { resources, callerOf: asked, log, onSubscribed: listen }, subscribed)
    if (era === 'modern') void listen()
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      try {
        const envelope = context.mcpReq.envelope as Record<string, { name?: string } | undefined> | undefined
        const client = envelope?.['io.modelcontextprotocol/clientInfo']?.name ?? server.getClientVersion()?.name
        const calling = callerOf(context, caller)
        const named = { ...calling, link: viaClient(calling.link, client) }
        const { tool, key } = await counted(calling, async () => {
          const found = (await table()).get(params.name)
          refuseUnasked(params.name, calling.tools)
          return { tool: found, key: keyIn(params._meta) }
        })
        const work = () => run(tool, params.arguments, named, key === undefined ? {} : { key })
        const answer = await (observe === undefined ? work() : observe(tool, work))
        // A long answer is written as JSON apart from its COMMIT: each takes a while.
        await breathe()
        return toolResult(answer)
      } catch (error) {
        const body = errorBody(error, log)
        const content = [{ type: 'text' as const, text: body.error }]
        if (body.details !== undefined) content.push({ type: 'text', text: JSON.stringify(body) })
        return { content, isError: true, ...metaOf(leftAfter.get(error as object)) }
      }
    })
    return server
  }
}

/** A link with the name that its client gives itself, where that is one. */
function viaClient(link: Link, name: unknown): Link {
  const client = typeof name === 'string' ? cleanName(name, CLIENT_NAME_LENGTH) : ''
  return client === '' ? link : { ...link, client }
}

/** What comes before a call that counts itself: when it is refused, it is a request all the same. */
async function counted<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const left = await admission(caller)({})
    if (left !== undefined) leftAfter.set(error as object, left)
    throw error
  }
}

/** @throws VALIDATION_ERROR for a key that is no text: a call whose key is passed over could be done twice */
function keyIn(meta: Record<string, unknown> | undefined): string | undefined {
  const key = meta?.[KEY]
  if (key === undefined || typeof key === 'string') return key
  throw invalid(`Expected text as ${KEY}, found ${JSON.stringify(key)}; give the key in quotes.`)
}

interface WithAuth {
  http?: { authInfo?: AuthInfo }
}

/** What goes with a request that has a caller of its own. */
export const withCaller = (caller: Caller): { authInfo: AuthInfo } => ({
  authInfo: { token: '', clientId: caller.link.id ?? '', scopes: [], extra: { caller } },
})

const callerOf = ({ http }: WithAuth, standing: Caller): Caller =>
  (http?.authInfo?.extra?.caller as Caller | undefined) ?? standing

const tables = new Map<readonly Endpoint[], Map<Kind, ToolTable>>()

/** The tools of one kind of connection, made at the first use and kept. */
export function tableOf(endpoints: readonly Endpoint[], kind: Kind): ToolTable {
  const byKind = tables.get(endpoints) ?? new Map<Kind, ToolTable>()
  tables.set(endpoints, byKind)
  const table = byKind.get(kind) ?? new ToolTable(endpoints, kind)
  byKind.set(kind, table)
  return table
}

function metaOf(left: Left | undefined, news: Answer['news'] = {}) {
  const hasLeft = left?.requests !== undefined || left?.blocks !== undefined
  const meta = { ...news, ...(hasLeft && { [LEFT]: left }) }
  return Object.keys(meta).length > 0 ? { _meta: meta } : {}
}

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

function toolResult(answer: Answer) {
  const meta = metaOf(answer.left, answer.news)
  if ('object' in answer) {
    const text = JSON.stringify(answer.object)
    const structuredContent = answer.object as Record<string, unknown>
    return { content: [{ type: 'text' as const, text }], structuredContent, ...meta }
  }
  const { body, note, images = [] } = answer.text
  const content: Content[] = [{ type: 'text', text: body }]
  if (note !== undefined) content.push({ type: 'text', text: note })
  for (const { blockId, mimeType, data } of images) {
    content.push({ type: 'text', text: `Picture of ${blockId}:` }, { type: 'image', data, mimeType })
  }
  return { content, ...meta }
}
