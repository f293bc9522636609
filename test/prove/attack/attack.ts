/** An attack: an exploit that worked once, tried again on the installed package. */
import type { World } from './world.ts'

export interface Attack {
  /** The number of the weakness. Several attacks with the same number try it in different ways. */
  finding: number
  /** A short description of what the attacker tries. */
  name: string
  /** Runs the attack. @returns a sentence for each way in which it succeeded; none if the server resisted */
  attempt(world: World): Promise<string[]>
}

/** The result of an attack. */
export interface Outcome {
  attack: Attack
  faults: string[]
  /** True if the attack ran to its end. One that did not proves nothing, and its fault says why. */
  isTried: boolean
}

/** Attacks that run concurrently: most of the time is spent in the servers, and the machine has at least two cores. */
const AT_ONCE = 2

/** Seconds after which an attack is given up, since what it waits for will not happen. */
const PATIENCE = 150

/** Runs all attacks, some of them concurrently. */
export async function tryAll(
  world: World,
  attacks: readonly Attack[],
  log: (line: string) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const left = [...attacks.entries()]
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, attack] = next
      const from = performance.now()
      const outcome = await inTime(attack.attempt(world)).then(
        (faults) => ({ attack, faults, isTried: true }),
        (error: Error) => ({ attack, faults: [`could not be tried: ${error.stack}`], isTried: false }),
      )
      outcomes[index] = outcome
      const what = outcome.isTried ? (outcome.faults.length === 0 ? 'held off' : 'worked') : 'not tried'
      log(`${attack.finding}, ${attack.name}: ${what} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return outcomes
}

/** @throws Error if the work takes longer than {@link PATIENCE} */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const why = new Error(`Expected an end within ${PATIENCE} seconds, found none.`)
  const timer = setTimeout(() => late.reject(why), PATIENCE * 1000)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
