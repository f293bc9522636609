/**
 * The longest time that this thread worked in one go while something was under way, in milliseconds of its own
 * processor time: what else the machine does is none of it.
 */
export async function longestPause(work: () => Promise<unknown>): Promise<number> {
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
