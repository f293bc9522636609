/** Milliseconds for which one call may block all others at most. */
export const LONGEST_PAUSE = 50

/** The same for the largest allowed calls: bodies of more than 1 MiB, up to 10 MiB and 20,000 blocks. */
export const LONGEST_PAUSE_OF_LARGE_CALLS = 100

/**
 * The shortest of these runs counts: pauses of the code recur, those of the machine and the garbage collector do not.
 */
const RUNS = 8

/**
 * Returns the longest uninterrupted work of this thread during `work`, in milliseconds of its CPU time, so that other
 * load of the machine does not count. If it exceeds the bound, the work is repeated, and the shortest result counts.
 *
 * @param prepare  runs before each repetition without being counted; its result is passed to the work
 * @param bound  milliseconds below which no repetition is needed
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
