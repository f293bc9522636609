/**
 * Two spaces with the same visible part and other hidden ones: whoever reaches the visible part alone must not be able
 * to tell them apart by any call.
 */
import { Budget } from '../../../src/server/budget.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open.ts'
import { openUsage } from '../../../storage/usage.ts'
import { type Asking, ask, requestFor } from '../asking/asking.ts'
import { Chance, nextCall, type Pools } from '../asking/generated-calls.ts'
import { NOW, type Things } from '../asking/things.ts'
import type { Args } from '../asking/valid-calls.ts'
import { chance } from '../proof.ts'
import { buildTwin, Ids } from './twin-world.ts'

export interface Twins {
  calls: number
  refused: number
  faults: string[]
}

export interface TwinsAsked {
  kind: 'selected' | 'daily'
  seed: number
  calls: number
}

/** A space, and the connection that reaches its visible part. */
interface Twin {
  space: OpenSpace
  asking: Asking
  clock: { now: number }
  visible: Things[]
  hidden: string[]
  /** In the order in which they came. */
  cursors: string[]
}

const SECRET = '5'.repeat(64)

export async function twins({ kind, seed, calls }: TwinsAsked): Promise<Twins> {
  const [one, other] = [await makeTwin(kind, seed, 1), await makeTwin(kind, seed, 2)]
  try {
    return await compare(one, other, { kind, seed, calls })
  } finally {
    for (const { asking, space } of [one, other]) {
      await asking.close()
      await space.close()
    }
  }
}

async function makeTwin(kind: TwinsAsked['kind'], seed: number, which: 1 | 2): Promise<Twin> {
  const clock = { now: NOW }
  const ids = new Ids(which)
  const newId = () => ids.next()
  const space = await openSpace(':memory:', {
    name: 'Twin',
    timezone: 'Europe/Budapest',
    clock: () => clock.now,
    newId,
  })
  // Addresses are made with it, and each space has its own.
  space.info.secret = SECRET
  const { visible, hidden, exposed } = await buildTwin({ space, clock, ids, kind, seed, which })
  ids.use('seen')
  clock.now = NOW + DAY / 6
  const budget = new Budget(openUsage(':memory:'), { requests: MANY, blocks: MANY }, () => clock.now)
  const link = await space.link(kind, kind === 'selected' ? exposed : [], 'tester')
  return { space, clock, visible, hidden, cursors: [], asking: await ask(space, { ...link, id: 'narrow' }, { budget }) }
}

const DAY = 24 * 3600 * 1000
const MANY = 1_000_000

async function compare(one: Twin, other: Twin, { kind, seed, calls }: TwinsAsked): Promise<Twins> {
  const luck = new Chance(chance(seed * 7919 + 13))
  const missing = '00000000-0000-7000-8000-999999999999'
  const found: Twins = { calls: 0, refused: 0, faults: [] }
  const pools: Pools = {
    kind,
    table: one.asking.table,
    things: one.visible,
    ids: [missing, ...one.hidden, ...other.hidden],
    cursors: [],
  }
  for (let index = 0; index < calls && found.faults.length === 0; index++) {
    const [tool, args] = luck.is(0.1)
      ? resourceCall(luck, pools)
      : nextCall(luck, pools, { valid: 0.35, odd: 0.1 }, ODD)
    const isRest = luck.is(0.4)
    for (const { clock } of [one, other]) clock.now += 1_000
    const [told, toldOther] = [await send(one, tool, args, isRest), await send(other, tool, args, isRest)]
    found.calls += 1
    if (/"isError":true|^[^2]\d\d |"error":\{/.test(told)) found.refused += 1
    if (told === toldOther) harvest(pools, told)
    else found.faults.push(differing({ kind, seed, index, tool, args, isRest }, told, toldOther))
  }
  return found
}

const RESOURCES = ['documents', 'files', 'whiteboards'] as const

/** A request for resources, in the place of a tool its method: a page of their list, or one by its address. */
function resourceCall(luck: Chance, { things, ids, cursors }: Pools): [method: string, params: Args] {
  if (luck.is(0.2)) return ['resources/list', cursors.length > 0 && luck.is(0.5) ? { cursor: luck.one(cursors) } : {}]
  const id = luck.is(0.5) ? luck.one(Object.values(luck.one(things))) : luck.one(ids)
  return ['resources/read', { uri: `scriptorium://${luck.one(RESOURCES)}/${id}` }]
}

const ODD: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => 0,
  () => -1,
  () => [],
  () => ({}),
  () => 'x'.repeat(2_000),
]

async function send(twin: Twin, tool: string, given: Record<string, unknown>, isRest: boolean): Promise<string> {
  const { asking } = twin
  const { cursor } = given
  const args = typeof cursor === 'string' ? { ...given, cursor: twin.cursors[cursorIn(cursor)] ?? cursor } : given
  if (tool.startsWith('resources/')) return withoutCursors(twin, JSON.stringify(await asking.mcp(tool, args)))
  const asked = isRest ? requestFor(asking.table.get(tool), args) : undefined
  if (asked === undefined) {
    return withoutCursors(twin, JSON.stringify(await asking.mcp('tools/call', { name: tool, arguments: args })))
  }
  const { status, headers, text } = await asking.rest(asked)
  return withoutCursors(twin, `${status} ${JSON.stringify(headers)} ${text}`)
}

/**
 * A cursor is sealed, and each twin gives its own: of them the transcript has that one came and how long it was, and
 * calls with one send each twin what it gave there.
 */
function withoutCursors({ cursors }: Twin, told: string): string {
  return told.replace(CURSOR, (_, before: string, cursor: string) => {
    if (!cursors.includes(cursor)) cursors.push(cursor)
    return `${before}${nameOf(cursors.indexOf(cursor))}-of-${cursor.length}`
  })
}

const CURSOR = /(\\*"(?:c|nextC)ursor\\*": ?\\*"|cursor \\*")([\w-]{20,})/g
const nameOf = (index: number): string => `cursor-${index}`
const cursorIn = (text: string): number => Number(/^cursor-(\d+)$/.exec(text)?.[1] ?? -1)

/** IDs and cursors of the answers are what later calls are made with. */
function harvest(pools: Pools, told: string): void {
  for (const [cursor] of told.matchAll(/cursor-\d+/g)) pools.cursors.unshift(cursor)
  for (const [id] of told.matchAll(/\b10000000-0000-7000-8000-\d{12}\b/g))
    if (!pools.ids.includes(id)) pools.ids.push(id)
  pools.cursors.splice(20)
  if (pools.ids.length > 400) pools.ids.splice(200, 100)
}

interface Step extends Omit<TwinsAsked, 'calls'> {
  index: number
  tool: string
  args: object
  isRest: boolean
}

function differing({ kind, seed, index, tool, args, isRest }: Step, one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at += 1
  const near = (text: string) => text.slice(Math.max(0, at - 120), at + 120)
  const where = `${kind}, seed ${seed}, call ${index}: ${tool} ${JSON.stringify(args)} over ${isRest ? 'REST' : 'MCP'}`
  return `${where} tells twins apart: …${near(one)}… and …${near(other)}…`
}
