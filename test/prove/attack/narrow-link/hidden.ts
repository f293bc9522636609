/** What a selected connection learns about documents outside of its reach. */
import type { Attack } from '../attack.ts'
import { type Connection, connectByEachMethod } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'
import type { World } from '../world.ts'

const addressOf = (id: string): string => `scriptorium://documents/${id}`

/** The number of digits of an ID. */
const DIGITS = 12

const ERAS = ['2025', '2026'] as const

export const received: readonly Attack[] = ERAS.map((era) => ({
  finding: 13,
  name: `hearing of documents that come and go out of reach, as clients of ${era} do`,
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth'] })
    const shown = await server.document('Shown')
    const faults = await connectByEachMethod(
      server,
      { era, kind: 'selected', documents: [shown] },
      async ({ client }) => {
        let isHeard = false
        const updated = Promise.withResolvers<void>()
        client.setNotificationHandler('notifications/resources/list_changed', () => {
          isHeard = true
        })
        client.setNotificationHandler('notifications/resources/updated', () => updated.resolve())
        const uri = addressOf(shown)
        if (era === '2025') await client.subscribeResource({ uri })
        else await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
        await server.document('Hidden')
        // Notifications are ordered, so this one comes after any for the hidden document.
        await server.done('POST /blocks', { markdown: 'more', position: { position: 'end', pageId: shown } })
        await updated.promise
        return isHeard ? ['a document that came out of reach was heard of'] : []
      },
    )
    await server.close()
    return faults
  },
}))

/**
 * Ways in which content can name a block. Each is created in a document, and the block that it names is out of reach.
 */
const NAMINGS: Readonly<Record<string, (server: AttackedServer, pageId: string, hidden: string) => Promise<void>>> = {
  async 'a comment'(server, pageId, hidden) {
    const { items } = await server.done('POST /blocks', { markdown: 'words', position: { position: 'end', pageId } })
    await server.done('POST /comments', {
      comments: [{ blockId: items[0].id, content: `See [it](block://${hidden})` }],
    })
  },
  async 'a link card'(server, pageId, hidden) {
    await add(server, pageId, { type: 'richUrl', url: `block://${hidden}`, title: 'Card' })
  },
  async 'the address of a picture'(server, pageId, hidden) {
    await add(server, pageId, { type: 'image', url: `block://${hidden}` })
  },
  async 'a link in capitals'(server, pageId, hidden) {
    await add(server, pageId, { type: 'text', markdown: `See [it](BLOCK://${hidden.toUpperCase()})` })
  },
  async 'a link on a board'(server, pageId, hidden) {
    const body = { position: { position: 'end', pageId } }
    const { whiteboardBlockId: id } = await server.done('POST /whiteboards', body)
    const text = { id: 'one', type: 'text', text: 'it', x: 0, y: 0, width: 10, height: 10, link: `block://${hidden}` }
    await server.done(`POST /whiteboards/${id}/elements`, { elements: [text] })
  },
  async 'the text of an item'(server, pageId, hidden) {
    const schema = { name: 'Shown', properties: [{ type: 'text', name: 'Note' }] }
    const body = { schema, position: { position: 'end', pageId } }
    const { collectionBlockId: id } = await server.done('POST /collections', body)
    const properties = { note: `See [it](block://${hidden})` }
    await server.done(`POST /collections/${id}/items`, { items: [{ title: 'One', properties }] })
  },
}

async function add(server: AttackedServer, pageId: string, block: object): Promise<void> {
  const body = { blocks: [block], position: { position: 'end', pageId } }
  const { status } = await server.rest('POST /blocks', body)
  // The server may refuse an address that is invalid for blocks: then it cannot be seen either.
  if (status !== 200 && status !== 400) throw new Error(`Expected a block, found ${status}.`)
}

/** A document that names a hidden block, and the ID of that block. */
interface Named {
  pageId: string
  hidden: string
}

const named = new WeakMap<World, Promise<Map<string, Named>>>()

/** Creates all of them at once, so that one connection reaches them all. */
function namedIn(world: World): Promise<Map<string, Named>> {
  const found = named.get(world) ?? world.shared().then(nameAll)
  named.set(world, found)
  return found
}

async function nameAll(server: AttackedServer): Promise<Map<string, Named>> {
  const all = new Map<string, Named>()
  for (const [what, name] of Object.entries(NAMINGS)) {
    const [pageId, hidden] = [await server.document('Shown'), await server.document('Hidden')]
    await name(server, pageId, hidden)
    all.set(what, { pageId, hidden })
  }
  return all
}

export const seen: readonly Attack[] = Object.keys(NAMINGS).map((what) => ({
  finding: 13,
  name: `IDs of hidden blocks in ${what}`,
  async attempt(world) {
    const all = await namedIn(world)
    const documents = [...all.values()].map(({ pageId }) => pageId)
    const { pageId, hidden } = all.get(what) ?? { pageId: '', hidden: '' }
    return world.connectByEachMethod({ kind: 'selected', documents }, async (connection) => {
      const places = await placesOf(connection, pageId, hidden)
      return places.map((place) => `${place} shows the ID of a hidden block in ${what}`)
    })
  },
}))

/** Returns the calls whose responses contain the ID. */
async function placesOf({ call, client }: Connection, pageId: string, id: string): Promise<string[]> {
  const page = await call('blocks_get', { id: pageId, fetchMetadata: true })
  const response: Record<string, string> = {
    blocks_get: page.text,
    'blocks_get as Markdown': (await call('blocks_get', { id: pageId, format: 'markdown', fetchMetadata: true })).text,
    blocks_search: (await call('blocks_search', { blockId: pageId, pattern: 'it|words', fetchBlocks: true })).text,
    documents_search: (await call('documents_search', { include: ['it', 'words', 'One'], fetchBlocks: true })).text,
    'resources/read': JSON.stringify(await client.readResource({ uri: addressOf(pageId) })),
  }
  for (const [, type = '', block = ''] of typesIn(page.text)) {
    if (type === 'whiteboard') {
      response.elements_list = (await call('elements_list', { whiteboardBlockId: block })).text
      const board = await client.readResource({ uri: `scriptorium://whiteboards/${block}` })
      response['resources/read of a board'] = JSON.stringify(board)
    }
    if (type === 'collection') {
      response.items_list = (await call('items_list', { collectionId: block })).text
      response['items_list as Markdown'] = (await call('items_list', { collectionId: block, format: 'markdown' })).text
    }
  }
  // Both spellings of an ID contain the digits.
  const digits = id.slice(-DIGITS)
  return Object.entries(response).flatMap(([place, text]) => (text.includes(digits) ? [place] : []))
}

/** Returns the types and IDs of the blocks in a response. */
function typesIn(answer: string): [whole: string, type: string, id: string][] {
  const found: [string, string, string][] = []
  for (const line of answer.split('\n')) {
    if (!line.startsWith('{')) continue
    const walk = (block: { type?: string; id?: string; content?: object[] }): void => {
      found.push(['', block.type ?? '', block.id ?? ''])
      for (const inner of block.content ?? []) walk(inner)
    }
    walk(JSON.parse(line))
  }
  return found
}
