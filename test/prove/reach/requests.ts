/**
 * Random requests of all kinds: tools, lists, resources, API descriptions, addresses of files, and things that do not
 * exist.
 */
import { EVENT_NAMES, EVENT_TYPE_OF } from '../../../src/space/events/event-types.ts'
import { endpoints, prompts, resources, skills } from '../../../tools/index.ts'
import { type Chance, nextCall, type Pools } from '../test-client/generated-calls.ts'
import { endpointNamed, type RestInput, requestFor, type TestClient } from '../test-client/test-client.ts'
import { type Args, validCalls } from '../test-client/valid-calls.ts'
import { DRY_RUN_PARAMS, dryRun } from './compare.ts'
import { addressOf } from './entries.ts'
import { undoArguments } from './undoable.ts'

/** A request, tagged with the interface that it goes to. */
export type Sent =
  | { to: 'mcp'; method: string; params: Args }
  | { to: 'rest'; request: RestInput }
  | { to: 'server'; request: RestInput }

export interface Chosen extends Pools {
  /** Paths of files and of uploads from earlier responses. */
  addresses: string[]
  /** Earlier requests that had an idempotency key. */
  keyed: Sent[]
  /** Calls to undo. */
  calls: string[]
}

/** The places of the idempotency key, in MCP and in HTTP. */
const KEY = 'scriptorium/idempotencyKey'
const KEY_HEADER = 'idempotency-key'

/** @param isServed  true for a connection to a server, which has addresses of files */
export function nextRequest(luck: Chance, pools: Chosen, isServed: boolean): Sent {
  if (pools.keyed.length > 0 && luck.is(0.08))
    return luck.is(0.5) ? (pools.keyed.at(-1) ?? luck.one(pools.keyed)) : luck.one(pools.keyed)
  if (luck.is(0.12)) return otherRequest(luck, pools, isServed)
  if (pools.calls.length > 0 && luck.is(0.12)) return undoRequest(luck, pools)
  const [name, args] = nextCall(luck, pools, { valid: 0.35, odd: 0.1 }, ODD)
  const tool = endpointNamed(pools.table, name)
  const request = luck.is(tool.endpoint.isRestOnly ? 0.95 : 0.4) ? requestFor(tool, args) : undefined
  const isDry = luck.is(0.1)
  const params = { name, arguments: args, ...(isDry && DRY_RUN_PARAMS) }
  const call = { to: 'mcp', method: 'tools/call', params } as const
  const sent: Sent = request === undefined ? call : { to: 'rest', request: isDry ? dryRun(request) : request }
  if (!luck.is(0.2)) return sent
  pools.keyed.push(keyed(sent, `key-${pools.keyed.length}`))
  return pools.keyed.at(-1) ?? sent
}

/** Adds an idempotency key to a call, so that it can be repeated. */
export function keyed(sent: Sent, key: string): Sent {
  if (sent.to === 'mcp')
    return { ...sent, params: { ...sent.params, _meta: { ...(sent.params._meta as object), [KEY]: key } } }
  return { ...sent, request: { ...sent.request, headers: { ...sent.request.headers, [KEY_HEADER]: key } } }
}

const ODD: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => 0,
  () => -1,
  () => [],
  () => ({}),
  () => 'x'.repeat(2_000),
]

function otherRequest(luck: Chance, pools: Chosen, isServed: boolean): Sent {
  const choice = luck.below(isServed ? 12 : 9)
  if (choice < 4) return { to: 'mcp', ...resourceRequest(luck, pools) }
  if (choice < 6) {
    if (luck.is(0.4)) return eventsRequest(luck, pools)
    const lists = ['tools/list', 'resources/templates/list', 'prompts/list', 'skills/list', 'events/list']
    const method = luck.one([...lists, 'ping', 'completion/complete'])
    if (luck.is(0.1)) return skillRequest(luck)
    return luck.is(0.2) ? promptRequest(luck) : { to: 'mcp', method, params: {} }
  }
  return choice < 9
    ? { to: 'rest', request: restRequest(luck, pools) }
    : { to: 'server', request: serverRequest(luck, pools) }
}

/** A request that undoes a call, or shows what it changed. */
function undoRequest(luck: Chance, { calls, table }: Chosen): Sent {
  const id = luck.one(calls)
  const [name, args] = luck.is(0.8) ? ['history_undo', luck.one(undoArguments(id))] : ['history_list', { call: id }]
  const request = luck.is(0.3) ? requestFor(endpointNamed(table, name), args) : undefined
  if (request !== undefined) return { to: 'rest', request }
  return { to: 'mcp', method: 'tools/call', params: { name, arguments: args } }
}

/** A poll for events, which is not held back. */
function eventsRequest(luck: Chance, { ids, cursors, things }: Chosen): Sent {
  const name = luck.one(EVENT_NAMES)
  const { narrowedBy, needs, joins } = EVENT_TYPE_OF[name]
  const { collection = '', view = '' } = luck.one(things)
  const isTitled = [{ property: 'title', filterType: luck.one(['isNotEmpty', 'isEmpty']) }]
  const valid = { collectionId: collection, viewId: view, filters: isTitled, property: 'title' }
  const argumentFor = (key: string) => (key in valid && luck.is(0.8) ? valid[key as keyof typeof valid] : luck.one(ids))
  const given = {
    ...Object.fromEntries(
      narrowedBy.filter((key) => key === needs || luck.is(0.2)).map((key) => [key, argumentFor(key)]),
    ),
    ...(joins && luck.is(0.7) && { quietSeconds: luck.one([0, 0, 60]) }),
    ...(luck.is(0.2) && { author: 'tester' }),
    ...(luck.is(0.2) && { mine: false }),
  }
  const cursor = cursors.length > 0 && luck.is(0.3) ? luck.one(cursors) : 'start'
  const params = { name, arguments: given, cursor, maxEvents: luck.one([1, 5, 200]), _meta: NOT_HELD_BACK }
  return { to: 'mcp', method: 'events/poll', params }
}

const NOT_HELD_BACK = { 'scriptorium/waitSeconds': 0 }

function promptRequest(luck: Chance): Sent {
  const { name, arguments: declared } = luck.one(prompts)
  const given = declared.filter(() => luck.is(0.8)).map((argument) => [argument.name, `words of ${argument.name}`])
  return { to: 'mcp', method: 'prompts/get', params: { name, arguments: Object.fromEntries(given) } }
}

function skillRequest(luck: Chance): Sent {
  const uri = `skill://${luck.one(skills).name}/SKILL.md`
  return { to: 'mcp', method: luck.one(['skills/get', 'resources/read']), params: { uri } }
}

function resourceRequest(luck: Chance, { things, ids, cursors }: Chosen): { method: string; params: Args } {
  if (luck.is(0.25)) {
    return { method: 'resources/list', params: cursors.length > 0 && luck.is(0.5) ? { cursor: luck.one(cursors) } : {} }
  }
  const id = luck.is(0.5) ? luck.one(Object.values(luck.one(things))) : luck.one(ids)
  const method = luck.is(0.7) ? 'resources/read' : luck.one(['resources/subscribe', 'resources/unsubscribe'])
  return { method, params: { uri: addressOf(luck.one(resources), id) } }
}

/** A request for the API description, with an unusual method or header, or to the path of another kind's tool. */
function restRequest(luck: Chance, pools: Chosen): RestInput {
  if (luck.is(0.3)) return { method: luck.one(['GET', 'OPTIONS']), target: '/openapi.json' }
  const [tool, args] = luck.one(validCalls(pools.kind, luck.one(pools.things)))
  const request = requestFor(endpointNamed(pools.table, tool), args)
  if (request === undefined || luck.is(0.3)) {
    const [, route = ''] = luck.one(endpoints).route.split(' ')
    const method = luck.one(['GET', 'POST', 'PUT', 'DELETE'])
    return { method, target: route.replace(/\{\w+\}/g, encodeURIComponent(luck.one(pools.ids))) }
  }
  if (request.method !== 'GET') return { ...request, method: luck.one(['OPTIONS', 'PATCH']) }
  return luck.is(0.5) ? { ...request, method: 'HEAD' } : { ...request, headers: { accept: 'text/markdown' } }
}

/** A request to the server without a credential. */
function serverRequest(luck: Chance, { addresses, ids }: Chosen): RestInput {
  const target = addresses.length > 0 ? luck.one(addresses) : '/files/none'
  if (target.startsWith('/uploads/')) {
    return { method: 'PUT', target, headers: { 'content-type': 'text/plain' }, body: 'x' }
  }
  if (luck.is(0.4)) {
    // The ID of another file, or an invalid one.
    const hex = encodeURIComponent(luck.one(ids).replaceAll('-', ''))
    return { method: 'GET', target: target.replace(/(\/files\/.{10}).{12}/, `$1${hex}`) }
  }
  const headers: Record<string, string> = luck.is(0.3) ? { range: 'bytes=0-0' } : {}
  return { method: luck.one(['GET', 'GET', 'HEAD']), target, headers }
}

/** Sends a request and returns the whole response as one text. */
export async function answerTo(client: TestClient, sent: Sent): Promise<string> {
  if (sent.to === 'mcp') {
    const { result, error, http } = await client.mcp(sent.method, sent.params)
    return JSON.stringify({ ...(result === undefined ? { error } : { result }), http })
  }
  const { status, headers, text } = await (sent.to === 'rest' ? client.rest(sent.request) : at(client, sent.request))
  return `${status} ${JSON.stringify(headers)} ${text}`
}

function at({ at: ask }: TestClient, request: RestInput) {
  if (ask === undefined) throw new Error('Expected a connection to a server.')
  return ask(request)
}

/** Finds the paths of files and of uploads in a response. */
export const addressesIn = (text: string): string[] => text.match(ADDRESS) ?? []

const ADDRESS = /\/(?:files\/[\w-]{50,}\/[\w.%-]+|uploads\/[\w-]{20,})/g
