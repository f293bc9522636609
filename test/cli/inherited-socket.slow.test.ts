/** A server on a socket that another process opened, like systemd passes it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CHECKOUT, folder } from '../program.ts'
import { NO_INPUT, UNREAD } from '../support/unread.ts'

/** Announces descriptor 3 to the process that replaces this one, whose ID is known only here. */
const LAUNCHER = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'

async function openSocket(): Promise<Server & { port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

/** The file descriptor of the socket, which Node has but does not document. */
const descriptorOf = (socket: Server): number => (socket as unknown as { _handle: { fd: number } })._handle.fd

/** Passes the socket on, so that this process no longer has it. */
function serveAt(socket: Server, ...flags: string[]): ChildProcess {
  const { script, cwd } = CHECKOUT
  const args = ['serve', '--space', join(folder(), 'space.sqlite'), '--no-welcome', ...flags]
  const child = spawn('sh', ['-c', LAUNCHER, 'sh', process.execPath, script, ...args], {
    cwd,
    stdio: [NO_INPUT, UNREAD, 'pipe', descriptorOf(socket)],
  })
  socket.close()
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('serve', () => {
  test('accepts connections on a socket that it was passed, even those from before it was ready', async () => {
    const socket = await openSocket()
    const child = serveAt(socket, '--port', String(socket.port))
    const response = await fetch(`http://127.0.0.1:${socket.port}/health`)
    expect(await response.json()).toMatchObject({ status: 'ok', openSpaces: 1 })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('rejects a socket at another address than that of its flags', async () => {
    const socket = await openSocket()
    const child = serveAt(socket, '--port', '4810')
    const errors = text(child.stderr as NonNullable<ChildProcess['stderr']>)
    expect(await once(child, 'exit')).toEqual([2, null])
    expect(await errors).toBe(
      `Expected the socket from systemd at 127.0.0.1, port 4810, as --host and --port say, found 127.0.0.1, port ${socket.port}; let ListenStream of the .socket unit name the same address.\n`,
    )
  })
})
