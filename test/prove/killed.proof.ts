import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSpace } from '../../src/space/open-space.ts'
import { bundle, compile } from './crash/bundle.ts'
import { type Examined, examine, recordPending } from './crash/examine.ts'
import { type RunningCallers, startCalling, Tally } from './crash/fleet.ts'
import { Lane } from './crash/lane.ts'
import { EFFECTS, emptyModel } from './crash/model.ts'
import { ACKNOWLEDGED_BEFORE_COMMIT, CURSOR_TOO_FAR, HALF_BATCHES } from './crash/planted.ts'
import { startForks, startRest, startStdio, type Writing } from './crash/writing.ts'
import { FeedReader, unreadKeys, wrongReading } from './feed-reading.ts'
import type { Mutation } from './mutated-sources.ts'
import { chance, type Proof, type ProofContext, type ProofResult, times } from './proof.ts'
import { neverCalled } from './tool-table.ts'

/** Rounds until a new space is started, since checking a large one takes longer. */
const ROUNDS = 8
/**
 * Maximum number of acknowledgements, over all processes, before the first process is killed, and again before the
 * others are.
 */
const ACKNOWLEDGED = 16
/** Maximum milliseconds by which a kill is delayed, so that it can hit any part of a call. */
const PUT_OFF = 6
/** The same for kills after a process has begun to open the space. */
const OPENING = 60
/** Milliseconds until the feed is read again if it had nothing new. */
const READ_AGAIN = 3

export const proof: Proof = {
  promise:
    'What was acknowledged outlives kill -9 of any process, nothing is left half done, and who reads the feed misses nothing.',
  run: (context) => killAll(context, times(context, 300, 10_000)),
  async control(context) {
    const early = await killAll(context, 24, ACKNOWLEDGED_BEFORE_COMMIT)
    const skipping = await killAll(context, 24, CURSOR_TOO_FAR)
    const halves = await killAll(context, 24, HALF_BATCHES)
    const [misread, halved] = [skipping.figures.misread ?? 0, Number(halves.figures.lost ?? 0)]
    const isFound = early.faults.length > 0 && skipping.faults.length > 0 && halved > 0
    return {
      figures: { ...early.figures, misread, 'lost or halved of batches': halved },
      faults: isFound ? early.faults : [],
    }
  },
}

/** Starts a process of a round: usually one of the harness's own, which start immediately. */
type Start = (space: string) => Promise<Writing>

async function killAll(context: ProofContext, kills: number, planted?: Mutation): Promise<ProofResult> {
  const [program, library] = await Promise.all([
    bundle('forks', context.folder, planted),
    compile('fork', context.folder),
  ])
  const forks = await startForks(program, library, context.folder)
  try {
    return await killIn(context, kills, forks, planted)
  } finally {
    // The process that forks others runs until it is stopped, even if one of them could not start.
    forks.close()
  }
}

type Forks = Awaited<ReturnType<typeof startForks>>

async function killIn(context: ProofContext, kills: number, forks: Forks, planted?: Mutation): Promise<ProofResult> {
  const random = chance(context.seed)
  const counts = { kills: 0, opening: 0, stdio: 0, rest: 0, acknowledged: 0, undecided: 0, done: 0, lost: 0, broken: 0 }
  const fed = { read: 0, cuts: 0, misread: 0 }
  const faults: string[] = []
  const called = new Set<string>()
  let space = join(context.folder, 'none')
  let lanes: Lane[][] = []
  let reader = new FeedReader(random)

  const startersOf = (round: number): Start[] => {
    if (planted !== undefined) return [forks.start, forks.start, forks.start]
    if (round % 40 === 3) return [forks.start, startRest, forks.start]
    if (round % 10 === 1) return [forks.start, startStdio, forks.start]
    return round % 4 === 2 ? [forks.start, forks.start] : [forks.start, forks.start, forks.start]
  }

  const note = ({ lost, broken }: Examined) => {
    counts.lost += lost.length
    counts.broken += broken.length
    const where = `seed ${context.seed}, after ${counts.kills} kills`
    faults.push(...lost.concat(broken).map((sentence) => `${sentence} (${where})`))
  }

  /** Records what is wrong with the feed as it was read. Complete only for a space that was read to the end. */
  const noteReading = (wrong: readonly string[]) => {
    fed.misread += wrong.length
    faults.push(...wrong.map((sentence) => `${sentence} (seed ${context.seed}, after ${counts.kills} kills)`))
  }
  const readToEnd = async () => {
    const writing = await forks.start(space)
    while ((await readThrough(reader, writing, (sentence) => noteReading([sentence]))) === 'more');
    await writing.kill()
    // A proposal is not a call until it is approved.
    const calls = lanes.flat().flatMap(({ done }) => done.filter(({ proposedBy }) => proposedBy === undefined))
    const keys = calls.map(({ key }) => key)
    const unread = unreadKeys(space, reader.read, keys).map((key) => `Expected ${key} in the feed, found it nowhere.`)
    noteReading([...wrongReading(space, reader.read, true), ...unread])
    fed.read += reader.read.length
    fed.cuts += reader.cuts
  }

  for (let round = 0; counts.kills < kills; round++) {
    if (round % ROUNDS === 0) {
      if (round > 0) await readToEnd()
      reader = new FeedReader(random)
      for (const ending of ['', '-wal', '-shm', '.files']) rmSync(`${space}${ending}`, { recursive: true, force: true })
      space = join(context.folder, `space-${round}.sqlite`)
      lanes = [0, 1, 2].map((crew) => [0, 1].map((n) => new Lane(`${round}c${crew}n${n}`, random() * 2 ** 32)))
    }
    const starters = startersOf(round)
    counts.stdio += starters.filter((start) => start === startStdio).length
    counts.rest += starters.filter((start) => start === startRest).length
    const tally = new Tally()
    const listener = { acknowledged: () => tally.add(), refused: (sentence: string) => void faults.push(sentence) }
    const crews = await Promise.all(
      starters.map(async (start, n) => startCalling(await start(space), lanes[n] ?? [], listener)),
    )
    const kill = async (killed: readonly RunningCallers[]) => {
      await delay(random() * PUT_OFF)
      await Promise.all(killed.map(({ writing }) => writing.kill()))
      await Promise.all(killed.map(({ running }) => running))
      counts.kills += killed.length
    }
    // Cursors are bound to an access link, and `serve` has a different one.
    const readable = crews.filter((_, n) => starters[n] === forks.start)
    const reading = readDuringWrites(
      reader,
      readable.map(({ writing }) => writing),
      random,
      (sentence) => noteReading([sentence]),
    )
    const over = Promise.all(crews.map(({ running }) => running))
    const victim = Math.floor(random() * crews.length)
    const [first, others] = [crews.filter((_, n) => n === victim), crews.filter((_, n) => n !== victim)]

    await tally.after(1 + random() * ACKNOWLEDGED, over)
    await kill(first)
    // The others continue during this check. For them, it covers what they have acknowledged so far.
    note(
      examine(space, (kept) => [
        ...first.flatMap(({ lanes }) => lanes).map((lane) => decide(kept, lane)),
        ...others.flatMap(({ lanes }) => lanes).map(({ done }) => ({ done, model: emptyModel() })),
      ]),
    )
    await tally.after(1 + random() * ACKNOWLEDGED, over)
    await kill(others)
    await reading
    if (existsSync(space)) noteReading(wrongReading(space, reader.read, false))
    // The process that opens what the others left is killed too: while it recovers the space and removes files without
    // a row.
    if (round % 3 === 0) {
      await forks.fall(space, random() * OPENING)
      counts.kills++
      counts.opening++
    }
    if (round % 2 === 0) await (await openSpace(space)).close()
    note(examine(space, (kept) => lanes.flat().map((lane) => decide(kept, lane))))
    for (const { done } of lanes.flat()) for (const { tool } of done) called.add(tool)
    counts.acknowledged += tally.count
    if (round % 20 === 19) context.log(`${counts.kills} kills, ${counts.acknowledged} acknowledged`)
  }

  await readToEnd()

  /** A call without a response was done completely or not at all. The space shows which. */
  function decide(kept: ReadonlyMap<string, string>, lane: Lane) {
    if (lane.call !== undefined) {
      counts.undecided++
      if (kept.has(lane.call.key)) counts.done++
    }
    return recordPending(kept, lane)
  }

  if (planted === undefined) faults.push(...neverCalled(EFFECTS, called))
  const { kills: killed, opening, stdio, rest, acknowledged, undecided, done, lost, broken } = counts
  return {
    figures: {
      'kills -9': killed,
      'of them while opening': opening,
      'of stdio': stdio,
      'of serve': rest,
      'calls acknowledged': acknowledged,
      'cut off': undecided,
      'of them done': done,
      lost,
      unsound: broken,
      'read of the feed': fed.read,
      'cuts of who read it': fed.cuts,
      misread: fed.misread,
    },
    faults,
  }
}

/** Continues to read the feed, through one of the processes at a time, until all of them were killed. */
async function readDuringWrites(
  reader: FeedReader,
  through: readonly Writing[],
  random: () => number,
  refused: (sentence: string) => void,
): Promise<void> {
  const left = [...through]
  while (left.length > 0) {
    const place = Math.floor(random() * left.length)
    const became = await readThrough(reader, left[place] as Writing, refused)
    if (became === 'cut') left.splice(place, 1)
    if (became === 'end') await delay(READ_AGAIN)
  }
}

let reads = 0
/** @param refused  receives the error if the feed cannot be read; reading then continues through another process */
function readThrough(reader: FeedReader, { call }: Writing, refused: (sentence: string) => void) {
  return reader.readOn(async (args) => {
    const response = await call({ key: `read-${++reads}`, tool: 'changes_list', args })
    if (response?.refused !== undefined) refused(`Expected the feed to be read, found ${response.refused.error}`)
    return response?.answer
  })
}
