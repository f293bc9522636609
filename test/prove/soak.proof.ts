/** Runs a server under a mixed load: its memory, logs and descriptors must not grow, and nothing may fail. */
import { type Proof, type ProofContext, times } from './proof.ts'
import { type Load, type Soaked, soak } from './soak/load.ts'
import type { Held } from './soak/server.ts'

const HOURS = 3_600
const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** Limits on the growth of memory and descriptors, and on the size of a write-ahead log. */
const DRIFT = 0.1
const FLAT = 0.02
const LOG_MIB = 16
/** The maximum of resident memory after a rest, in terms of resident memory at an early time under load. */
const AFTER_REST = 1.3

/** Steps per second, over all sessions. */
const PACE = 60

const SHORT: Load = { seconds: 600, earlySeconds: 120, restSeconds: 60, stdio: 4, pace: PACE }

const loadOf = (context: ProofContext): Load =>
  times(context, SHORT, {
    ...SHORT,
    seconds: Number(process.env.SOAK_HOURS ?? 8) * HOURS,
    stdio: 16,
    pace: Number(process.env.SOAK_PACE ?? PACE),
    fileBytes: GIB + 10 * MIB,
  })

/** Checks the samples: after warming up, it compares the last third with the first. */
export function evaluateSamples(samples: readonly Held[]): {
  figures: Record<string, number | string>
  faults: string[]
} {
  const warm = samples.slice(Math.floor(samples.length / 4))
  const third = Math.floor(warm.length / 3)
  const change = (of: (held: Held) => number) => {
    const [before, after] = [median(warm.slice(0, third).map(of)), median(warm.slice(-third).map(of))]
    return { before, after, grown: after / before - 1 }
  }
  const used = change((held) => held.used)
  const resident = change((held) => held.resident)
  const files = change((held) => held.files)
  const others = change((held) => held.others)
  const log = Math.max(...samples.map((held) => held.log))
  const faults: string[] = []
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`
  if (used.grown > DRIFT) {
    faults.push(
      `Expected memory to grow by less than ${percent(DRIFT)}, found ${percent(used.grown)}: ` +
        `from ${(used.before / MIB).toFixed(1)} to ${(used.after / MIB).toFixed(1)} MiB.`,
    )
  }
  if (resident.grown > DRIFT) {
    faults.push(`Expected resident memory to grow by less than ${percent(DRIFT)}, found ${percent(resident.grown)}.`)
  }
  if (files.grown > FLAT) {
    faults.push(`Expected as many open files as before, found ${files.after} after ${files.before}.`)
  }
  if (others.grown > DRIFT)
    faults.push(
      `Expected about as many sockets without a client as before, found ${others.after} after ${others.before}.`,
    )
  if (log >= LOG_MIB) faults.push(`Expected logs under ${LOG_MIB} MiB, found one of ${log.toFixed(1)}.`)
  return {
    figures: {
      'memory used': percent(used.grown),
      'memory resident': percent(resident.grown),
      'open files before': files.before,
      'and after': files.after,
      'other descriptors before': others.before,
      'and then': others.after,
      'MiB of the largest WAL': log.toFixed(1),
    },
    faults,
  }
}

/** Checks that memory is given back: that it is not much more after a rest than early under load. */
export function evaluateRest({ early, rested }: Pick<Soaked, 'early' | 'rested'>) {
  const ratio = rested / early
  return {
    figures: {
      'MiB resident early': (early / MIB).toFixed(0),
      'and after a rest': (rested / MIB).toFixed(0),
      'times as much': ratio.toFixed(2),
    },
    faults:
      ratio <= AFTER_REST
        ? []
        : [
            `Expected resident memory after a rest to be at most ${AFTER_REST} times that early under load, ` +
              `found ${ratio.toFixed(2)} times: ${(early / MIB).toFixed(0)} MiB, then ${(rested / MIB).toFixed(0)} MiB.`,
          ],
  }
}

/** The result of a load, as figures and faults. */
export function figuresOf(soaked: Soaked) {
  const { samples, calls, errors, spaces, sessions, fileBytes } = soaked
  const { figures, faults } = evaluateSamples(samples)
  const rest = evaluateRest(soaked)
  return {
    figures: {
      spaces,
      sessions,
      calls,
      errors: errors.length,
      ...(fileBytes > 0 && { 'bytes of one file': fileBytes }),
      ...figures,
      ...rest.figures,
    },
    faults: [...errors, ...faults, ...rest.faults],
  }
}

/** Long enough for the leak to be more than what a rest gives back. */
const WITH_LEAK: Load = { ...SHORT, seconds: 90, earlySeconds: 15 }

/** Always short, since a leak in each call would use up the resources of the system. */
async function control(context: ProofContext) {
  const soaked = await soak(context, { ...WITH_LEAK, modules: ['./leak.ts'] })
  const { figures, faults } = evaluateSamples(soaked.samples)
  const rest = evaluateRest(soaked)
  const found = [...faults, ...rest.faults]
  const isFound = (word: string) => found.some((fault) => fault.includes(word))
  const areFound = ['to grow', 'files', 'sockets', 'after a rest'].every(isFound)
  if (!areFound) context.log(`Expected memory, files, sockets and memory after a rest to be found, found ${found}`)
  return {
    figures: { calls: soaked.calls, samples: soaked.samples.length, ...figures, ...rest.figures },
    faults: areFound ? found : [],
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export const proof: Proof = {
  promise: 'A server under a mixed load keeps its memory, its logs and its descriptors, and nothing fails.',
  runsInParallel: true,
  runsLast: true,
  run: async (context) => figuresOf(await soak(context, loadOf(context))),
  control,
}
