/** Resources of the protocol: listed, read and watched within the reach of the caller. */
import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Resource } from '../endpoint.ts'
import { ScriptoriumError } from '../errors.ts'
import { RESOURCES_PER_ANSWER } from '../limits.ts'
import { openCursor, sealCursor } from '../space/cursors.ts'
import type { Space } from '../space/space.ts'
import type { Changes } from '../space/watch.ts'
import { type Caller, errorBody } from './run.ts'

/** JSON-RPC's number for arguments that are wrong. */
const INVALID_PARAMS = -32602

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
    const caller = callerOf(context)
    const place = placeAt(caller.space.info.secret, params?.cursor)
    return answered(log, () => admitted(caller, async (space) => list(await resources(), space, place)))
  })
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await resources()).map(({ name, title, description, template, mimeType }) => {
      return { uriTemplate: template, name, title, description, ...(mimeType !== undefined && { mimeType }) }
    }),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const caller = callerOf(context)
    const found = find(await resources(), uri)
    return answered(log, () => admitted(caller, (space) => read(space, uri, found)), uri)
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    find(await resources(), uri)
    subscribed.add(uri)
    await onSubscribed()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
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
  { space, link, budget, admitAddress }: Caller,
  work: (view: Space) => Promise<{ answer: T; blocks: number }>,
): Promise<T> {
  admitAddress?.()
  const left = await budget?.admit({ blocks: 'read' })
  const { answer, blocks } = await space.read(link, work)
  await budget?.charge(blocks, left ?? {})
  return answer
}

async function answered<T>(log: (line: string) => void, work: () => Promise<T>, uri = ''): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') {
      throw new ResourceNotFoundError(uri, error.message)
    }
    const body = errorBody(error, log)
    throw new ProtocolError(body.code === 'INTERNAL_ERROR' ? -32603 : INVALID_PARAMS, body.error, { code: body.code })
  }
}

function find(resources: readonly Resource[], uri: string): { resource: Resource; id: string } {
  for (const resource of resources) {
    const start = addressOf(resource, '')
    if (uri.startsWith(start)) return { resource, id: uri.slice(start.length).toLowerCase() }
  }
  const templates = resources.map(({ template }) => template).join(', ')
  throw new ResourceNotFoundError(uri, `Expected the address of a resource (${templates}), found ${uri.slice(0, 200)}.`)
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
