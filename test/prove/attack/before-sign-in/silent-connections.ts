/**
 * Opens as many connections as a server has room for, sends nothing over them, and makes requests from another address:
 *
 *     node silent-connections.ts SCRIPT FOLDER SPACE
 *
 * Prints, as JSON, in which ways that locks others out.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { portOf } from '../../../http/serve-process.ts'
import { endProcess, startProgram } from '../process.ts'

const SERVER = '203.0.113.1'
const ATTACKER = '203.0.113.1'
const OTHER = '203.0.113.2'
/** More connections than the server has room for. */
const CONNECTIONS = 2_100
/** Connections opened concurrently: the server's accept queue is short. */
const AT_ONCE = 100
/** Milliseconds after which a response counts as too late. */
const PATIENCE = 5_000

const [script = '', folder = '', space = ''] = process.argv.slice(2)
const server = startProgram({ script, folder }, ['serve', '--space', space, '--host', SERVER, '--port', '0'])
const port = Number(await portOf(server))
const sockets: Socket[] = []
for (let count = 0; count < CONNECTIONS; count += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, () => open(ATTACKER)))
}
const faults = (await isAnswered()) ? [] : [`${CONNECTIONS} silent connections of one address shut out all others`]
for (const socket of sockets) socket.destroy()
await endProcess(server)
process.stdout.write(JSON.stringify(faults))

async function open(from: string): Promise<Socket> {
  const socket = connect({ host: SERVER, port, localAddress: from })
  sockets.push(socket)
  // The server closes many of them, as it should.
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})
  return socket
}

async function isAnswered(): Promise<boolean> {
  const socket = await open(OTHER)
  socket.write(`GET /health HTTP/1.1\r\nHost: ${SERVER}\r\nConnection: close\r\n\r\n`)
  const response = once(socket, 'data').then(
    ([bytes]) => String(bytes).startsWith('HTTP/1.1 200'),
    () => false,
  )
  const closed = once(socket, 'close').then(
    () => false,
    () => false,
  )
  const late = AbortSignal.timeout(PATIENCE)
  return Promise.race([response, closed, once(late, 'abort').then(() => false)])
}
