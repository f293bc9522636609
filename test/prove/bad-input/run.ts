/**
 * Sends thousands of bad inputs and checks the result of each. It runs in a process of its own, so that memory can be
 * measured.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Endpoint } from '../../../src/endpoint.ts'
import { CONNECTION_KINDS, type ConnectionKind } from '../../../src/space/model/space.ts'
import { LONGEST_PAUSE, LONGEST_PAUSE_OF_LARGE_CALLS, longestPause } from '../../support/pauses.ts'
import { chance, type ProofResult } from '../proof.ts'
import { Chance, nextCall } from '../test-client/generated-calls.ts'
import { endpointNamed, type RestInput, requestFor } from '../test-client/test-client.ts'
import { oddMessage } from './odd-messages.ts'
import { oddRequest } from './odd-requests.ts'
import { unusualValues } from './unusual-values.ts'
import { openWorld, type World } from './world.ts'

export interface BadInputOptions {
  folder: string
  seed: number
  calls: number
  endpoints: readonly Endpoint[]
  log(line: string): void
}

/** The number of spaces that are used in turn. After the first third, memory must not grow any more. */
const WORLDS = 6
/** The number of calls after which new things are created. */
const RENEWED = 300
/** Seconds after which a call counts as never answered. */
const PATIENCE = 30
const MEBIBYTE = 1024 * 1024
/** Growth after the first third that counts as a fault: it must exceed both the share and the number of bytes. */
const GROWN_SHARE = 0.1
const GROWN_BYTES = 20 * MEBIBYTE
/** The number of faults after which the proof stops. */
const MOST = 40

/** The result of a call. */
interface Outcome {
  isRefused: boolean
  /** True if the server reports an internal error. */
  isOurs: boolean
  text: string
}

interface Call {
  /** The call as a text, for reproducing it. */
  shown: string
  /** The length of the sent JSON in characters. */
  size: number
  send(): Promise<Outcome>
}

export async function sendBadInput(options: BadInputOptions): Promise<ProofResult> {
  let onUnexpected = (_: unknown) => {}
  const received = (error: unknown) => onUnexpected(error)
  process.on('unhandledRejection', received)
  process.on('uncaughtException', received)
  try {
    return await sendAll(options, (found) => {
      onUnexpected = found
    })
  } finally {
    // From here on, an uncaught error ends the process, which reports it.
    process.off('unhandledRejection', received)
    process.off('uncaughtException', received)
  }
}

/** @param onMessage  receives a handler for uncaught errors */
async function sendAll(
  { folder, seed, calls, endpoints, log }: BadInputOptions,
  onMessage: (found: (error: unknown) => void) => void,
): Promise<ProofResult> {
  const luck = new Chance(chance(seed))
  const faults = new Map<string, string>()
  const logged: string[] = []
  const counts = { calls: 0, 'over REST': 0, refused: 0 }
  let [longest, after] = [0, 0]
  let current = 'nothing'
  const fault = (kind: string, detail: string) => {
    const key = kind.replace(/[\d-]{4,}|"[^"]*"/g, '')
    if (faults.has(key) || faults.size >= MOST) return
    faults.set(key, `${kind}: ${detail}`)
    log(`found ${kind}: ${detail}`)
  }
  onMessage((error) => fault('an uncaught error', `${String(error)} by ${current}`))
  const each = Math.ceil(calls / WORLDS)
  for (let number = 1; number <= WORLDS; number++) {
    const world = await openWorld(`${folder}/world-${number}`, endpoints, (line) => void logged.push(line))
    for (let index = 0; index < each; index++) {
      if (index % RENEWED === RENEWED - 1) await world.renew()
      const isRest = luck.is(0.5)
      const call = isRest ? restCall(luck, world) : mcpCall(luck, world)
      current = call.shown
      const before = world.written()
      let outcome: Outcome | undefined
      let wrote = false
      let lost = ''
      const pause = await longestPause(
        async () => {
          const came = await inTime(call.send()).catch((error: unknown) => {
            lost = String(error)
            return undefined
          })
          // Only the first result counts: a repeated call, after a long pause, may find the space changed.
          if (outcome !== undefined) return
          outcome = came
          wrote = world.written() !== before
        },
        undefined,
        boundOf(call),
      )
      counts.calls += 1
      if (isRest) counts['over REST'] += 1
      longest = Math.max(longest, pause)
      if (pause >= boundOf(call)) fault(`a pause of ${Math.round(pause)} ms`, call.shown)
      for (const key in {}) fault(`a key of all objects, ${key}`, call.shown)
      if (outcome === undefined) fault(`no answer ${lost}`, call.shown)
      else {
        if (outcome.isRefused) counts.refused += 1
        if (outcome.isOurs) fault(`a fault of the server: ${causeOf(logged, outcome)}`, call.shown)
        if (outcome.isRefused && wrote)
          fault(`a write by a refused call`, `${call.shown} ${outcome.text.slice(0, 200)}`)
      }
      logged.length = 0
      outcome = undefined
    }
    const heap = await settledHeap()
    if (number === WORLDS / 3) after = heap
    log(`${counts.calls.toLocaleString('en-US')} calls, ${Math.round(heap / MEBIBYTE)} MiB, ${faults.size} faults`)
    if (number === WORLDS && heap - after > Math.max(GROWN_BYTES, after * GROWN_SHARE)) {
      fault('memory that grows', `from ${after} bytes after a third of the calls to ${heap} at the end`)
    }
    await world.close()
    if (number === WORLDS) Object.assign(counts, figuresOf(after, heap, longest))
  }
  return { figures: { ...counts, faults: faults.size }, faults: [...faults.values()] }
}

const figuresOf = (after: number, heap: number, longest: number) => ({
  'ms of the longest pause': Math.round(longest),
  'MiB after a third': Math.round(after / MEBIBYTE),
  'MiB at the end': Math.round(heap / MEBIBYTE),
})

/** Bytes still in use after garbage collection, including buffers outside of the heap. */
async function settledHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    global.gc?.()
    // Collected objects may keep others alive until the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const inTime = (sent: Promise<Outcome>): Promise<Outcome | undefined> => {
  const ended = new AbortController()
  const late = delay(PATIENCE * 1000, undefined, { signal: ended.signal }).catch(() => undefined)
  return Promise.race([sent, late]).finally(() => ended.abort())
}

/** The logged error and where it was thrown, without its random ID. */
function causeOf(logged: readonly string[], { text }: Outcome): string {
  const [line] = logged
  if (line === undefined) return text.slice(0, 200)
  return line
    .replace(/^[\w-]{36} ([\w-]{36} )?/, '')
    .split('\n')
    .slice(0, 4)
    .join(' ')
}

/** Milliseconds for which a call may block all others. */
const boundOf = ({ size }: Call): number => (size > MEBIBYTE ? LONGEST_PAUSE_OF_LARGE_CALLS : LONGEST_PAUSE)

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

const SHOWN = 700
const shownAs = (value: unknown): string => {
  const text = JSON.stringify(value, (_, inner) =>
    typeof inner === 'string' && inner.length > 300 ? `${inner.slice(0, 20)}…×${inner.length}` : inner,
  )
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

const CHANGES = { valid: 0.3, odd: 0.6 }

function mcpCall(luck: Chance, world: World): Call {
  const kind = luck.one(CONNECTION_KINDS)
  const pools = world.pools[kind]
  const [name, args] = nextCall(luck, pools, CHANGES, unusualValues(luck))
  const usual = { method: 'tools/call', params: { name, arguments: args } }
  const { method, params } = luck.is(0.05) ? oddMessage(luck, usual, pools) : usual
  return {
    shown: `${kind} over MCP ${method} ${shownAs(params)}`,
    size: sizeOf(params),
    async send() {
      const { result, error } = await world.client[kind].mcp(method, params)
      const text = result?.content?.map(({ text = '' }) => text).join('\n') ?? JSON.stringify(error ?? result)
      harvest(world, kind, text)
      // For a message that is not a valid request, the SDK reports an internal error too, with the same code.
      const isOurs = text.includes('found a fault of this server')
      return { isRefused: error !== undefined || result?.isError === true, isOurs, text }
    },
  }
}

function restCall(luck: Chance, world: World): Call {
  const kind = luck.one(CONNECTION_KINDS)
  const pools = world.pools[kind]
  const [name, args] = nextCall(luck, pools, CHANGES, unusualValues(luck))
  const usual: RestInput = requestFor(endpointNamed(pools.table, name), args) ?? {
    method: 'GET',
    target: '/connection',
  }
  const request = luck.is(0.25) ? oddRequest(luck, usual) : usual
  return {
    shown: `${kind} over REST ${shownAs({ ...request, target: request.target.slice(0, 400) })}`,
    size: sizeOf(request),
    async send() {
      const { status, text } = await world.http(kind, request)
      harvest(world, kind, text)
      return { isRefused: status >= 400, isOurs: status >= 500, text: `${status} ${text}` }
    },
  }
}

/** Collects IDs and cursors from responses for later calls. */
function harvest({ pools }: World, kind: ConnectionKind, text: string): void {
  const { ids, cursors } = pools[kind]
  const some = text.slice(0, 20_000)
  for (const [, cursor = ''] of some.matchAll(/\\?"cursor\\?":\\?"([\w-]+)/g)) cursors.unshift(cursor)
  for (const [id] of some.matchAll(/\b[1-9]\d{11}\b/g)) ids.unshift(id)
  cursors.splice(20)
  ids.splice(60)
}
