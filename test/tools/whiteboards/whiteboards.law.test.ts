/** Any sequence of calls has the same effect on a whiteboard as on a list of elements. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { boardOf } from '../../drawings.ts'
import { anyJson } from '../../odd-elements.ts'
import { runs } from '../../support/runs.ts'

type Drawn = { id: string; type: string; version?: number; [key: string]: unknown }

const id = fc.constantFrom<string>('a', 'b', 'c', 'A', 'é', "d'", '0', '00', ' ')
// Only values that JSON can represent: no undefined, no -0.
const value = anyJson.map((one) => JSON.parse(JSON.stringify(one)))
const further = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => !['id', 'type', 'version', '__proto__', 'content'].includes(key)),
  value,
  { maxKeys: 4 },
)
const step = fc.oneof(
  fc.record({
    name: fc.constant('elements_add' as const),
    elements: fc.array(
      fc.tuple(id, further).map(([id, more]) => ({ ...more, id, type: 'freedraw' })),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    name: fc.constant('elements_update' as const),
    elements: fc.array(
      fc.tuple(id, further, fc.option(fc.nat(9), { nil: undefined })).map(([id, more, version]) => {
        return { ...more, id, ...(version !== undefined && { version }) }
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    name: fc.constant('elements_delete' as const),
    elementIds: fc.array(id, { minLength: 1, maxLength: 3 }),
  }),
)

/** Applies a call to a list of elements. Returns undefined if the call is refused. */
function after(drawn: readonly Drawn[], input: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
  if (input.name === 'elements_delete') return drawn.filter(({ id }) => !input.elementIds.includes(id))
  const ids = input.elements.map(({ id }) => id)
  const known = (id: string) => drawn.some((one) => one.id === id)
  if (new Set(ids).size < ids.length) return undefined
  if (input.name === 'elements_add') return ids.some(known) ? undefined : [...drawn, ...input.elements]
  if (!ids.every(known)) return undefined
  return drawn.map((one) => {
    const given = input.elements.find(({ id }) => id === one.id)
    const merged: Drawn = given === undefined ? one : { ...one, ...given }
    // An unchanged element keeps its version. If others of its fields change, the version is incremented.
    if (isDeepStrictEqual(merged, one) || merged.version !== one.version) return merged
    return { ...merged, version: (one.version ?? 1) + 1 }
  })
}

test('a board behaves like a list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const connected = await connect()
      const { whiteboardBlockId } = await boardOf(connected)
      let drawn: readonly Drawn[] = []
      for (const { name, ...args } of steps) {
        const next = after(drawn, { name, ...args } as Parameters<typeof after>[1]) as readonly Drawn[] | undefined
        if (next === undefined) await connected.refused(name, { whiteboardBlockId, ...args })
        else await connected.call(name, { whiteboardBlockId, ...args })
        drawn = next ?? drawn
        const { elements } = await connected.call('elements_list', { whiteboardBlockId })
        expect(elements).toEqual(drawn)
      }
    }),
    { numRuns: runs(6, 60) },
  )
})
