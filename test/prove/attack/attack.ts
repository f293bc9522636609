/** What an attack is: something that was found to work once, tried on the installed package. */
import type { World } from './world.ts'

export interface Attack {
  /** Attacks of one number try the same weakness in several ways. */
  finding: number
  /** What the attacker tries, in a few words. */
  name: string
  /** Tries it. @returns a sentence for each way in which it worked; none where it was held off */
  attempt(world: World): Promise<string[]>
}

/** What came of an attack. */
export interface Outcome {
  attack: Attack
  faults: string[]
  /** Whether it came to an end: one that did not has shown nothing, and its fault is why. */
  isTried: boolean
}

/** Attacks at once: most of their time the servers work, and the machine has two cores at least. */
const AT_ONCE = 2

/** Seconds after which an attack is given up: what it waits for will not come. */
const PATIENCE = 150

/** Tries all of them, some at once. */
export async function tryAll(
  world: World,
  attacks: readonly Attack[],
  say: (line: string) => void,
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
      say(`${attack.finding}, ${attack.name}: ${what} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return outcomes
}

/** @throws Error where the work takes longer than {@link PATIENCE} */
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
