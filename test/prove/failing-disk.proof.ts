import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, compile } from './crash/bundle.ts'
import { type FaultError, Faults, KINDS, type Kind } from './crash/faults.ts'
import { makeSmallDisk } from './crash/full-disk.ts'
import { Lane } from './crash/lane.ts'
import { ObservedWriting } from './crash/observed-writing.ts'
import { ACKNOWLEDGED_ANYWAY } from './crash/planted.ts'
import { startWriter } from './crash/writing.ts'
import type { Mutation } from './mutated-sources.ts'
import { chance, type Proof, type ProofContext, type ProofResult, times } from './proof.ts'

/** Maximum number of writes per caller to wait until a fault has hit one of their system calls. */
const PATIENCE = 40
/** The kind of system call that only happens while a space is opened: that may truncate a file. */
const OPENING: Kind = 'ftruncate'
const WRITING = (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== OPENING)
/** Approximate number of system calls of a kind while a space is opened. */
const OPENING_SPAN = 4
/** Trials of each kind on one space. Each check reads everything that was written there, so checks become slower. */
const ON_ONE_SPACE = 20

export const proof: Proof = {
  promise:
    'Where the disk fails or is full nothing is acknowledged that is not there, reading goes on, and so does writing afterwards.',
  run: async (context) =>
    together(await failCalls(context, times(context, 8, 400)), await fillUp(context, times(context, 3, 60))),
  control: (context) => failCalls(context, 2, ACKNOWLEDGED_ANYWAY),
}

const together = (one: ProofResult, other: ProofResult): ProofResult => ({
  figures: { ...one.figures, ...other.figures },
  faults: [...one.faults, ...other.faults],
})

const lanesOf = (random: () => number): Lane[] => [0, 1, 2].map((n) => new Lane(`lane${n}`, random() * 2 ** 32))

/** Makes every kind of system call fail with every error, once and permanently, `trials` times each. */
async function failCalls(context: ProofContext, trials: number, planted?: Mutation): Promise<ProofResult> {
  const folder = mkdtempSync(join(context.folder, 'failing-'))
  const root = join(folder, 'disk')
  mkdirSync(root)
  const [program, library] = await Promise.all([bundle('writer', folder, planted), compile('disk', folder)])
  const faults = new Faults(join(folder, 'faults'))
  const random = chance(context.seed)
  const env = { LD_PRELOAD: library, DISK_ROOT: root, DISK_FAULTS: faults.path }
  const all: ObservedWriting[] = []
  let space = ''
  const onAnother = async () => {
    space = join(root, `space-${all.length}.sqlite`)
    const begun = new ObservedWriting(await startWriter(program, space, env), space, lanesOf(random))
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
  /**
   * Picks the system call to fail: evenly spread over those that a few writes make, from a random start. With as many
   * trials as calls, each call fails once.
   */
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

  /**
   * Kills the process. The next one opens its files while the disk fails. If it cannot, it must be able to open them
   * afterwards.
   */
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
    context.log(`${counts.trials} trials`)
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
  const sum = (count: keyof ObservedWriting['counts']) => all.reduce((total, { counts }) => total + counts[count], 0)
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

/** Maximum number of bytes to leave free when filling a disk. */
const FREE = 400_000

async function fillUp(context: ProofContext, rounds: number): Promise<ProofResult> {
  const disk = await makeSmallDisk(join(context.folder, 'small'))
  try {
    const program = await bundle('writer', context.folder)
    const random = chance(context.seed)
    const space = join(disk.folder, 'space.sqlite')
    const strained = new ObservedWriting(await startWriter(program, space), space, lanesOf(random))
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
