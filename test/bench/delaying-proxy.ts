/**
 * Simulates a network between a program and a database, in a process of its own: it forwards data of both sides with a
 * delay, in order. It listens on a Unix socket, at the path where a PostgreSQL driver looks for one.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Way {
  from: string
  to: string
  /** The delay in milliseconds, in each direction. */
  delay: number
}

/** @returns a function that stops the proxy */
export async function startDelayingProxy(way: Way): Promise<() => void> {
  const child = fork(import.meta.filename, [JSON.stringify(way)], { execArgv: [] })
  await once(child, 'message')
  return () => child.disconnect()
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const { from, to, delay }: Way = JSON.parse(process.argv[2] ?? '')
  const server = createServer((near) => {
    const far = connect(to)
    handOn(near, far, delay)
    handOn(far, near, delay)
  })
  server.listen(from, () => process.send?.('ready'))
  process.once('disconnect', () => process.exit())
}

/** Forwards data by polling the clock, since a Node timer is up to a millisecond late. */
function handOn(from: Socket, to: Socket, delay: number): void {
  const waiting: { at: number; chunk: Buffer }[] = []
  const poll = (): void => {
    while (waiting[0] !== undefined && waiting[0].at <= performance.now()) to.write(waiting.shift()?.chunk ?? '')
    if (waiting.length > 0) setImmediate(poll)
  }
  from.on('data', (chunk: Buffer) => {
    waiting.push({ at: performance.now() + delay, chunk })
    if (waiting.length === 1) setImmediate(poll)
  })
  from.on('error', () => to.destroy())
  from.once('close', () => to.destroy())
}
