/**
 * Every call, and every place of it at which an ID may stand, with a hidden one there, under a key and again under it.
 */
import { endpoints } from '../../../tools/index.ts'
import { endpointNamed } from '../asking/asking.ts'
import type { Pools } from '../asking/generated-calls.ts'
import { type Args, validCalls } from '../asking/valid-calls.ts'
import { namedPlaces, otherPlaces } from './cells.ts'
import { keyed, type Sent } from './requests.ts'

const DELETING = new Set(endpoints.filter(({ effect }) => effect === 'delete').map(({ name }) => name))

/** @param ids  each is put at every place */
export function* sweep({ kind, table, things }: Pools, ids: readonly string[]): Generator<Sent> {
  const [own] = things
  if (own === undefined) return
  let count = 0
  // What deletes comes last, since it takes away what others are about.
  const calls = validCalls(kind, own).toSorted(([one], [other]) => +DELETING.has(one) - +DELETING.has(other))
  const twice = function* (name: string, args: Args): Generator<Sent> {
    const sent = keyed({ to: 'mcp', method: 'tools/call', params: { name, arguments: args } }, `sweep-${++count}`)
    yield sent
    yield sent
  }
  for (const [name, args] of calls) {
    yield* twice(name, args)
    for (const place of [...namedPlaces(args, own), ...otherPlaces(endpointNamed(table, name).schema, args, own)]) {
      for (const id of ids) {
        for (const put of place.put(id)) yield* twice(name, put)
      }
    }
  }
}
