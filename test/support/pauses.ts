/** Milliseconds for which one call may block all others at most. */
export const LONGEST_PAUSE = 50

/** The same for the largest allowed calls: bodies of more than 1 MiB, up to 10 MiB and 20,000 blocks. */
export const LONGEST_PAUSE_OF_LARGE_CALLS = 100

/**
 * The shortest of these runs counts: pauses of the code recur, those of the machine and the garbage collector do not.
 */
const RUNS = 8

/** 0.9 MB of JSON: a known amount of work, to tell how fast the machine is at the moment. */
const FLOOR_TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, title: `Item ${id}`, done: true })))
/** Milliseconds that `JSON.parse` takes for it on the machine on which the bounds were set. */
const FLOOR_MS = 3
const FLOOR_RUNS = 5

/**
 * Returns the longest uninterrupted work of this thread during `work`, in milliseconds of its CPU time, so that other
 * load of the machine does not count. If it exceeds the bound, the work is repeated, and the shortest result counts.
 * A machine that is slow at the moment needs longer for anything, so a result over the bound is divided by how much
 * longer `JSON.parse` takes right after it.
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
    const pause = await pauseOf(() => work(given))
    least = Math.min(least, pause < bound ? pause : pause / slowness())
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

/** How many times slower this machine is now than the one on which the bounds were set; at least 1. */
function slowness(): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < FLOOR_RUNS; run++) {
    const start = performance.now()
    JSON.parse(FLOOR_TEXT)
    least = Math.min(least, performance.now() - start)
  }
  return Math.max(1, least / FLOOR_MS)
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
