/** Finds out whether `scriptorium open` serves the pages of a space on this machine. */
import { spaceKey } from '../auth/access-links/access-links.ts'
import type { OpenSpace } from '../space/open-space.ts'

/** Milliseconds to wait for a server that already listens on a port. */
const PROBE_MS = 2_000
/** Milliseconds for which what was found counts. */
const FRESH_MS = 5_000

/** The key of the space whose pages a server on this machine shows to its operator. */
export async function operatorAt(origin: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' })
    return ((await answer.json()) as { operator?: string }).operator
  } catch {
    return undefined
  }
}

/**
 * Returns a function that finds out whether the pages of a space are served, unless it did so a moment ago. Answers have
 * web addresses only while they are.
 *
 * @param clock  milliseconds since 1970
 * @param probe  the key of the space that is served at an address
 */
export function watchServedPages(
  { info }: Pick<OpenSpace, 'info'>,
  clock = Date.now,
  probe = operatorAt,
): () => Promise<void> {
  const { pages } = info
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  const check = async () => {
    if (pages === undefined) return
    pages.isServed = (await probe(pages.url)) === spaceKey(info.id)
    checkedAt = clock()
    checking = undefined
  }
  return async () => {
    if (pages === undefined || info.editorUrl !== undefined || Math.abs(clock() - checkedAt) < FRESH_MS) return
    checking ??= check()
    await checking
  }
}
