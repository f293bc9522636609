/**
 * One of several processes that write to the same file. It makes its calls in several lanes, sequentially in each and
 * under an author of its own, so that the audit log tells them apart. It reports its calls to the parent and learns of
 * the calls of the others, so that all know the same IDs.
 */
import { flushCompileCache } from 'node:module'
import { nextCallOrBatch } from '../calls/batches.ts'
import { Chooser } from '../calls/chooser.ts'
import { Learned } from '../calls/learned.ts'
import type { Call } from './model.ts'
import { openFile } from './spaces.ts'

export interface Order {
  file: string
  name: string
  seed: number
  /** The number of writes that each lane has to make. */
  writes: number
  lanes: number
  /** Milliseconds by which its clock is ahead. */
  ahead: number
}

/** A call that succeeded, or a fault of the product. */
export type Note = { author: string; call: Call; answer: unknown } | { author: string; call: Call; fault: string }

/** Error codes that no caller may get, no matter how many callers there are. */
const FAULTS = ['INTERNAL_ERROR', 'CONFLICT', 'SPACE_REPLACED', 'STORAGE_UNAVAILABLE', 'STORAGE_FULL']

const order = JSON.parse(process.argv[2] ?? '') as Order
const learned = new Learned()
const begin = new Promise<void>((resolve) => {
  process.on('message', (message: 'go' | { call: Call; answer: object }) => {
    if (message === 'go') resolve()
    else learned.learn(message.call, message.answer)
  })
})
flushCompileCache()
await send('ready')
await begin
await Promise.all(Array.from({ length: order.lanes }, (_, lane) => write(lane)))
process.disconnect()

async function write(lane: number): Promise<void> {
  const { file, name, seed, writes, ahead } = order
  const author = `${name} lane ${lane}`
  const space = await openFile(file, author, { clock: () => Date.now() + ahead })
  const chooser = new Chooser(seed * 100 + lane)
  for (let done = 0; done < writes; ) {
    const call = nextCallOrBatch(chooser, learned.pools)
    const found = await space.call(call)
    if ('answer' in found) {
      done++
      learned.learn(call, found.answer as object)
      await send({ author, call, answer: found.answer })
    } else if (FAULTS.includes(found.refused)) await send({ author, call, fault: `${found.refused}: ${found.why}` })
  }
  await space.close()
}

/** Resolves once the message is sent, so that no message is lost at the end. */
function send(note: Note | 'ready'): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(note, undefined, undefined, (error) => (error ? reject(error) : resolve()))
  })
}
