/** Relations between documents that a connection reaches and documents that it does not. */
import type { Attack } from '../attack.ts'
import { CONNECTION_METHODS, connectByEachMethod } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'

interface Related {
  /** The document within reach. */
  shown: string
  /** Its collection, which has the relation, and the collection out of reach. */
  collection: string
  hidden: string
}

/** Creates two collections, one related to the other. @param values  how many items of the hidden one have a value */
async function related(server: AttackedServer, values: number): Promise<Related> {
  const [shown, away] = [await server.document('Shown'), await server.document('Hidden')]
  const add = async (name: string, pageId: string, properties: object[]): Promise<string> => {
    const body = { schema: { name, properties }, position: { position: 'end', pageId } }
    return (await server.done('POST /collections', body)).collectionBlockId
  }
  const hidden = await add('Hidden', away, [])
  const relation = { type: 'relation', name: 'Who', targetCollectionId: hidden }
  const collection = await add('Shown', shown, [relation, { type: 'text', name: 'Note' }])
  const items = Array.from({ length: 3 }, (_, index) => ({ title: `Hidden ${index}` }))
  const added = await server.done(`POST /collections/${hidden}/items`, { items })
  const ids = added.items.slice(0, values).map(({ id }: { id: string }) => ({ blockId: id }))
  await server.done(`POST /collections/${collection}/items`, {
    items: [{ title: 'One', properties: { who: { relations: ids } } }],
  })
  return { shown, collection, hidden }
}

/** Returns the hidden side's property names and the number of its items with a value. */
async function keptOf(server: AttackedServer, hidden: string): Promise<{ names: string[]; values: number }> {
  const { properties } = await server.done(`GET /collections/${hidden}/schema?format=schema`)
  const { items } = await server.done(`GET /collections/${hidden}/items?maxDepth=0`)
  const held = items.filter((item: { properties: object }) => JSON.stringify(item.properties).includes('blockId'))
  return { names: properties.map(({ name }: { name: string }) => name), values: held.length }
}

const LEFT_OUT = { name: 'Shown', properties: [{ type: 'text', name: 'Note', key: 'note' }] }

export const dropped: Attack = {
  finding: 9,
  name: 'a schema that leaves a relation to a hidden collection out',
  async attempt(world) {
    const server = await world.shared()
    const pairs = await Promise.all(CONNECTION_METHODS.map(() => related(server, 2)))
    const documents = pairs.map(({ shown }) => shown)
    return connectByEachMethod(server, { kind: 'selected', documents }, async ({ call, door }) => {
      const { collection, hidden } = pairs[CONNECTION_METHODS.indexOf(door)] as Related
      await call('schema_update', { collectionId: collection, schema: LEFT_OUT })
      const { names, values } = await keptOf(server, hidden)
      const isKept = names.length === 1 && values === 2
      return isKept
        ? []
        : [`the hidden collection has ${names.length} properties and ${values} values left, of 1 and 2`]
    })
  },
}

export const counted: Attack = {
  finding: 9,
  name: 'how many hidden values a relation has, by what its loss is answered',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const access of ['full', 'no-delete'] as const) {
      const messages: string[] = []
      for (const values of [1, 3]) {
        const { shown, collection } = await related(server, values)
        const link = await server.link({ kind: 'selected', documents: [shown], access })
        const { text } = await server.rest(`PUT /collections/${collection}/schema`, { schema: LEFT_OUT }, link)
        messages.push(text.replaceAll(/(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3})?\b[1-9]\d{11}\b/g, 'ID'))
      }
      const [one, three] = messages
      if (one !== three) faults.push(`over ${access}, one hidden value was answered with ${one}, three with ${three}`)
    }
    return faults
  },
}
