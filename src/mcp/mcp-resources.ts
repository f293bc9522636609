/** MCP resources: listed, read and watched within the reach of the caller. */

import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { HTTP_STATUS, ScriptoriumError } from '../base/errors.ts'
import { addToGroup } from '../base/grouping.ts'
import { RESOURCE_URI_LENGTH, RESOURCES_PER_ANSWER, SUBSCRIPTIONS_PER_STREAM } from '../base/limits.ts'
import { toErrorBody } from '../call/error-body.ts'
import { beginRequest, type Caller } from '../call/run.ts'
import type { Resource } from '../server-catalog.ts'
import type { SpaceChanges } from '../space/change-watcher.ts'
import { decodeCursor, encodeCursor } from '../space/model/cursors.ts'
import type { Space } from '../space/model/space.ts'

/** JSON-RPC error codes for invalid parameters and internal errors. */
export const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603

const resourceUri = ({ template }: Resource, id: string): string => template.replace('{id}', id)

/** Resources that are part of the program instead of a space. They never change. */
export interface ProgramResources {
  isAddress(uri: string): boolean
  list(context: unknown): Promise<ListedResource[]>
  /** @throws ResourceNotFoundError */
  read(uri: string, context: unknown): Promise<{ mimeType: string; text: string; _meta?: object }>
}

interface ListedResource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}

export interface ResourceOptions {
  resources(): Promise<readonly Resource[]>
  programResources: ProgramResources
  callerOf(context: unknown): Caller
  log: (line: string) => void
  /** Called when a client subscribes. The client is answered once the promise resolves. */
  onSubscribed(): Promise<void>
}

/** Handles requests for resources. `subscribed` holds the URIs that clients watch. */
export function registerResources(server: Server, options: ResourceOptions, subscribed: Set<string>): void {
  const { resources, programResources, callerOf, log, onSubscribed } = options
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const caller = callerOf(context)
    const work = async () => {
      const ofProgram = await programResources.list(context)
      return caller.space.read(caller.link, async (space) =>
        listResources(await resources(), ofProgram, space, parseCursor(space.info.secret, params?.cursor)),
      )
    }
    return withProtocolErrors(log, () => withinLimits(caller, work))
  })
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await resources()).map(({ name, title, description, template, mimeType }) => {
      return { uriTemplate: template, name, title, description, ...(mimeType !== undefined && { mimeType }) }
    }),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const caller = callerOf(context)
    const work = async () => {
      if (programResources.isAddress(uri)) {
        return { answer: { contents: [{ uri, ...(await programResources.read(uri, context)) }] }, blocks: 0 }
      }
      const found = getResource(await resources(), uri)
      return caller.space.read(caller.link, (space) => readResource(space, uri, found))
    }
    return withProtocolErrors(log, () => withinLimits(caller, work), uri)
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    if (programResources.isAddress(uri)) return {}
    const { space, link } = callerOf(context)
    const all = await resources()
    getResource(all, uri)
    const [address] = await space.read(link, (view) => reachableUris(all, view, [uri]))
    // Missing resources and those out of reach never send notifications, so they are not stored. The response is the
    // same.
    if (address === undefined) return {}
    if (!subscribed.has(address) && subscribed.size >= SUBSCRIPTIONS_PER_STREAM) {
      throw new ProtocolError(INVALID_PARAMS, tooManySubscriptions(subscribed.size + 1))
    }
    subscribed.add(address)
    await onSubscribed()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    const found = matchResource(await resources(), uri)
    if (found !== undefined) subscribed.delete(resourceUri(found.resource, found.id))
    return {}
  })
}

export const tooManySubscriptions = (count: number): string =>
  `Expected at most ${SUBSCRIPTIONS_PER_STREAM} resources to hear of at once, found ${count}; unsubscribe from some first.`

/**
 * Filters URIs to those of resources within reach, in the spelling of notifications. They are formatted again from the
 * found resources, so that the text of the request is not kept in memory.
 */
export async function reachableUris(
  resources: readonly Resource[],
  space: Space,
  uris: readonly string[],
): Promise<string[]> {
  const idsByResource = new Map<Resource, string[]>()
  for (const uri of uris) {
    const found = matchResource(resources, uri)
    if (found !== undefined) addToGroup(idsByResource, found.resource, found.id)
  }
  const addresses: string[] = []
  for (const [resource, ids] of idsByResource) {
    for (const id of await resource.filterReachable({ space }, ids)) addresses.push(resourceUri(resource, id))
  }
  return addresses
}

/** The URIs of resources that may have changed, within the reach of a view of the space. */
export async function changedUris(
  resources: readonly Resource[],
  space: Space,
  { documents }: SpaceChanges,
): Promise<string[]> {
  const addresses: string[] = []
  for (const resource of resources) {
    for (const id of await resource.changedIds({ space }, documents)) addresses.push(resourceUri(resource, id))
  }
  return addresses
}

/** Counts one request, and charges the blocks that it read. */
async function withinLimits<T extends object>(
  caller: Caller,
  work: () => Promise<{ answer: T; blocks: number }>,
): Promise<T> {
  const remaining = await (await beginRequest(caller))({ blocks: 'read' })
  const { answer: result, blocks } = await work()
  await caller.rateLimiter?.charge(blocks, remaining ?? {})
  return result
}

async function withProtocolErrors<T>(log: (line: string) => void, work: () => Promise<T>, uri = ''): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') {
      throw new ResourceNotFoundError(uri, error.message)
    }
    throw toProtocolError(error, log)
  }
}

/** Converts an error of this program to a protocol error. */
export function toProtocolError(error: unknown, log: (line: string) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  const { code, error: sentence } = toErrorBody(error, log)
  return new ProtocolError(HTTP_STATUS[code] >= 500 ? INTERNAL_ERROR : INVALID_PARAMS, sentence, { code })
}

type ResourceMatch = { resource: Resource; id: string }

function matchResource(resources: readonly Resource[], uri: string): ResourceMatch | undefined {
  const resource = resources.find((one) => uri.startsWith(resourceUri(one, '')))
  if (resource === undefined || uri.length > RESOURCE_URI_LENGTH) return undefined
  return { resource, id: uri.slice(resourceUri(resource, '').length).toLowerCase() }
}

function getResource(resources: readonly Resource[], uri: string): ResourceMatch {
  const found = matchResource(resources, uri)
  if (found !== undefined) return found
  const templates = resources.map(({ template }) => template).join(', ')
  const shown = uri.slice(0, 200)
  throw new ResourceNotFoundError(shown, `Expected the address of a resource (${templates}), found ${shown}.`)
}

async function readResource(space: Space, uri: string, { resource, id }: { resource: Resource; id: string }) {
  const { blocks = 0, ...content } = await resource.read({ space }, id)
  return { answer: { contents: [{ uri, ...content }] }, blocks }
}

/**
 * The position where a list continues: the index of the kind of resource, and the position within it. Those of the
 * program come last.
 */
type ListPosition = readonly [index: number, after: number]

type ResourceList = { resources: ListedResource[]; nextCursor?: string }

async function listResources(
  resources: readonly Resource[],
  ofProgram: readonly ListedResource[],
  space: Space,
  [first, start]: ListPosition,
): Promise<{ answer: ResourceList; blocks: number }> {
  const listed: ResourceList['resources'] = []
  for (let index = first; index < resources.length; index++) {
    const resource = resources[index]
    if (resource === undefined) break
    const limit = RESOURCES_PER_ANSWER - listed.length
    const items = await resource.list({ space }, index === first ? start : 0, limit)
    for (const { id, at: _place, modifiedAt, ...about } of items) {
      const annotations = modifiedAt === undefined ? {} : { annotations: { lastModified: modifiedAt } }
      // Hosts show people the title, and some only the name.
      listed.push({ uri: resourceUri(resource, id), ...about, title: about.name, ...annotations })
    }
    const last = items.at(-1)
    if (items.length === limit && last !== undefined) {
      return { answer: { resources: listed, nextCursor: createCursor(space, [index, last.at]) }, blocks: 0 }
    }
  }
  if (listed.length + ofProgram.length > RESOURCES_PER_ANSWER) {
    return { answer: { resources: listed, nextCursor: createCursor(space, [resources.length, 0]) }, blocks: 0 }
  }
  return { answer: { resources: [...listed, ...ofProgram] }, blocks: 0 }
}

const CURSOR_SCOPE = 'resources/list'

const createCursor = ({ info }: Space, position: ListPosition): string =>
  encodeCursor(info.secret, CURSOR_SCOPE, JSON.stringify(position))

function parseCursor(secret: string, cursor: string | undefined): ListPosition {
  if (cursor === undefined) return [0, 0]
  try {
    return JSON.parse(decodeCursor(secret, CURSOR_SCOPE, cursor))
  } catch {
    // Handled below.
  }
  throw new ProtocolError(
    INVALID_PARAMS,
    'Expected the cursor of an earlier answer, found another; list again without cursor.',
  )
}
