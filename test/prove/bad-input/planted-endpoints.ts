/** Endpoints with faults planted in them, for some input each. */
import { setImmediate } from 'node:timers/promises'
import type { Endpoint } from '../../../src/endpoint.ts'
import type { Space } from '../../../src/space/model/space.ts'
import { connectionOf } from '../../sqlite.ts'

type Handle = Endpoint['handle']

/** What each of them does wrong, by the words with which it is to be found. */
export const PLANTED = ['a fault of the server', 'a write by a refused call', 'a pause', 'memory that grows'] as const

export const plantedEndpoints = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => {
    const plant = PLANTS[endpoint.name]
    return plant === undefined ? endpoint : { ...endpoint, handle: plant(endpoint.handle) }
  })

const held: Buffer[] = []

const PLANTS: Record<string, (handle: Handle) => Handle> = {
  // Takes every ID for one of the usual form.
  blocks_move: (handle) => (call, ready) => {
    const { blockIds } = ready as { blockIds: string[] }
    for (const id of blockIds) (/^[1-9]\d{11}$/.exec(String(id)) as RegExpExecArray)[0].toLowerCase()
    return handle(call, ready)
  },
  // Writes in a transaction of its own before it refuses.
  items_update: (handle) => async (call, ready) => {
    try {
      return await handle(call, ready)
    } catch (error) {
      writeBeside(call.space)
      throw error
    }
  },
  // Works without giving way.
  blocks_search: (handle) => async (call, ready) => {
    const until = spent() + 80
    await setImmediate()
    while (spent() < until);
    return handle(call, ready)
  },
  // Keeps what nobody needs.
  views_list: (handle) => (call, ready) => {
    held.push(Buffer.alloc(6 * 1024 * 1024, 1))
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
