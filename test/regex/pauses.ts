/** Milliseconds for which one call may hold all others up at most. */
export const LONGEST_PAUSE = 50

/** The same for the largest calls that are allowed: bodies of more than 1 MiB, up to 10 MiB and 20,000 blocks. */
export const LONGEST_PAUSE_OF_LARGE_CALLS = 100

/** Runs of which the best counts: pauses of the code itself recur, those of the machine and the collector do not. */
const RUNS = 8

/**
 * The longest time that this thread worked in one go while something was under way, in milliseconds of its own
 * processor time: what else the machine does is none of it. Where it is longer than it may be, the work is done again,
 * and the shortest counts.
 *
 * @param prepare  what comes before each time and is not counted; the work gets what it gives
 * @param bound  milliseconds under which no further run is needed
 */
export async function longestPause<Given = void>(
  work: (given: Given) => Promise<unknown>,
  prepare: () => Promise<Given> = async () => undefined as Given,
  bound = LONGEST_PAUSE,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS && least >= bound; run++) {
    const given = await prepare()
    least = Math.min(least, await pauseOf(() => work(given)))
  }
  return least
}

async function pauseOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = spent()
  const note = () => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(note, 1)
  try {
    await work()
  } finally {
    note()
    clearInterval(timer)
  }
  return longest
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
