/** Undo does what no tool of the connection may do: deletes, and changes or reveals what is out of reach. */
import type { Attack } from '../attack.ts'
import { type Connection, connectByEachMethod } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'

/** Something that a call added or restored, which the undo of that call would delete. */
interface Loss {
  what: string
  /** Runs the call. @returns the document that it changed, and a function that reads what must stay */
  make(server: AttackedServer): Promise<{ document: string; read(): Promise<unknown> }>
}

const TABLE = '| a | b |\n| - | - |\n| 1 | 2 |'

async function addBlock(server: AttackedServer, pageId: string, block: object): Promise<string> {
  const body = { blocks: [block], position: { position: 'end', pageId } }
  return (await server.done('POST /blocks', body)).items[0].id
}

/** Adds a board with one element, and returns the addresses of its elements. */
async function addBoard(server: AttackedServer, pageId: string): Promise<string> {
  const { whiteboardBlockId } = await server.done('POST /whiteboards', { position: { position: 'end', pageId } })
  const elements = [{ id: 'one', type: 'image', fileId: 'picture', x: 0, y: 0, width: 10, height: 10 }]
  const assets = { picture: { id: 'picture', mimeType: 'image/png', dataURL: 'data:image/png;base64,AAAA' } }
  await server.done(`POST /whiteboards/${whiteboardBlockId}/elements`, { elements, assets })
  return `/whiteboards/${whiteboardBlockId}/elements`
}

const LOSSES: readonly Loss[] = [
  {
    what: 'a block that was added',
    async make(server) {
      const document = await server.document('Kept', 'words')
      await addBlock(server, document, { type: 'text', markdown: 'added' })
      return { document, read: async () => (await server.done(`GET /blocks?id=${document}`)).content.length }
    },
  },
  {
    what: 'a row and a column that were added to a table',
    async make(server) {
      const document = await server.document('Kept')
      const id = await addBlock(server, document, { type: 'table', markdown: TABLE })
      const markdown = '| a | b | c |\n| - | - | - |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |'
      await server.done('PUT /blocks', { blocks: [{ id, markdown }] })
      return { document, read: async () => (await server.done(`GET /blocks?id=${id}`)).markdown }
    },
  },
  {
    what: 'a block that was taken out of the trash',
    async make(server) {
      const document = await server.document('Kept')
      const gone = await server.document('Gone')
      const id = await addBlock(server, gone, { type: 'text', markdown: 'rescued' })
      await server.done('DELETE /documents', { documentIds: [gone] })
      await server.done('PUT /blocks/move', { blockIds: [id], position: { position: 'end', pageId: document } })
      return { document, read: async () => (await server.done(`GET /blocks?id=${document}`)).content?.length ?? 0 }
    },
  },
  {
    what: 'an element of a board that was restored by isDeleted',
    async make(server) {
      const document = await server.document('Kept')
      const path = await addBoard(server, document)
      for (const isDeleted of [true, false])
        await server.done(`PUT ${path}`, { elements: [{ id: 'one', isDeleted, strokeColor: '#e03131' }] })
      return {
        document,
        read: async () =>
          (await server.done(`GET ${path}`)).elements.map((one: { isDeleted?: boolean }) => one.isDeleted),
      }
    },
  },
  {
    what: 'a picture of a board that replaced another',
    async make(server) {
      const document = await server.document('Kept')
      const path = await addBoard(server, document)
      const assets = { picture: { id: 'picture', mimeType: 'image/png', dataURL: 'data:image/png;base64,BBBB' } }
      await server.done(`POST ${path}`, { elements: [], assets })
      return { document, read: async () => (await server.done(`GET ${path}`)).assets }
    },
  },
  {
    what: 'the newer file of a block',
    async make(server) {
      const document = await server.document('Kept')
      const id = await server.upload(document, 'the old bytes')
      const newer = await server.upload(await server.document('Source'), 'the newer bytes')
      const { url } = await server.done(`GET /blocks?id=${newer}`)
      await server.done('PUT /blocks', { blocks: [{ id, url }] })
      return { document, read: async () => (await server.done(`GET /blocks?id=${id}`)).fileSize }
    },
  },
]

/** The ID of the last call that changed a document. */
const lastCall = async (server: AttackedServer, document: string): Promise<string> =>
  (await server.done(`GET /history?documentId=${document}&limit=1&ids=short`)).items[0].callId

/** Undoes a call in every way that a connection has. */
async function undo(server: AttackedServer, { call, link }: Connection, id: string): Promise<void> {
  for (const more of [{}, { skipConflicts: true }]) {
    await call('history_undo', { calls: [id], ...more })
    if (link !== undefined) await server.rest('POST /history/undo', { calls: [id], ...more }, link)
  }
}

export const deleted: readonly Attack[] = LOSSES.map(({ what, make }) => ({
  finding: 11,
  name: `undo of ${what}, without deletion`,
  async attempt(world) {
    const server = await world.shared()
    return world.connectByEachMethod({ access: 'no-delete' }, async (connection) => {
      const { document, read } = await make(server)
      const before = JSON.stringify(await read())
      await undo(server, connection, await lastCall(server, document))
      const after = JSON.stringify(await read())
      return before === after ? [] : [`${what}: ${before} became ${after}`]
    })
  },
}))

/** A document within reach with a block, and one out of reach. */
interface Pair {
  shown: string
  hidden: string
  block: string
}

async function pairOf(server: AttackedServer): Promise<Pair> {
  const [shown, hidden] = [await server.document('Shown'), await server.document('Hidden')]
  return { shown, hidden, block: await addBlock(server, shown, { type: 'text', markdown: 'words' }) }
}

/** Changes the block, and moves it out of reach. @returns the call that changed it */
async function moveAway(server: AttackedServer, { shown, hidden, block }: Pair): Promise<string> {
  await server.done('PUT /blocks', { blocks: [{ id: block, markdown: 'changed' }] })
  const id = await lastCall(server, shown)
  await server.done('PUT /blocks/move', { blockIds: [block], position: { position: 'end', pageId: hidden } })
  return id
}

export const changed: Attack = {
  finding: 9,
  name: 'undo of a change of a block that was moved out of reach since',
  async attempt(world) {
    const server = await world.shared()
    const pairs = await Promise.all(Array.from({ length: 4 }, () => pairOf(server)))
    let count = 0
    return connectByEachMethod(
      server,
      { kind: 'selected', documents: pairs.map(({ shown }) => shown) },
      async (connection) => {
        const pair = pairs[count++] as Pair
        await undo(server, connection, await moveAway(server, pair))
        const { markdown } = await server.done(`GET /blocks?id=${pair.block}`)
        return markdown === 'changed' ? [] : [`the block out of reach became ${JSON.stringify(markdown)}`]
      },
    )
  },
}

export const counted: Attack = {
  finding: 13,
  name: 'whether a block was deleted out of reach, by the refusal of an undo',
  async attempt(world) {
    const server = await world.shared()
    const pairs = await Promise.all(Array.from({ length: 8 }, () => pairOf(server)))
    let count = 0
    return connectByEachMethod(
      server,
      { kind: 'selected', documents: pairs.map(({ shown }) => shown) },
      async ({ call }) => {
        const messages: string[] = []
        for (const isDeleted of [false, true]) {
          const pair = pairs[count++] as Pair
          const { shown, hidden, block } = pair
          await server.done('PUT /blocks/move', { blockIds: [block], position: { position: 'start', pageId: shown } })
          await moveAway(server, pair)
          const id = (await server.done(`GET /history?documentId=${shown}&limit=2&ids=short`)).items[1].callId
          if (isDeleted) await server.done('DELETE /blocks', { blockIds: [block] })
          else await addBlock(server, hidden, { type: 'text', markdown: 'other' })
          const { text } = await call('history_undo', { calls: [id] })
          messages.push(text.replaceAll(/\b[1-9]\d{11}\b/g, 'ID').replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME'))
        }
        const [one, other] = messages
        return one === other ? [] : [`a block that is there was answered with ${one}, a deleted one with ${other}`]
      },
    )
  },
}
