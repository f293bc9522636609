/** How long it takes from the commit of a comment until an agent is called, with and without other subscriptions. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { startServe } from '../http/serve-process.ts'
import { ask } from '../prove/events/event-requests.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Figure, type Measure, timed } from './figure.ts'
import { RAISED } from './http-requests.ts'
import { addDocument, inFolder, openWorkbench } from './workbench.ts'

const WRITES = 200
/** Milliseconds between two writes, at most, so that they come at any time between two looks at the space. */
const PAUSE = 120
/** Other subscriptions, each to an address of its own. One of their receivers accepts messages and never answers. */
const OTHERS = 9
/** Milliseconds. */
const MOST = 1_000

const NOTES = [
  'Comments are written by another process than the one that serves, which looks at the space ten times a second. A',
  'call is a new connection and a signed message. The floor is a POST of the same bytes to the same receiver.',
]

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const figures = [
      await lateness('a comment until the call', join(folder, 'alone.sqlite'), { name: 'comment.created' }),
      await lateness(`the same, ${OTHERS} others, one hangs`, join(folder, 'others.sqlite'), {
        ...{ name: 'comment.created', others: OTHERS },
      }),
      await lateness('a change until the call, quiet time 0', join(folder, 'changes.sqlite'), {
        ...{ name: 'document.changed', arguments: { quietSeconds: 0 } },
      }),
    ]
    const database = await startPostgres()
    try {
      const place = spaceAddress(database.address, 'events')
      figures.push(await lateness('a comment until the call, PostgreSQL', place, { name: 'comment.created' }))
    } finally {
      await database.stop()
    }
    return { figures, notes: NOTES }
  })

interface Asked {
  name: string
  arguments?: object
  others?: number
}

async function lateness(what: string, place: string, { others = 0, ...asked }: Asked): Promise<Figure> {
  await using running = new AsyncDisposableStack()
  const bench = running.adopt(await openWorkbench(place), (opened) => opened.close())
  const blockId = await addDocument(bench, 'One')
  const server = running.adopt(await startServe(place, FLAGS), (started) => started.close())
  const receiver = running.adopt(await startReceiver(), (started) => started.close())
  const subscribe = (path: string) =>
    ask(server.mcpUrl, 'events/subscribe', {
      ...{ ...asked, delivery: { mode: 'webhook', url: `${receiver.origin}${path}`, secret: SECRET } },
    })
  for (let other = 1; other <= others; other++) await subscribe(other === 1 ? HANGING : `/other-${other}`)
  await subscribe(MEASURED)
  const late: number[] = []
  const bare: number[] = []
  for (let write = 0; write <= WRITES; write++) {
    await delay(Math.random() * PAUSE)
    await bench.call('comments_add', { comments: [{ blockId, content: `Comment ${write}` }] })
    const written = performance.now()
    const { at, body } = await receiver.call(write)
    const posted = await timed(() => post(`${receiver.origin}/bare`, body))
    // The first one also starts the delivery.
    if (write > 0) late.push(Math.max(0, at - written))
    if (write > 0) bare.push(posted)
  }
  const [ours, floor] = [percentile(late, 0.99), percentile(bare, 0.99)]
  return {
    ...{ what: `${what}, p99`, floor: 'a bare POST, p99', ours, bare: floor, unit: 'ms', ratio: ours / floor },
    goal: { of: 'ours', most: MOST },
  }
}

const FLAGS = [...RAISED, '--webhook-allow', '127.0.0.0/8']
const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const [MEASURED, HANGING] = ['/measured', '/hanging']

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN

interface Call {
  at: number
  body: string
}

/** Consents to every subscription. @returns how to wait for the call with this number */
async function startReceiver() {
  const calls: Call[] = []
  let onCall = () => {}
  const receive = async (message: IncomingMessage, response: ServerResponse) => {
    const at = performance.now()
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const { type, challenge } = JSON.parse(body) as { type?: string; challenge?: string }
    if (type === 'verification') return response.end(JSON.stringify({ challenge }))
    if (message.url === HANGING) return response
    if (message.url === MEASURED) {
      calls.push({ at, body })
      onCall()
    }
    return response.writeHead(204).end()
  }
  const server = createServer(receive)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async call(number: number): Promise<Call> {
      for (;;) {
        const call = calls[number]
        if (call !== undefined) return call
        await new Promise<void>((resolve) => {
          onCall = resolve
        })
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Over a connection of its own, as calls are. */
const post = (url: string, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request(url, { method: 'POST', headers, agent: false }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end(body)
  })
