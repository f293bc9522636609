/** Both sides of a relation agree, no matter what is written in which order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Connected, connect } from '../../connect.ts'
import { brokenReferences, firstValue } from '../../sqlite.ts'
import { runs } from '../../support/runs.ts'

/** Queries that must count 0: values that the other side does not have, and rows that refer to missing ones. */
const LAWS = [
  `SELECT count(*) FROM property AS side JOIN value ON value.property = side.n
     WHERE side.type = 'relation' AND NOT EXISTS (SELECT 1 FROM value AS back
       WHERE back.item = value.target AND back.property = side.other_side AND back.target = value.item)`,
  "SELECT count(*) FROM property WHERE type = 'relation' AND other_side IS NULL",
  'SELECT count(*) FROM property AS side JOIN property AS other ON other.n = side.other_side WHERE other.other_side <> side.n',
  `SELECT count(*) FROM value JOIN property ON property.n = value.property JOIN block AS item ON item.n = value.item
     WHERE item.parent <> property.collection OR item.type <> 'collectionItem'`,
  `SELECT count(*) FROM value JOIN property ON property.n = value.property JOIN block AS target ON target.n = value.target
     WHERE property.type = 'relation' AND target.parent <> property.target`,
  'SELECT count(*) FROM (SELECT 1 FROM value WHERE target IS NOT NULL GROUP BY item, property, target HAVING count(*) > 1) AS twice',
]

async function broken({ space }: Connected): Promise<string[]> {
  const link = await space.createAccessLink('full', [], 'test')
  return space.read(link, async ({ tx }) => {
    const broken = (await brokenReferences(tx)) === 0 ? [] : ['references']
    for (const law of LAWS) if ((await firstValue(tx, law)) !== 0) broken.push(law)
    return broken
  })
}

/** A refusal is allowed here, but not an internal error. */
const unlessFault = (error: unknown) => expect(String(error)).not.toContain('a fault of this server')

type Changes = [item: number, targets: number[]][]

const item = fc.nat({ max: 3 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('who', 'peer'), fc.array(fc.tuple(item, fc.uniqueArray(item)))) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('tasks', 'people'), fc.array(fc.tuple(item, fc.uniqueArray(item)))),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('delete a task', 'delete a person', 'drop'), fc.constant<Changes>([])),
  },
)

test('both sides of a relation agree after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const connected = await connect()
      const people = await collectionOf(connected, [{ type: 'relation', name: 'Peer' }], 'People')
      const who = { type: 'relation', name: 'Who', targetCollectionId: people }
      const tasks = await collectionOf(connected, [who], 'Tasks')
      const titles = ['a', 'b', 'c', 'd'].map((title) => ({ title }))
      const ids = { people: await itemsOf(connected, people, titles), tasks: await itemsOf(connected, tasks, titles) }
      const call = (name: string, args: object) => connected.call(name, args).catch(unlessFault)
      const write = (collectionId: string, key: string, from: string[], to: string[], changes: Changes) => {
        const updates = new Map(changes.map(([index, targets]) => [from[index], targets]))
        const itemsToUpdate = [...updates].map(([id, targets]) => {
          return { id, properties: { [key]: { relations: targets.map((target) => ({ blockId: to[target] })) } } }
        })
        return call('items_update', { collectionId, itemsToUpdate })
      }
      for (const [what, changes] of steps) {
        if (what === 'who') await write(tasks, what, ids.tasks, ids.people, changes)
        else if (what === 'tasks') await write(people, what, ids.people, ids.tasks, changes)
        else if (what === 'drop')
          await call('schema_update', { collectionId: tasks, schema: { name: 'Tasks', properties: [] } })
        else if (what === 'delete a task') await call('blocks_delete', { blockIds: [ids.tasks[0]] })
        else if (what === 'delete a person')
          await call('items_delete', { collectionId: people, idsToDelete: [ids.people[0]] })
        else await write(people, what, ids.people, ids.people, changes)
        expect(await broken(connected), JSON.stringify(steps)).toEqual([])
      }
    }),
    { numRuns: runs(6, 60) },
  )
})
