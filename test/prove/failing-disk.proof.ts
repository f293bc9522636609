import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, compile } from './crash/bundle.ts'
import { type FaultError, Faults, KINDS, type Kind } from './crash/faults.ts'
import { makeSmallDisk } from './crash/full-disk.ts'
import { Lane } from './crash/lane.ts'
import { ACKNOWLEDGED_ANYWAY } from './crash/planted.ts'
import { Strained } from './crash/strained.ts'
import { startWriter } from './crash/writing.ts'
import type { Mutation } from './mutated-sources.ts'
import { chance, type Proof, type Shown, type Strain, times } from './proof.ts'

/** Writes of every caller until a fault has met one of their calls, at most. */
const PATIENCE = 40
/** What a process that is open never does: a file is cut short when the space is opened. */
const OPENING: Kind = 'ftruncate'
const WRITING = (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== OPENING)
/** Calls of a kind that an opening makes, roughly. */
const OPENING_SPAN = 4
/** Trials of each kind on one space: each check looks at all that was written there, and so takes longer and longer. */
const ON_ONE_SPACE = 20

export const proof: Proof = {
  promise:
    'Where the disk fails or is full nothing is acknowledged that is not there, reading goes on, and so does writing afterwards.',
  run: async (strain) =>
    together(await failCalls(strain, times(strain, 8, 400)), await fillUp(strain, times(strain, 3, 60))),
  control: (strain) => failCalls(strain, 2, ACKNOWLEDGED_ANYWAY),
}

const together = (one: Shown, other: Shown): Shown => ({
  figures: { ...one.figures, ...other.figures },
  faults: [...one.faults, ...other.faults],
})

const lanesOf = (random: () => number): Lane[] => [0, 1, 2].map((n) => new Lane(`lane${n}`, random() * 2 ** 32))

/** Every kind of call fails with every error, once and for good, `trials` times each. */
async function failCalls(strain: Strain, trials: number, planted?: Mutation): Promise<Shown> {
  const folder = mkdtempSync(join(strain.folder, 'failing-'))
  const root = join(folder, 'disk')
  mkdirSync(root)
  const [program, library] = await Promise.all([bundle('writer', folder, planted), compile('disk', folder)])
  const faults = new Faults(join(folder, 'faults'))
  const random = chance(strain.seed)
  const env = { LD_PRELOAD: library, DISK_ROOT: root, DISK_FAULTS: faults.path }
  const all: Strained[] = []
  let space = ''
  const onAnother = async () => {
    space = join(root, `space-${all.length}.sqlite`)
    const begun = new Strained(await startWriter(program, space, env), space, lanesOf(random))
    all.push(begun)
    await begun.write('before any fault')
    return begun
  }
  const leave = async () => {
    await strained.writing.end()
    strained.check('after the end')
  }
  let strained = await onAnother()
  const counts = { trials: 0, met: 0, failed: 0, openings: 0, refusedOpenings: 0 }

  const begin = random()
  /** Evenly over the calls that a few writes make, from one by chance on; with as many trials, every one in its turn. */
  const nth = (span: number, trial: number) =>
    1 + ((Math.floor(begin * span) + trial * Math.max(1, Math.floor(span / trials))) % span)
  const tryOne = async (kind: Kind, error: FaultError, isForGood: boolean, trial: number) => {
    const from = nth(KINDS[kind].span, trial)
    const where = `${kind} ${from}, ${error} ${isForGood ? 'for good' : 'once'}, trial ${counts.trials}`
    faults.set(kind, error, from, isForGood)
    for (let calls = 0; calls < PATIENCE && faults.failed === 0; calls++) {
      await strained.write(where)
      if (kind === 'unlink') await strained.refuse(where)
    }
    if (isForGood) await strained.write(where)
    await strained.read(where)
    counts.trials++
    counts.met += faults.failed > 0 ? 1 : 0
    counts.failed += faults.failed
    faults.clear()
    await strained.recover(where)
    strained.check(where)
  }

  /** The process is killed, and the next opens what it left while the disk fails: if it cannot, it can afterwards. */
  const reopen = async (kind: Kind, isForGood: boolean) => {
    const from = 1 + Math.floor(random() * Math.min(OPENING_SPAN, KINDS[kind].span))
    const where = `opening, ${kind} ${from} ${isForGood ? 'for good' : 'once'}, after trial ${counts.trials}`
    await strained.writing.kill()
    faults.set(kind, 'EIO', from, isForGood)
    counts.openings++
    const opened = await startWriter(program, space, env).catch(() => undefined)
    faults.clear()
    if (opened === undefined) counts.refusedOpenings++
    strained.writing = opened ?? (await startWriter(program, space, env))
    await strained.recover(where)
    strained.check(where)
    strain.say(`${counts.trials} trials`)
  }

  for (let trial = 0; trial < trials; trial++) {
    if (trial > 0 && trial % ON_ONE_SPACE === 0) {
      await leave()
      strained = await onAnother()
    }
    for (const kind of WRITING) {
      for (const error of ['EIO', 'ENOSPC'] as const) {
        for (const isForGood of [false, true]) await tryOne(kind, error, isForGood, trial)
      }
    }
    const kinds = [OPENING, ...WRITING]
    await reopen(kinds[trial % kinds.length] ?? OPENING, trial % 2 === 0)
  }
  await leave()
  faults.close()
  const sum = (count: keyof Strained['counts']) => all.reduce((total, { counts }) => total + counts[count], 0)
  return {
    figures: {
      trials: counts.trials,
      'of them met a call': counts.met,
      'calls of the system failed': counts.failed,
      'openings meanwhile': counts.openings,
      'of them refused': counts.refusedOpenings,
      acknowledged: sum('acknowledged'),
      refused: sum('refused'),
      read: sum('read'),
      recovered: sum('recovered'),
      lost: sum('lost'),
      unsound: sum('unsound'),
    },
    faults: all.flatMap((one) => one.faults),
  }
}

/** Bytes that are left at most when a disk is filled up. */
const FREE = 400_000

async function fillUp(strain: Strain, rounds: number): Promise<Shown> {
  const disk = await makeSmallDisk(join(strain.folder, 'small'))
  try {
    const program = await bundle('writer', strain.folder)
    const random = chance(strain.seed)
    const space = join(disk.folder, 'space.sqlite')
    const strained = new Strained(await startWriter(program, space), space, lanesOf(random))
    const { pid } = strained.writing
    await strained.write('before')
    for (let round = 0; round < rounds; round++) {
      const where = `full disk ${round}`
      await disk.fill(Math.floor(random() * FREE), pid)
      for (let isFull = false; !isFull; ) isFull = !(await strained.write(where))
      await strained.write(where)
      await strained.read(where)
      await disk.empty(pid)
      await strained.recover(where)
      strained.check(where)
    }
    await strained.writing.end()
    strained.check('after the end')
    const { refused, lost, unsound } = strained.counts
    return {
      figures: { [`times full (${disk.what})`]: rounds, 'refused then': refused, 'lost then': lost + unsound },
      faults: strained.faults,
    }
  } finally {
    await disk.close()
  }
}
