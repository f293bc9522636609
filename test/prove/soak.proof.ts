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

/** Steps per second, over all sessions. */
const PACE = 60

const SHORT: Load = { seconds: 120, stdio: 4, pace: PACE }

const loadOf = (context: ProofContext): Load =>
  times(context, SHORT, {
    seconds: Number(process.env.SOAK_HOURS ?? 8) * HOURS,
    stdio: 16,
    pace: Number(process.env.SOAK_PACE ?? PACE),
    fileBytes: GIB + 10 * MIB,
  })

/** Checks the samples: after warming up, it compares the last third with the first. */
export function judged(samples: readonly Held[]): { figures: Record<string, number | string>; faults: string[] } {
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

/** The result of a load, as figures and faults. */
export function figuresOf({ samples, calls, errors, spaces, sessions, fileBytes }: Soaked) {
  const { figures, faults } = judged(samples)
  return {
    figures: {
      spaces,
      sessions,
      calls,
      errors: errors.length,
      ...(fileBytes > 0 && { 'bytes of one file': fileBytes }),
      ...figures,
    },
    faults: [...errors, ...faults],
  }
}

/** Minimum number of samples to detect a leak. */
const ENOUGH = 16

/** Always short, since a leak in each call would use up the resources of the system. */
async function control(context: ProofContext) {
  const modules = ['./leak.ts']
  const isEnough = (samples: readonly Held[]) => samples.length >= ENOUGH && judged(samples).faults.length >= 3
  const { samples, calls } = await soak(context, { ...SHORT, modules, isEnough })
  const { figures, faults } = judged(samples)
  const isFound = (word: string) => faults.some((fault) => fault.includes(word))
  return {
    figures: { calls, samples: samples.length, ...figures },
    faults: isFound('memory') && isFound('files') && isFound('sockets') ? faults : [],
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
