/**
 * Yields every call, and each call again with a hidden ID at every place that can hold one. Each is sent twice with the
 * same idempotency key.
 */
import { endpoints } from '../../../tools/index.ts'
import type { Pools } from '../test-client/generated-calls.ts'
import { endpointNamed } from '../test-client/test-client.ts'
import { type Args, validCalls } from '../test-client/valid-calls.ts'
import { namedPlaces, otherPlaces } from './cells.ts'
import { keyed, type Sent } from './requests.ts'

const DELETING = new Set(endpoints.filter(({ effect }) => effect === 'delete').map(({ name }) => name))

/** @param ids  IDs to put at every place */
export function* sweep({ kind, table, things }: Pools, ids: readonly string[]): Generator<Sent> {
  const [own] = things
  if (own === undefined) return
  let count = 0
  // Deletions come last, since they remove things that other calls refer to.
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
