/** Resources of the protocol: listed, read and watched within the reach of the caller. */
import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Resource } from '../endpoint.ts'
import { ScriptoriumError, STATUS } from '../errors.ts'
import { RESOURCE_URI_LENGTH, RESOURCES_PER_ANSWER, SUBSCRIPTIONS } from '../limits.ts'
import { openCursor, sealCursor } from '../space/cursors.ts'
import type { Space } from '../space/space.ts'
import type { Changes } from '../space/watch.ts'
import { admission, type Caller, errorBody } from './run.ts'

/** JSON-RPC's numbers for arguments that are wrong, and for a fault of ours. */
export const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603

const addressOf = ({ template }: Resource, id: string): string => template.replace('{id}', id)

export interface ResourceOptions {
  resources(): Promise<readonly Resource[]>
  callerOf(context: unknown): Caller
  log: (line: string) => void
  /** Called whenever a client subscribes, which is answered once this resolves. */
  onSubscribed(): Promise<void>
}

/** Answers what clients ask of resources; what they watch, `subscribed` holds. */
export function serveResources(server: Server, options: ResourceOptions, subscribed: Set<string>): void {
  const { resources, callerOf, log, onSubscribed } = options
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const work = async (space: Space) => list(await resources(), space, placeAt(space.info.secret, params?.cursor))
    return answered(log, () => admitted(callerOf(context), work))
  })
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await resources()).map(({ name, title, description, template, mimeType }) => {
      return { uriTemplate: template, name, title, description, ...(mimeType !== undefined && { mimeType }) }
    }),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const work = async (space: Space) => read(space, uri, find(await resources(), uri))
    return answered(log, () => admitted(callerOf(context), work), uri)
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    const { space, link } = callerOf(context)
    const all = await resources()
    find(all, uri)
    const [address] = await space.read(link, (view) => addressesWithin(all, view, [uri]))
    // What is not there or out of reach is never told of, so that nothing of it is kept; the answer is the same.
    if (address === undefined) return {}
    if (!subscribed.has(address) && subscribed.size >= SUBSCRIPTIONS) {
      throw new ProtocolError(INVALID_PARAMS, tooManySubscriptions(subscribed.size + 1))
    }
    subscribed.add(address)
    await onSubscribed()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    const found = findAmong(await resources(), uri)
    if (found !== undefined) subscribed.delete(addressOf(found.resource, found.id))
    return {}
  })
}

export const tooManySubscriptions = (count: number): string =>
  `Expected at most ${SUBSCRIPTIONS} resources to hear of at once, found ${count}; unsubscribe from some first.`

/**
 * Those of these addresses that lead to something within reach, each as changes are told of it. They are made anew of
 * what is there: what was sent, and the body that it came in, is not kept with them.
 */
export async function addressesWithin(
  resources: readonly Resource[],
  space: Space,
  uris: readonly string[],
): Promise<string[]> {
  const asked = new Map<Resource, string[]>()
  for (const uri of uris) {
    const found = findAmong(resources, uri)
    if (found !== undefined) asked.set(found.resource, [...(asked.get(found.resource) ?? []), found.id])
  }
  const addresses: string[] = []
  for (const [resource, ids] of asked) {
    for (const id of await resource.within({ space }, ids)) addresses.push(addressOf(resource, id))
  }
  return addresses
}

/** The addresses of what may have changed, within the reach of a view of the space. */
export async function changedAddresses(
  resources: readonly Resource[],
  space: Space,
  { documents }: Changes,
): Promise<string[]> {
  const addresses: string[] = []
  for (const resource of resources) {
    for (const id of await resource.changed({ space }, documents)) addresses.push(addressOf(resource, id))
  }
  return addresses
}

/** One request, counted, in one snapshot of the space; blocks that it read are charged. */
async function admitted<T extends object>(
  caller: Caller,
  work: (view: Space) => Promise<{ answer: T; blocks: number }>,
): Promise<T> {
  const left = await admission(caller)({ blocks: 'read' })
  const { answer, blocks } = await caller.space.read(caller.link, work)
  await caller.budget?.charge(blocks, left ?? {})
  return answer
}

async function answered<T>(log: (line: string) => void, work: () => Promise<T>, uri = ''): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') {
      throw new ResourceNotFoundError(uri, error.message)
    }
    throw protocolError(error, log)
  }
}

/** An error of ours as the protocol has it. */
export function protocolError(error: unknown, log: (line: string) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  const { code, error: sentence } = errorBody(error, log)
  return new ProtocolError(STATUS[code] >= 500 ? INTERNAL_ERROR : INVALID_PARAMS, sentence, { code })
}

type Found = { resource: Resource; id: string }

function findAmong(resources: readonly Resource[], uri: string): Found | undefined {
  const resource = resources.find((one) => uri.startsWith(addressOf(one, '')))
  if (resource === undefined || uri.length > RESOURCE_URI_LENGTH) return undefined
  return { resource, id: uri.slice(addressOf(resource, '').length).toLowerCase() }
}

function find(resources: readonly Resource[], uri: string): Found {
  const found = findAmong(resources, uri)
  if (found !== undefined) return found
  const templates = resources.map(({ template }) => template).join(', ')
  const shown = uri.slice(0, 200)
  throw new ResourceNotFoundError(shown, `Expected the address of a resource (${templates}), found ${shown}.`)
}

async function read(space: Space, uri: string, { resource, id }: { resource: Resource; id: string }) {
  const { blocks = 0, ...content } = await resource.read({ space }, id)
  return { answer: { contents: [{ uri, ...content }] }, blocks }
}

/** Where a list goes on: in which of the resources, and after which place there. */
type Place = readonly [index: number, after: number]

type Listing = { resources: { uri: string; name: string }[]; nextCursor?: string }

async function list(
  resources: readonly Resource[],
  space: Space,
  [first, start]: Place,
): Promise<{ answer: Listing; blocks: number }> {
  const shown: Listing['resources'] = []
  for (let index = first; index < resources.length; index++) {
    const resource = resources[index]
    if (resource === undefined) break
    const limit = RESOURCES_PER_ANSWER - shown.length
    const items = await resource.list({ space }, index === first ? start : 0, limit)
    for (const { id, at: _place, modifiedAt, ...about } of items) {
      const annotations = modifiedAt === undefined ? {} : { annotations: { lastModified: modifiedAt } }
      shown.push({ uri: addressOf(resource, id), ...about, ...annotations })
    }
    const last = items.at(-1)
    if (items.length === limit && last !== undefined) {
      return { answer: { resources: shown, nextCursor: cursorFor(space, [index, last.at]) }, blocks: 0 }
    }
  }
  return { answer: { resources: shown }, blocks: 0 }
}

const LISTING = 'resources/list'

const cursorFor = ({ info }: Space, place: Place): string => sealCursor(info.secret, LISTING, JSON.stringify(place))

function placeAt(secret: string, cursor: string | undefined): Place {
  if (cursor === undefined) return [0, 0]
  try {
    return JSON.parse(openCursor(secret, LISTING, cursor))
  } catch {
    // Said below.
  }
  throw new ProtocolError(
    INVALID_PARAMS,
    'Expected the cursor of an earlier answer, found another; list again without cursor.',
  )
}
