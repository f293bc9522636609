/** Endpoints with planted faults, each of which some input triggers. */
import { setImmediate } from 'node:timers/promises'
import type { Endpoint } from '../../../src/endpoint.ts'
import type { Space } from '../../../src/space/model/space.ts'
import { connectionOf } from '../../sqlite.ts'

type Handle = Endpoint['handle']

/** The faults, by words from the sentences that report them. */
export const PLANTED = ['a fault of the server', 'a write by a refused call', 'a pause', 'memory that grows'] as const

export const plantedEndpoints = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => {
    const plant = PLANTS[endpoint.name]
    return plant === undefined ? endpoint : { ...endpoint, handle: plant(endpoint.handle) }
  })

const held: Buffer[] = []

const PLANTS: Record<string, (handle: Handle) => Handle> = {
  // Assumes that every ID has the usual form.
  blocks_move: (handle) => (call, ready) => {
    const { blockIds } = ready as { blockIds: string[] }
    for (const id of blockIds) (/^[1-9]\d{11}$/.exec(String(id)) as RegExpExecArray)[0].toLowerCase()
    return handle(call, ready)
  },
  // Writes in a transaction of its own before it refuses the call.
  items_update: (handle) => async (call, ready) => {
    try {
      return await handle(call, ready)
    } catch (error) {
      writeBeside(call.space)
      throw error
    }
  },
  // Computes without yielding to the event loop.
  blocks_search: (handle) => async (call, ready) => {
    const until = spent() + 200
    await setImmediate()
    while (spent() < until);
    return handle(call, ready)
  },
  // Retains memory that is not needed.
  views_list: (handle) => (call, ready) => {
    held.push(Buffer.alloc(16 * 1024 * 1024, 1))
    return handle(call, ready)
  },
}

function writeBeside({ tx }: Space): void {
  connectionOf(tx).sql('ROLLBACK').run()
  connectionOf(tx).sql("UPDATE space SET name = name || '!'").run()
  connectionOf(tx).sql('BEGIN IMMEDIATE').run()
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
