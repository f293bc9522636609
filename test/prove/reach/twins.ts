/**
 * Two spaces have the same visible part and different hidden parts. A connection that reaches only the visible part
 * must not be able to tell them apart by any request.
 */
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { chance } from '../proof.ts'
import { Chance } from '../test-client/generated-calls.ts'
import { NOW, type Things } from '../test-client/things.ts'
import { differing } from './compare.ts'
import { methodName, type OpenedConnection, openConnection, type VersionedMethod } from './connection-methods.ts'
import { addressesIn, answerTo, type Chosen, nextRequest, type Sent } from './requests.ts'
import { Sealed } from './sealed.ts'
import { sweep } from './sweep.ts'
import { buildTwin, openWorld, remindAnother, startVisibleWork } from './twin-world.ts'
import { undoArguments } from './undoable.ts'

export interface Twins {
  calls: number
  refused: number
  faults: string[]
}

export interface TwinsOptions extends VersionedMethod {
  kind: 'selected' | 'daily'
  seed: number
  calls: number
  /** The access of the connection, `full` if absent. */
  access?: AccessLink['access']
  /** True to try every place of every call before the random ones. */
  isSwept?: boolean
  /** Plants a fault in the space that calls run on. */
  plant?(space: OpenSpace): OpenSpace
}

/** A space, and the connection that reaches its visible part. */
interface Twin {
  opened: OpenedConnection
  clock: { now: number }
  visible: Things[]
  hidden: string[]
  sealed: Sealed
  /** Somebody who reaches both parts makes calls, and returns their IDs. */
  work(): Promise<string[]>
  close(): Promise<void>
}

export async function twins(options: TwinsOptions): Promise<Twins> {
  const [one, other] = [await makeTwin(options, 1), await makeTwin(options, 2)]
  try {
    return await compare(one, other, options)
  } finally {
    for (const { close } of [one, other]) await close()
  }
}

async function makeTwin({ kind, access = 'full', seed, plant, door, era }: TwinsOptions, which: 1 | 2): Promise<Twin> {
  const world = await openWorld({ kind, seed, which, hasLinks: door !== 'stdio' })
  const { space, clock, ids } = world
  const built = await buildTwin(world)
  const { visible, hidden, exposed } = built
  if (door === 'signed in') await remindAnother(world, visible)
  ids.use('seen')
  clock.now = NOW + DAY / 6
  const budget = new RateLimiter(openUsage(':memory:'), { requests: MANY, blocks: MANY }, () => clock.now)
  const opened = await openConnection({
    ...{
      door,
      era,
      space,
      kind,
      access,
      documents: kind === 'selected' ? exposed : [],
      budget,
      clock: () => clock.now,
    },
    ...(plant && { as: plant(space) }),
  })
  const beside = await startVisibleWork(world, built)
  const close = async () => {
    await beside.close()
    await opened.close()
    await space.close()
  }
  return { opened, clock, visible, hidden, sealed: new Sealed(), work: () => beside.work(), close }
}

/** After how many requests somebody else works beside the connection, whose calls it then undoes. */
const REQUESTS_PER_WORK = 25
const CALLS_TO_UNDO = 12

const DAY = 24 * 3600 * 1000
const MANY = 1_000_000

async function compare(one: Twin, other: Twin, options: TwinsOptions): Promise<Twins> {
  const { kind, seed, calls } = options
  const luck = new Chance(chance(seed * 7919 + 13))
  const missing = '999999999999'
  const found: Twins = { calls: 0, refused: 0, faults: [] }
  const { client } = one.opened
  const pools: Chosen = {
    ...{ kind, table: client.table, things: one.visible, cursors: [], addresses: [], keyed: [], calls: [] },
    ids: [missing, ...one.hidden, ...other.hidden],
  }
  const [block] = one.hidden
  const swept = options.isSwept && block !== undefined ? sweep(pools, [block]) : []
  const own = requests(swept, calls, () => nextRequest(luck, pools, client.at !== undefined))
  let index = 0
  for await (const sent of interleave(own, [one, other], pools)) {
    for (const { clock } of [one, other]) clock.now += 1_000
    index += 1
    const [response, otherText] = [await send(one, sent), await send(other, sent)]
    found.calls += 1
    if (/"isError":true|^[^2]\d\d |"error":\{/.test(response)) found.refused += 1
    if (response === otherText) harvest(pools, response)
    else {
      const [near, nearOther] = differing(response, otherText)
      const where = `${kind}${options.access ? ` to ${options.access}` : ''}, ${methodName(options)}, seed ${seed}, request ${index}: ${JSON.stringify(sent)}`
      found.faults.push(`${where} tells twins apart: ${near} and ${nearOther}`)
      // From here on, the spaces can diverge.
      return found
    }
  }
  return found
}

/** Yields the given requests and then a number of random ones. */
function* requests(given: Iterable<Sent>, calls: number, next: () => Sent): Generator<Sent> {
  yield* given
  for (let count = 0; count < calls; count++) yield next()
}

/**
 * Yields these requests. Now and then somebody else makes calls, and requests follow that undo them: as a dry run, and
 * every second time also for real, with and without `skipConflicts`.
 */
async function* interleave(own: Iterable<Sent>, twins: readonly [Twin, Twin], pools: Chosen): AsyncGenerator<Sent> {
  const ask = (name: string, args: object): Sent => ({
    to: 'mcp',
    method: 'tools/call',
    params: { name, arguments: args },
  })
  let index = 0
  for (const sent of own) {
    if (index % REQUESTS_PER_WORK === 0) {
      const [made, same] = [await twins[0].work(), await twins[1].work()]
      if (String(made) !== String(same))
        throw new Error(`Expected the same calls in both twins, found ${made} and ${same}.`)
      pools.calls = [...made, ...pools.calls].slice(0, CALLS_TO_UNDO)
      const isDone = index % (2 * REQUESTS_PER_WORK) !== 0
      for (const args of made.flatMap(undoArguments)) if (isDone || args.dryRun) yield ask('history_undo', args)
      yield ask('history_list', { limit: 4 * made.length })
    }
    index += 1
    yield sent
  }
}

/** Sends a request. The sealed values in it are replaced by those of the twin. */
const send = async ({ opened, sealed }: Twin, sent: Sent): Promise<string> =>
  sealed.named(await answerTo(opened.client, JSON.parse(sealed.own(JSON.stringify(sent))) as Sent))

/** Collects IDs, cursors and addresses from responses for later calls. */
function harvest(pools: Chosen, text: string): void {
  for (const [cursor] of text.matchAll(/cursor-\d{4}/g)) pools.cursors.unshift(cursor)
  for (const [id] of text.matchAll(/\b1\d{11}\b/g)) if (!pools.ids.includes(id)) pools.ids.push(id)
  for (const path of addressesIn(text)) if (!pools.addresses.includes(path)) pools.addresses.unshift(path)
  pools.cursors.splice(20)
  pools.addresses.splice(20)
  if (pools.ids.length > 400) pools.ids.splice(200, 100)
}
