/**
 * A network between a program and a database, in a process of its own: it hands on what each side sends after a while,
 * and keeps the order. It listens on a Unix socket, where a driver of PostgreSQL looks for one.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Way {
  from: string
  to: string
  /** Milliseconds in each direction. */
  delay: number
}

/** @returns what ends it */
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

/** A timer of Node comes up to a millisecond late; polling the clock does not. */
function handOn(from: Socket, to: Socket, delay: number): void {
  const waiting: { at: number; chunk: Buffer }[] = []
  const look = (): void => {
    while (waiting[0] !== undefined && waiting[0].at <= performance.now()) to.write(waiting.shift()?.chunk ?? '')
    if (waiting.length > 0) setImmediate(look)
  }
  from.on('data', (chunk: Buffer) => {
    waiting.push({ at: performance.now() + delay, chunk })
    if (waiting.length === 1) setImmediate(look)
  })
  from.on('error', () => to.destroy())
  from.once('close', () => to.destroy())
}
