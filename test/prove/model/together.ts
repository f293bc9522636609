/** Starts several processes that write to the same file, and collects their calls. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startServe } from '../../http/serve-process.ts'
import { readStream, wrongReading } from '../feed-reading.ts'
import { chance, type ProofContext } from '../proof.ts'
import type { Note, Order } from './process.ts'
import { inCommitOrder, type Write } from './replay.ts'

/** Concurrent calls in each process, so that some share a COMMIT. */
const LANES = 2
/** Friday, 20 November 2026. The dates and times in the calls are close to it. */
const START = Date.parse('2026-11-20T09:00:00Z')
/** How many writes there are between two progress lines. */
const REPORT_EVERY = 2_000
/** The maximum number of feed events before the reader's connection is cut. */
const EVENTS_OF_ONE_STREAM = 60
/** Milliseconds in which a reader must have received the last write. */
const READ_WITHIN = 20_000

/**
 * In the meantime another process serves the space, and a stream of its feed is read and cut again and again.
 *
 * @param count  the number of writes that all processes together make
 */
export async function writeTogether(context: ProofContext, file: string, processes: number, count: number) {
  const acknowledged = new Map<string, Omit<Write, 'now'>[]>()
  const refused: string[] = []
  const children: ChildProcess[] = []
  let done = 0
  const note = (from: ChildProcess, message: Note): void => {
    const { author, call } = message
    if ('fault' in message) {
      refused.push(`${author}: ${call.tool} ${JSON.stringify(call.args)} is refused with ${message.fault}`)
      return
    }
    const { answer } = message
    const own = acknowledged.get(author)
    if (own === undefined) acknowledged.set(author, [message])
    else own.push(message)
    for (const other of children) if (other !== from && other.connected) other.send({ call, answer }, atItsEnd)
    if (++done % REPORT_EVERY === 0) context.log(`${done} of ${count} writes`)
  }
  const order = {
    ...{ file, lanes: LANES, ahead: START - Date.now() },
    writes: Math.ceil(count / processes / LANES),
  }
  const begin = (index: number) =>
    started(context, { ...order, name: `process ${index + 1}`, seed: context.seed * 100 + index })
  // The first process fills the compile cache for the others.
  children.push(await begin(0))
  children.push(...(await Promise.all(Array.from({ length: processes - 1 }, (_, index) => begin(index + 1)))))
  const ends = children.map((child) => {
    child.on('message', (message) => note(child, message as Note))
    // All messages are read before the channel is closed.
    return Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  })
  const serving = await startServe(file)
  const stream = await readStream(`${serving.restUrl}/changes?cursor=start`, chance(context.seed), EVENTS_OF_ONE_STREAM)
  for (const child of children) child.send('go')
  const faults: string[] = []
  for (const [[code]] of await Promise.all(ends)) if (code !== 0) faults.push(`A process ended with ${code}.`)
  const { writes, faults: unlike } = await inCommitOrder(file, acknowledged)
  const cuts = await stream.end(writes.length, READ_WITHIN)
  await serving.close()
  const misread = wrongReading(file, stream.read, true)
  const tools = new Set(writes.map(({ call }) => call.tool)).size
  const figures = {
    ...{ writes: done, processes, tools, 'in the log': writes.length, 'refused for others': refused.length },
    ...{ 'read of the feed': stream.read.length, 'cuts of who read it': cuts, misread: misread.length },
  }
  return { writes, read: stream.read, faults: [...faults, ...refused, ...unlike, ...misread], figures }
}

/** A process that is about to exit no longer needs the calls of the others. */
const atItsEnd = (): void => {}

/** Starts a process and waits until it is ready for the start signal. */
async function started(context: ProofContext, order: Order): Promise<ChildProcess> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(context.folder, 'compiled') }
  const child = fork(join(import.meta.dirname, 'process.ts'), [JSON.stringify(order)], { env })
  await once(child, 'message')
  return child
}
