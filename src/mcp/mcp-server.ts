/** The Model Context Protocol over {@link runCall}: the same tools for 2025 and 2026 clients, on every transport. */
import { type AuthInfo, ProtocolError, Server } from '@modelcontextprotocol/server'
import { inBackground } from '../base/background.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import type { AppViews, ViewedCall } from '../call/catalog/app-views.ts'
import { type Tool, toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { isEffectAllowed, type ToolEntry, ToolList } from '../call/catalog/tool-list.ts'
import { createToolEntry } from '../call/catalog/tool-schema.ts'
import { assertToolSelected } from '../call/catalog/tool-selection.ts'
import { toolTypes } from '../call/catalog/typed-tools.ts'
import { withClientName } from '../call/client-name.ts'
import { connectionNameOf } from '../call/connection-names.ts'
import { toErrorBody } from '../call/error-body.ts'
import type { EventSubscriptions } from '../call/event-subscriptions.ts'
import { remainingAfterFailure } from '../call/rate-limiter.ts'
import { type Caller, type CallResult, countRequest, runCall } from '../call/run.ts'
import { Comparer } from '../difference/comparer.ts'
import type { ServerCatalog } from '../server-catalog.ts'
import type { AccessLink } from '../space/model/space.ts'
import { notifyChanges } from './change-notifications.ts'
import type { OpenedStream } from './event-tool.ts'
import { APPS_EXTENSION, forViewsOnly, joinResources, showsViews, viewResources, withView } from './mcp-apps.ts'
import { EVENTS_EXTENSION, registerEvents } from './mcp-events.ts'
import { registerPrompts } from './mcp-prompts.ts'
import { INVALID_PARAMS, registerResources } from './mcp-resources.ts'
import { registerSkills, SKILLS_EXTENSION } from './mcp-skills.ts'
import { createdTask, declaresTasks, registerTasks, TASKS_EXTENSION } from './mcp-tasks.ts'
import { typeResource } from './mcp-types.ts'
import { serverInfo } from './server-info.ts'
import { errorMeta, errorResult, resultMeta, toolResult } from './tool-results.ts'

/** Milliseconds for which clients may cache lists. Tools only change with the program. */
const LIST_TTL_MS = 3_600_000
const LIST_CACHE = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const

export interface McpOptions {
  /** Loads the catalog when it is first needed, since no connection begins with a call. */
  load(): Promise<ServerCatalog>
  /** Views of responses for people, in hosts that support them. Loaded when first needed. */
  views?(): Promise<AppViews>
  /** The listing of tools for the caller's kind of connection, if it was prebuilt. */
  prebuiltTools?: readonly ToolEntry[] | undefined
  version: string
  /** Instructions for agents, sent when they connect. */
  instructions(connection: Pick<AccessLink, 'kind' | 'access'> & Pick<Caller, 'tools'>): string
  /** True if the server lasts as long as its connection, and sends change notifications itself. */
  notifiesChanges?: boolean
  /**
   * Given for a session that was begun at another server or before a restart. What its client is subscribed to is not
   * known, so from the time that this resolves it is notified of every resource within its reach.
   */
  listening?: Promise<void>
  /**
   * The caller. The audit log adds the client's own name, if the client sends one. Over HTTP, each request may have a
   * separate caller of the same link, in its authInfo ({@link authInfoFor}).
   */
  caller: Caller
  log: (line: string) => void
  /** Keeps the space open for a stream of events or a waiting poll. Undefined if the link has too many of them. */
  openStream(caller: Caller): Promise<OpenedStream | undefined>
  /** Sends events to addresses that clients name. Absent if this process sends none. */
  subscriptions?: EventSubscriptions
  /** Runs before each call of a tool. */
  beforeCall?(): Promise<void>
  /** Wraps every call, for measurements. */
  observe?(tool: Tool, work: () => Promise<CallResult>): Promise<CallResult>
}

/** The keys in `_meta` of calls and results. */
const IDEMPOTENCY_KEY = 'scriptorium/idempotencyKey'
const DRY_RUN = 'scriptorium/dryRun'

/** Creates one server per connection or HTTP request. Tools and their validators are shared. */
export function createMcpServerFactory(options: McpOptions): (context?: { era?: 'legacy' | 'modern' }) => Server {
  const { load, views, prebuiltTools, version, instructions, caller, log, observe } = options
  const { notifiesChanges = false, listening, beforeCall, openStream, subscriptions } = options
  const table = async () => toolCatalogFor((await load()).endpoints, caller.link.kind)
  const resources = async () => (await load()).resources
  const prebuiltList = prebuiltTools && new ToolList(prebuiltTools)
  return ({ era = 'modern' } = {}) => {
    const server = new Server(serverInfo(version), {
      capabilities: {
        ...{ tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
        // Some clients look for events among the capabilities, others among the extensions.
        ...({ events: {} } as object),
        extensions: {
          ...{ [SKILLS_EXTENSION]: {}, [EVENTS_EXTENSION]: {} },
          ...(views && { [APPS_EXTENSION]: {} }),
          ...(era === 'modern' && { [TASKS_EXTENSION]: {} }),
        },
      },
      instructions: instructions({ ...caller.link, ...caller }),
      cacheHints: { 'tools/list': LIST_CACHE, 'prompts/list': LIST_CACHE },
    })
    /** The caller of a request, with the name of its client and of its session. */
    const withNames = (requestCaller: Caller, context: RequestContext & { sessionId?: string | undefined }): Caller => {
      const client = envelopeOf(context, 'clientInfo')?.name ?? server.getClientVersion()?.name
      const link = withConnection(withClientName(requestCaller.link, client), context.sessionId)
      return { ...requestCaller, link }
    }
    /** True if the client of a request shows views. */
    const hasViews = (context: RequestContext) =>
      views !== undefined && showsViews(envelopeOf(context, 'clientCapabilities') ?? server.getClientCapabilities())
    /** The tools that the connection can use at the moment. */
    const toolFilter = async (list: ToolList, context: AuthContext) => {
      const { space, link, scopeError, tools: selection } = callerOf(context, caller)
      // A host lists the tools of a paused link as well: the agent learns of the pause when it calls one.
      const isPaused = link.pausedAt !== undefined
      const unavailable = isPaused ? new Set() : await space.read(link, (view) => list.unavailable(view))
      // Tools that need a higher scope are listed: calling one starts a new sign-in.
      const forbidden = scopeError === undefined ? list.forbidden(link.access) : new Set<string>()
      return (name: string) => selection?.has(name) !== false && !unavailable.has(name) && !forbidden.has(name)
    }
    server.setRequestHandler('tools/list', async (_, context) => {
      const isTyped = callerOf(context, caller).answers === 'typed'
      const list = isTyped ? (await table()).typedList : (prebuiltList ?? (await table()).list)
      const isListed = await toolFilter(list, context)
      // A client that has received the list usually makes a call next.
      if (prebuiltList !== undefined) setImmediate(() => inBackground('load the tools', load, log))
      const listings = list.listed(isListed, callerOf(context, caller).hasBriefTools)
      if (!hasViews(context)) return { tools: listings } as never
      const { viewed } = list
      const shown = listings.map((one) => (viewed.has(one.name) ? withView(one) : one))
      const { access } = callerOf(context, caller).link
      const ofViews = (await table()).forViews.filter(
        ({ endpoint }) => isListed(endpoint.isForViewOf ?? '') && isEffectAllowed(endpoint.effect, access),
      )
      return {
        tools: [
          ...shown,
          ...ofViews.map(({ endpoint, schema }) => forViewsOnly(createToolEntry(endpoint, schema).listing)),
        ],
      } as never
    })
    const listedTools = async (context: unknown) => {
      const { list } = await table()
      const isListed = await toolFilter(list, context as AuthContext)
      const names = new Set(list.listed(isListed).map(({ name }) => name))
      return (name: string) => names.has(name)
    }
    registerPrompts(server, { prompts: async () => (await load()).prompts, toolFilter: listedTools })
    const ofSkills = registerSkills(server, {
      skills: async () => (await load()).skills,
      toolFilter: listedTools,
      cacheFields: era === 'modern' ? LIST_CACHE : {},
      log,
    })
    const types = typeResource({
      isTyped: (context) => callerOf(context as AuthContext, caller).answers === 'typed',
      declarations: async (context) => {
        const catalog = await table()
        const isListed = await toolFilter(catalog.list, context as AuthContext)
        return toolTypes(catalog.list.listed(isListed).map(({ name }) => catalog.get(name)))
      },
    })
    const programResources = joinResources(ofSkills, types, ...(views === undefined ? [] : [viewResources(views)]))
    const subscribed = new Set<string>()
    const callerOfContext = (context: unknown) => callerOf(context as AuthContext, caller)
    const isWatched = (uri: string) => era === 'modern' || listening !== undefined || subscribed.has(uri)
    // A space is only watched for clients that subscribe to something.
    let notifying: Promise<void> | undefined
    const startNotifying = async () => {
      if (notifiesChanges) notifying ??= notifyChanges(server, caller, resources, isWatched)
      await notifying
    }
    registerResources(
      server,
      { resources, programResources, callerOf: callerOfContext, log, onSubscribed: startNotifying },
      subscribed,
    )
    registerEvents(server, {
      ...{ catalog: table, openStream, log },
      ...(subscriptions && { subscriptions }),
      callerOf: (context) => withNames(callerOf(context as AuthContext, caller), context as RequestContext),
    })
    // Clients of 2025 know other tasks, which this server does not offer.
    if (era === 'modern') {
      registerTasks(server, {
        callerOf: callerOfContext,
        isDeclared: (context) => declaresTasks(envelopeOf(context as RequestContext, 'clientCapabilities')),
        log,
      })
    }
    if (era === 'modern') inBackground('notify of changes', startNotifying, log)
    if (listening !== undefined) inBackground('notify of changes', () => listening.then(startNotifying), log)
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      try {
        const requestCaller = callerOf(context, caller)
        const namedCaller = withNames(requestCaller, context)
        const { tool, key, dryRun } = await countOnFailure(requestCaller, async () => {
          const catalog = await table()
          const ofView = hasViews(context)
            ? catalog.forViews.find(({ endpoint }) => endpoint.name === params.name)
            : undefined
          const tool = ofView ?? catalog.get(params.name)
          assertToolSelected(tool.endpoint.isForViewOf ?? params.name, requestCaller.tools)
          return { tool, key: idempotencyKeyIn(params._meta), dryRun: dryRunIn(params._meta) }
        })
        await beforeCall?.()
        const comparer = new Comparer()
        const work = () =>
          runCall(tool, params.arguments, namedCaller, {
            ...{ defaults: namedCaller.answers === 'typed' ? 'typed' : 'mcp', dryRun, comparer },
            isAwaited: era === 'modern' && declaresTasks(envelopeOf(context, 'clientCapabilities')),
            ...(key !== undefined && { idempotencyKey: key }),
          })
        const result = await (observe === undefined ? work() : observe(tool, work))
        // Serializing a long response takes a while, as does its COMMIT, so other calls run in between.
        await yieldToEventLoop()
        if (result.awaited !== undefined) return createdTask(result.awaited, result, namedCaller) as never
        const view = tool.endpoint.hasView && hasViews(context) && views !== undefined
        const shown = { caller: namedCaller, tool: tool.endpoint.name, arguments: params.arguments, comparer, log }
        const html = view ? await renderView(views, shown) : undefined
        return toolResult(result, { html, isTyped: namedCaller.answers === 'typed' })
      } catch (error) {
        const body = toErrorBody(error, log)
        const { _meta } = resultMeta(remainingAfterFailure.get(error as object))
        if (isUnknownTool(error)) throw new ProtocolError(INVALID_PARAMS, body.error, errorMeta(body, _meta))
        return errorResult(body, _meta)
      }
    })
    return server
  }
}

/**
 * True if a call named a tool that the connection does not have. The protocol requires a JSON-RPC error for this; all
 * other failed calls return a result with `isError`. Source: Error Handling in server/tools of the revisions 2025-11-25
 * and 2026-07-28.
 */
const isUnknownTool = (error: unknown): boolean => error instanceof ScriptoriumError && error.code === 'NOT_AVAILABLE'

/** Adds the name of the session to a link, which does not reveal the session's ID. */
function withConnection(link: AccessLink, sessionId: string | undefined): AccessLink {
  return sessionId === undefined ? link : { ...link, connection: connectionNameOf(sessionId), hasSession: true }
}

/**
 * Runs work before a call, which counts as a request itself. If this work fails, it is counted as a request instead.
 */
async function countOnFailure<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const remaining = await countRequest(caller)
    if (remaining !== undefined) remainingAfterFailure.set(error as object, remaining)
    throw error
  }
}

/** @throws VALIDATION_ERROR for a key that is not a string: if it were ignored, the call could run twice */
function idempotencyKeyIn(meta: Record<string, unknown> | undefined): string | undefined {
  const key = meta?.[IDEMPOTENCY_KEY]
  if (key === undefined || typeof key === 'string') return key
  throw invalid(`Expected text as ${IDEMPOTENCY_KEY}, found ${JSON.stringify(key)}; give the key in quotes.`)
}

/** @throws VALIDATION_ERROR for a value that is not a boolean: if it were ignored, the call would write */
function dryRunIn(meta: Record<string, unknown> | undefined): boolean {
  const dryRun = meta?.[DRY_RUN] ?? false
  if (typeof dryRun === 'boolean') return dryRun
  throw invalid(
    `Expected true or false as ${DRY_RUN}, found ${JSON.stringify(dryRun)}; leave it out to carry the call out.`,
  )
}

/** The context of a request. For clients of 2026 it includes their name and capabilities. */
interface RequestContext {
  mcpReq: { envelope?: unknown }
}

const envelopeOf = ({ mcpReq }: RequestContext, field: string): { name?: unknown } | undefined =>
  (mcpReq.envelope as Record<string, { name?: unknown } | undefined> | undefined)?.[`io.modelcontextprotocol/${field}`]

interface AuthContext {
  http?: { authInfo?: AuthInfo }
}

/** The auth info of a request with its own caller. */
export const authInfoFor = (caller: Caller): { authInfo: AuthInfo } => ({
  authInfo: { token: '', clientId: caller.link.id ?? '', scopes: [], extra: { caller } },
})

const callerOf = ({ http }: AuthContext, connectionCaller: Caller): Caller =>
  (http?.authInfo?.extra?.caller as Caller | undefined) ?? connectionCaller

/** Renders a view. It is not part of the response, so that a failure only means that nothing is shown. */
async function renderView(views: () => Promise<AppViews>, call: ViewedCall): Promise<string | undefined> {
  try {
    return await (await views()).render(call)
  } catch (error) {
    toErrorBody(error, call.log)
    return undefined
  }
}
