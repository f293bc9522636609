/**
 * The planted fault, loaded into a server process with `--import`: it retains each request with its body and some
 * additional memory, and keeps a file and a socket open.
 */
import { createSocket } from 'node:dgram'
import { openSync } from 'node:fs'
import { type IncomingMessage, Server } from 'node:http'

const kept: { request: unknown; response: unknown; body: Buffer[]; page: Buffer }[] = []
/** Bytes retained per request: in a minute and a half more than what the server gives back in a rest. */
const PAGE = 524_288
const { emit } = Server.prototype

Object.assign(Server.prototype, {
  emit(this: Server, ...args: unknown[]): unknown {
    if (args[0] === 'request') keep(args[1] as IncomingMessage, args[2])
    return Reflect.apply(emit, this, args)
  },
})

function keep(request: IncomingMessage, response: unknown): void {
  const body: Buffer[] = []
  const { push } = request
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk !== null) body.push(Buffer.from(chunk))
    return push.call(request, chunk, encoding)
  }
  kept.push({ request, response, body, page: Buffer.alloc(PAGE, 1) })
  openSync(import.meta.filename, 'r')
  createSocket('udp4').bind(0, '127.0.0.1').unref()
}
