/** A link with access no-delete deletes nothing with any tool: walks through the table of deletions for all tools. */
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'
import { buildWorld, type World } from './deletion-world.ts'
import { DELETIONS, type Row } from './deletions.ts'

/** Decisions on proposals run the calls of these tools. Others that no agent has only mark what a member has read. */
const writing = endpoints.flatMap(({ name, effect, isRestOnly }) =>
  effect === 'read' || effect === 'decide' || isRestOnly ? [] : [{ name, effect }],
)

/** Returns the row of a tool. A tool that writes and has no row fails with its name. */
function rowOf(name: string): Row {
  const row = DELETIONS[name]
  if (row !== undefined) return row
  throw new Error(`Expected a row of ${name} in test/call/deletions.ts, found none; say what of it is deletion.`)
}

/** Returns the names of things that no longer exist. */
async function lost(before: ReadonlySet<string>, { things }: World): Promise<string[]> {
  const after = await things()
  return [...before].filter((thing) => !after.has(thing))
}

describe.each(writing)('$name of a link that may not delete', ({ name, effect }) => {
  test('deletes nothing', async () => {
    const world = await buildWorld()
    const attempts = await rowOf(name).attempts(world)
    const before = await world.dump()
    for (const { args, refusal } of attempts) {
      expect({ args, response: await world.link.refused(name, args) }).toEqual({ args, response: refusal })
      expect(await world.dump()).toEqual(before)
    }
  })

  test('would delete if allowed', async () => {
    const { length } = await rowOf(name).attempts(await buildWorld())
    for (let index = 0; index < length; index++) {
      const world = await buildWorld()
      const { args = {}, addsAsMuch = false } = (await rowOf(name).attempts(world))[index] ?? {}
      const before = await world.things()
      await world.full.call(name, args)
      const isLess = (await lost(before, world)).length > 0
      expect({ args, isLess }).toEqual({ args, isLess: !addsAsMuch })
    }
  })

  test('changes what it may', async () => {
    const world = await buildWorld()
    const changes = await rowOf(name).changes(world)
    expect(changes.length > 0).toBe(effect !== 'delete')
    for (const args of changes) {
      const [things, rows] = [await world.things(), await world.dump()]
      await world.link.call(name, args)
      expect({ args, lost: await lost(things, world) }).toEqual({ args, lost: [] })
      expect(await world.dump()).not.toEqual(rows)
    }
  })
})

test('the table has all tools that write, and no others', () => {
  expect(Object.keys(DELETIONS).sort()).toEqual(writing.map(({ name }) => name).sort())
  expect(() => rowOf('tables_add')).toThrow('Expected a row of tables_add in test/call/deletions.ts, found none')
})
