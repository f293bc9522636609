/** Which items are ready, which are blocked, and which changes are refused, after any changes: as a plain model says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'
import { runs, timeOfRuns } from '../../support/runs.ts'

const TITLES = ['a', 'b', 'c', 'd', 'e']
const PROPERTIES = [
  { name: 'Finished', type: 'boolean' },
  { name: 'Needs', type: 'relation', config: { dependsOn: true } },
]

const item = fc.nat({ max: TITLES.length - 1 })
const changes = fc.uniqueArray(fc.tuple(item, fc.uniqueArray(item, { maxLength: 3 })), {
  minLength: 1,
  maxLength: 3,
  selector: ([one]) => one,
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ needs: changes }) },
  { weight: 2, arbitrary: fc.record({ neededBy: changes }) },
  { weight: 2, arbitrary: fc.record({ finished: item, is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ deleted: item }) },
)

/** What each item needs, without those that do not exist. */
type Needs = ReadonlySet<number>[]

const hasCycle = (needs: Needs): boolean => {
  const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
    [...(needs[from] ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  return needs.some((_, index) => reaches(index, index))
}

const count = runs(4, 100)

test(
  'items are ready, blocked and refused as a plain model says',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const connected = await connect()
        const { call } = connected
        const collectionId = await collectionOf(connected, PROPERTIES, 'Work')
        const ids = await itemsOf(
          connected,
          collectionId,
          TITLES.map((title) => ({ title })),
        )
        const there = new Set(TITLES.keys())
        const finished = new Set<number>()
        let needs: Needs = TITLES.map(() => new Set())
        const write = (key: string, list: readonly (readonly [number, readonly number[]])[]) => {
          const itemsToUpdate = list.map(([index, targets]) => ({
            id: ids[index],
            properties: { [key]: { relations: targets.map((target) => ({ blockId: ids[target] })) } },
          }))
          return call('items_update', { collectionId, itemsToUpdate }).then(
            () => true,
            (error: Error) => {
              expect(error.message).toContain('without a cycle')
              return false
            },
          )
        }
        const listed = async (filterType: string): Promise<string> => {
          const { items } = await call('items_list', { collectionId, filters: [{ property: 'needs', filterType }] })
          return items.map(({ title }: Answer) => title).join('')
        }
        for (const one of steps) {
          if ('finished' in one) {
            if (!there.has(one.finished)) continue
            const change = { id: ids[one.finished], properties: { finished: one.is } }
            await call('items_update', { collectionId, itemsToUpdate: [change] })
            if (one.is) finished.add(one.finished)
            else finished.delete(one.finished)
          } else if ('deleted' in one) {
            if (!there.delete(one.deleted)) continue
            await call('items_delete', { collectionId, idsToDelete: [ids[one.deleted]] })
            for (const set of needs) (set as Set<number>).delete(one.deleted)
            needs[one.deleted] = new Set()
          } else {
            const given = 'needs' in one ? one.needs : one.neededBy
            const list = given
              .filter(([index]) => there.has(index))
              .map(([index, targets]) => [index, targets.filter((target) => there.has(target))] as const)
            if (list.length === 0) continue
            const next = needs.map((set) => new Set(set))
            for (const [index, targets] of list) {
              if ('needs' in one) next[index] = new Set(targets)
              else
                for (const [other, set] of next.entries()) targets.includes(other) ? set.add(index) : set.delete(index)
            }
            expect(await write('needs' in one ? 'needs' : 'work', list)).toBe(!hasCycle(next))
            if (!hasCycle(next)) needs = next
          }
          const open = [...there].filter((index) => !finished.has(index))
          const isBlocked = (index: number) => [...(needs[index] ?? [])].some((target) => !finished.has(target))
          const titlesOf = (indexes: readonly number[]) => indexes.map((index) => TITLES[index]).join('')
          expect(await listed('isReady')).toBe(titlesOf(open.filter((index) => !isBlocked(index))))
          expect(await listed('isBlocked')).toBe(titlesOf(open.filter(isBlocked)))
        }
      }),
      { numRuns: count },
    )
  },
  timeOfRuns(count),
)
