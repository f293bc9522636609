/** The Model Context Protocol over {@link runCall}: the same tools for 2025 and 2026 clients, on every transport. */
import { type AuthInfo, Server } from '@modelcontextprotocol/server'
import { cleanName } from '../base/control-characters.ts'
import { type ErrorBody, invalid } from '../base/errors.ts'
import { CLIENT_NAME_LENGTH } from '../base/limits.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import { type Remaining, remainingAfterFailure } from '../call/rate-limiter.ts'
import { type Caller, type CallResult, runCall, startAcquiring, toErrorBody } from '../call/run.ts'
import { type Tool, toolCatalogFor } from '../call/tool-catalog.ts'
import { type ToolEntry, ToolList } from '../call/tool-list.ts'
import type { ServerCatalog } from '../endpoint.ts'
import type { AccessLink } from '../space/model/space.ts'
import { notifyChanges } from './change-notifications.ts'
import { sessionConnectionName } from './connection-names.ts'
import { registerPrompts } from './mcp-prompts.ts'
import { registerResources } from './mcp-resources.ts'
import { serverInfo } from './server-info.ts'
import { assertToolSelected } from './tool-selection.ts'

/** Milliseconds for which clients may keep a list: tools change with the program alone. */
const LIST_TTL_MS = 3_600_000
const LIST_CACHE = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const

export interface McpOptions {
  /** Loads the catalog when it is first needed: no connection begins with a call. */
  load(): Promise<ServerCatalog>
  /** The tools of the caller's kind as clients see them, where that is known beforehand. */
  prebuiltTools?: readonly ToolEntry[] | undefined
  version: string
  /** Instructions for agents, sent when they connect. */
  instructions(connection: Pick<AccessLink, 'kind' | 'access'> & Pick<Caller, 'tools'>): string
  /** Whether a server lasts as long as its connection, and tells it of changes by itself. */
  notifiesChanges?: boolean
  /**
   * Who calls; the log of writes has the client's own name beside theirs, where the client tells it. Over HTTP a request
   * may come with a caller of its own, of the same link, in its authInfo ({@link authInfoFor}).
   */
  caller: Caller
  log: (line: string) => void
  /** Stands around every call, to tell how it went. */
  observe?(tool: Tool, work: () => Promise<CallResult>): Promise<CallResult>
}

/** Where an idempotency key stands in the `_meta` of a call, and what is left of the limits in that of a result. */
const IDEMPOTENCY_KEY = 'scriptorium/idempotencyKey'
const LIMITS_KEY = 'scriptorium/limits'

/** Makes servers, one for each connection or HTTP request; the tools and their validators are made once. */
export function createMcpServerFactory(options: McpOptions): (context?: { era?: 'legacy' | 'modern' }) => Server {
  const { load, prebuiltTools, version, instructions, caller, log, observe, notifiesChanges = false } = options
  const table = async () => toolCatalogFor((await load()).endpoints, caller.link.kind)
  const resources = async () => (await load()).resources
  const prebuiltList = prebuiltTools && new ToolList(prebuiltTools)
  return ({ era = 'modern' } = {}) => {
    const server = new Server(serverInfo(version), {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
      instructions: instructions({ ...caller.link, ...caller }),
      cacheHints: { 'tools/list': LIST_CACHE, 'prompts/list': LIST_CACHE },
    })
    /** Which tools the connection has as things stand. */
    const toolFilter = async (list: ToolList, context: AuthContext) => {
      const { space, link, scopeError, tools: selection } = callerOf(context, caller)
      const unavailable = await space.read(link, (view) => list.unavailable(view))
      // Tools that signing in again would allow are listed: calling one starts the sign-in.
      const forbidden = scopeError === undefined ? list.forbidden(link.access) : new Set<string>()
      return (name: string) => selection?.has(name) !== false && !unavailable.has(name) && !forbidden.has(name)
    }
    server.setRequestHandler('tools/list', async (_, context) => {
      const list = prebuiltList ?? (await table()).list
      const isListed = await toolFilter(list, context)
      // A client that has the list makes a call next.
      if (prebuiltList !== undefined) setImmediate(() => void load())
      return { tools: list.listed(isListed) } as never
    })
    registerPrompts(server, {
      prompts: async () => (await load()).prompts,
      toolFilter: async (context) => {
        const { list } = await table()
        const isListed = await toolFilter(list, context as AuthContext)
        const names = new Set(list.listed(isListed).map(({ name }) => name))
        return (name) => names.has(name)
      },
    })
    const subscribed = new Set<string>()
    const callerOfContext = (context: unknown) => callerOf(context as AuthContext, caller)
    const isWatched = (uri: string) => era === 'modern' || subscribed.has(uri)
    // A space is looked at only for those who want to hear of it.
    let notifying: Promise<void> | undefined
    const startNotifying = async () => {
      if (notifiesChanges) notifying ??= notifyChanges(server, caller, resources, isWatched)
      await notifying
    }
    registerResources(server, { resources, callerOf: callerOfContext, log, onSubscribed: startNotifying }, subscribed)
    if (era === 'modern') void startNotifying()
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      try {
        const envelope = context.mcpReq.envelope as Record<string, { name?: string } | undefined> | undefined
        const client = envelope?.['io.modelcontextprotocol/clientInfo']?.name ?? server.getClientVersion()?.name
        const requestCaller = callerOf(context, caller)
        const link = withConnection(withClientName(requestCaller.link, client), context.sessionId)
        const namedCaller = { ...requestCaller, link }
        const { tool, key } = await countOnFailure(requestCaller, async () => {
          const tool = (await table()).get(params.name)
          assertToolSelected(params.name, requestCaller.tools)
          return { tool, key: idempotencyKeyIn(params._meta) }
        })
        const work = () =>
          runCall(tool, params.arguments, namedCaller, {
            withMcpDefaults: true,
            ...(key !== undefined && { idempotencyKey: key }),
          })
        const result = await (observe === undefined ? work() : observe(tool, work))
        // A long answer is written as JSON apart from its COMMIT: each takes a while.
        await yieldToEventLoop()
        return toolResult(result)
      } catch (error) {
        const body = toErrorBody(error, log)
        const { _meta = {} } = resultMeta(remainingAfterFailure.get(error as object))
        return { content: errorContent(body), isError: true, _meta: { ..._meta, [ERROR_KEY]: body } }
      }
    })
    return server
  }
}

/** A link with the name of its session: of the session's ID no one may learn. */
function withConnection(link: AccessLink, sessionId: string | undefined): AccessLink {
  return sessionId === undefined ? link : { ...link, connection: sessionConnectionName(sessionId) }
}

/** A link with the name that its client gives itself, where that is one. */
function withClientName(link: AccessLink, name: unknown): AccessLink {
  const client = typeof name === 'string' ? cleanName(name, CLIENT_NAME_LENGTH) : ''
  return client === '' ? link : { ...link, client }
}

/** Work before a call, which counts itself as a request. If this work is rejected, it counts as a request, too. */
async function countOnFailure<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const remaining = await startAcquiring(caller)({})
    if (remaining !== undefined) remainingAfterFailure.set(error as object, remaining)
    throw error
  }
}

/** @throws VALIDATION_ERROR for a key that is not a string: a call whose key is ignored could run twice */
function idempotencyKeyIn(meta: Record<string, unknown> | undefined): string | undefined {
  const key = meta?.[IDEMPOTENCY_KEY]
  if (key === undefined || typeof key === 'string') return key
  throw invalid(`Expected text as ${IDEMPOTENCY_KEY}, found ${JSON.stringify(key)}; give the key in quotes.`)
}

interface AuthContext {
  http?: { authInfo?: AuthInfo }
}

/** The auth info of a request that has a caller of its own. */
export const authInfoFor = (caller: Caller): { authInfo: AuthInfo } => ({
  authInfo: { token: '', clientId: caller.link.id ?? '', scopes: [], extra: { caller } },
})

const callerOf = ({ http }: AuthContext, connectionCaller: Caller): Caller =>
  (http?.authInfo?.extra?.caller as Caller | undefined) ?? connectionCaller

function resultMeta(remaining: Remaining | undefined, notices: CallResult['notices'] = {}) {
  const hasRemaining = remaining?.requests !== undefined || remaining?.blocks !== undefined
  const meta = { ...notices, ...(hasRemaining && { [LIMITS_KEY]: remaining }) }
  return Object.keys(meta).length > 0 ? { _meta: meta } : {}
}

/** Key of an error's code and details, for programs. */
const ERROR_KEY = 'scriptorium/error'

/** What a model reads of an error: its sentence once, and what the details say besides. */
function errorContent({ error, details = [] }: ErrorBody): ContentBlock[] {
  const others = details.filter(({ message }) => !error.includes(message))
  const lines = others.map(({ path, message }) => (path === '' ? message : `At ${path}: ${message}`))
  return [error, ...(lines.length > 0 ? [lines.join('\n')] : [])].map((text) => ({ type: 'text', text }))
}

type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

function toolResult(result: CallResult) {
  const meta = resultMeta(result.remaining, result.notices)
  if ('object' in result) {
    const text = JSON.stringify(result.object)
    const structuredContent = result.object as Record<string, unknown>
    const texts = result.note === undefined ? [text] : [text, result.note]
    return { content: texts.map((one) => ({ type: 'text' as const, text: one })), structuredContent, ...meta }
  }
  const { body, note, images = [] } = result.text
  const content: ContentBlock[] = [{ type: 'text', text: body }]
  if (note !== undefined) content.push({ type: 'text', text: note })
  for (const { blockId, mimeType, data } of images) {
    content.push({ type: 'text', text: `Picture of ${blockId}:` }, { type: 'image', data, mimeType })
  }
  return { content, ...meta }
}
