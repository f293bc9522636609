/** Finds what claims must never do in what workers recorded. */
import type { RecordedClaim } from './claim-workers.ts'

export interface WrongClaims {
  /** Items that two workers held at the same time. */
  heldTwice: string[]
  /** Items that were finished by two accepted writes. */
  doneTwice: string[]
  /** Fences that were given out twice, or that did not grow. */
  fences: string[]
}

/** Milliseconds by which the steady clocks of two processes may be read apart. */
const TOLERANCE = 50

export function findWrongClaims(claims: readonly RecordedClaim[]): WrongClaims {
  const wrong: WrongClaims = { heldTwice: [], doneTwice: [], fences: [] }
  const fences = new Set<number>()
  for (const { fence } of claims) {
    if (fences.has(fence)) wrong.fences.push(`fence ${fence} was given out twice`)
    fences.add(fence)
  }
  for (const [item, all] of Map.groupBy(claims, (claim) => claim.item)) {
    const inOrder = all.toSorted((one, other) => one.fence - other.fence)
    const accepted = inOrder.filter(({ finish }) => finish?.isAccepted)
    if (accepted.length > 1)
      wrong.doneTwice.push(`${item} was done with ${accepted.map(({ fence }) => fence).join(' and ')}`)
    for (const [index, later] of inOrder.entries()) {
      const earlier = inOrder[index - 1]
      if (earlier === undefined) continue
      if (later.answered < earlier.sent)
        wrong.fences.push(`${item}: ${later.fence} was answered before ${earlier.fence} was asked for`)
      // A row whose worker finished it, perhaps without an answer, is free.
      const isFinished = earlier.finish !== undefined && earlier.finish.isAccepted !== false
      // At the earliest, the lease began when the claim was sent.
      if (!isFinished && later.answered < earlier.sent + earlier.lease - TOLERANCE) {
        wrong.heldTwice.push(
          `${item} was given to ${later.worker} with ${later.fence} while ${earlier.worker} held it with ${earlier.fence}`,
        )
      }
      // Once a later fence is known, a write with the earlier one is refused.
      if (earlier.finish?.isAccepted && earlier.finish.sent > later.answered) {
        wrong.heldTwice.push(`${item}: a write with ${earlier.fence} was accepted after ${later.fence} was given out`)
      }
    }
  }
  return wrong
}
