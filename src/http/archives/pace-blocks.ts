/** Keeps an import within the rate limits of its space. */
import { setTimeout as delay } from 'node:timers/promises'
import { invalidLink } from '../../auth/access-links/access-links.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Caller } from '../../call/caller.ts'
import type { AccessLink } from '../../space/model/space.ts'

/** Blocks to charge at once. */
const BLOCKS_PER_CHARGE = 100

const waitSeconds = (seconds: number, signal: AbortSignal): Promise<void> =>
  delay(seconds * 1000, undefined, { signal }).catch(() => {})

/**
 * Waits until the rate limits of the space allow this many blocks, and charges them.
 *
 * @param signal  ends the wait
 * @throws INVALID_AUTH_HEADER if the link has ended
 * @throws FORBIDDEN if it no longer reaches and may change the whole space
 */
export async function waitForBlocks(
  { rateLimiter, currentLink }: Pick<Caller, 'rateLimiter' | 'currentLink'>,
  blocks: number,
  signal: AbortSignal,
  wait = waitSeconds,
): Promise<void> {
  if (currentLink !== undefined) assertStillFull(await currentLink())
  let most = BLOCKS_PER_CHARGE
  for (let left = blocks; left > 0 && !signal.aborted; ) {
    const part = Math.min(left, most)
    try {
      await rateLimiter?.acquire({ blocks: part, requests: 0 })
      left -= part
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
      // More than the whole limit.
      if (error.code === 'VALIDATION_ERROR' && most > 1) most = Math.ceil(most / 2)
      else if (error.code === 'RATE_LIMITED') await wait(error.retryAfter ?? 1, signal)
      else throw error
    }
  }
}

function assertStillFull(link: AccessLink | undefined): void {
  if (link === undefined) throw invalidLink()
  if (link.kind === 'full' && link.access === 'full') return
  throw new ScriptoriumError(
    'FORBIDDEN',
    'Expected a link that reaches all of the space with access full, found that it was changed meanwhile; ask the person who made the link for another.',
  )
}
