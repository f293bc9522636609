/** A connection without deletion must not destroy anything, whatever it does. */
import type { Attack } from '../attack.ts'
import type { Connection } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'

type Call = Connection['call']

/** One way to destroy something. */
interface Loss {
  what: string
  /**
   * Creates the thing to destroy.
   *
   * @returns a function that tries to destroy it, and one that reads it for comparison
   */
  make(server: AttackedServer): Promise<{ destroy(call: Call): Promise<unknown>; read(): Promise<unknown> }>
}

const blockOf = async (server: AttackedServer, block: object): Promise<string> => {
  const pageId = await server.document('Kept')
  const body = { blocks: [block], position: { position: 'end', pageId } }
  return (await server.done('POST /blocks', body)).items[0].id
}

async function boardOf(server: AttackedServer): Promise<string> {
  const pageId = await server.document('Kept')
  const body = { position: { position: 'end', pageId } }
  const { whiteboardBlockId: id } = await server.done('POST /whiteboards', body)
  const elements = [{ id: 'one', type: 'image', fileId: 'picture', x: 0, y: 0, width: 10, height: 10 }]
  const assets = { picture: { id: 'picture', mimeType: 'image/png', dataURL: 'data:image/png;base64,AAAA' } }
  await server.done(`POST /whiteboards/${id}/elements`, { elements, assets })
  return id
}

const LOSSES: readonly Loss[] = [
  {
    what: 'the bytes of a file block, by another address',
    async make(server) {
      const id = await server.upload(await server.document('Kept'), 'the bytes')
      return {
        destroy: (call) => call('blocks_update', { blocks: [{ id, url: 'https://example.org/other.txt' }] }),
        read: async () => (await server.done(`GET /blocks?id=${id}`)).url,
      }
    },
  },
  {
    what: 'an asset of a board, by another under its name',
    async make(server) {
      const whiteboardBlockId = await boardOf(server)
      const assets = { picture: { id: 'picture', mimeType: 'image/png', dataURL: 'data:image/png;base64,BBBB' } }
      return {
        destroy: (call) => call('elements_add', { whiteboardBlockId, elements: [], assets }),
        read: async () => (await server.done(`GET /whiteboards/${whiteboardBlockId}/elements`)).assets,
      }
    },
  },
  {
    what: 'an element of a board, by isDeleted',
    async make(server) {
      const whiteboardBlockId = await boardOf(server)
      const elements = [{ id: 'one', isDeleted: true }]
      return {
        destroy: (call) => call('elements_update', { whiteboardBlockId, elements }),
        read: async () => {
          const { elements: found } = await server.done(`GET /whiteboards/${whiteboardBlockId}/elements`)
          return found.map((one: { isDeleted?: boolean }) => one.isDeleted ?? false)
        },
      }
    },
  },
  {
    what: 'rows of a table',
    async make(server) {
      const markdown = '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |'
      const id = await blockOf(server, { type: 'table', markdown })
      return {
        destroy: (call) => call('blocks_update', { blocks: [{ id, rows: [{ row: 1, remove: true }] }] }),
        read: async () => (await server.done(`GET /blocks?id=${id}`)).markdown,
      }
    },
  },
  {
    what: 'rows of a table, by its text',
    async make(server) {
      const id = await blockOf(server, { type: 'table', markdown: '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |' })
      const markdown = '| a | b |\n| - | - |\n| 1 | 2 |'
      return {
        destroy: (call) => call('blocks_update', { blocks: [{ id, markdown }] }),
        read: async () => (await server.done(`GET /blocks?id=${id}`)).markdown,
      }
    },
  },
  {
    what: 'a reminder, by another on its block',
    async make(server) {
      const blockId = await blockOf(server, { type: 'text', markdown: 'Water the garden' })
      const reminder = (remindAt: string) => ({ reminders: [{ blockId, remindAt }] })
      await server.done('POST /reminders', reminder('2099-01-01T00:00:00Z'))
      return {
        destroy: (call) => call('reminders_add', reminder('2098-01-01T00:00:00Z')),
        read: async () => {
          const { items } = await server.done('GET /reminders?limit=200')
          return items.filter((one: { blockId: string }) => one.blockId === blockId)
        },
      }
    },
  },
  {
    what: 'blocks, by moving them into a document in the trash',
    async make(server) {
      const id = await blockOf(server, { type: 'text', markdown: 'words' })
      const pageId = await server.document('Gone')
      await server.done('DELETE /documents', { documentIds: [pageId] })
      return {
        destroy: (call) => call('blocks_move', { blockIds: [id], position: { position: 'end', pageId } }),
        read: async () => {
          const { text } = await server.rest(`GET /blocks?id=${pageId}`)
          return text.includes(id)
        },
      }
    },
  },
]

export const destroyed: readonly Attack[] = LOSSES.map(({ what, make }) => ({
  finding: 11,
  name: `destroying ${what}`,
  async attempt(world) {
    const server = await world.shared()
    return world.connectByEachMethod({ access: 'no-delete' }, async ({ call }) => {
      const { destroy, read } = await make(server)
      const before = JSON.stringify(await read())
      await destroy(call)
      const after = JSON.stringify(await read())
      return before === after ? [] : [`${what}: ${before} became ${after}`]
    })
  },
}))
