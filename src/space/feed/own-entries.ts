/** Which entries of the feed a link caused itself, so that an agent that acts on changes does not act on its own. */

import { IMPORT_ENDED, PROPOSAL_WAITING } from '../../../storage/events.ts'
import { proposalsByNumbers } from '../../../storage/proposals.ts'
import type { EventRow } from '../../../storage/schema.ts'
import type { ImportEndDetail } from '../import/import-end.ts'
import type { Space } from '../model/space.ts'
import type { FeedEntry } from './read-feed.ts'

/**
 * The entries without those of the link itself: its calls, also those that a person approved, its proposals and imports. Decisions
 * on its proposals, ended leases and due reminders stay, since others or the time caused them.
 */
export async function withoutOwn(space: Space, entries: readonly FeedEntry[]): Promise<FeedEntry[]> {
  const proposed = entries.flatMap(({ event }) => (event?.kind === PROPOSAL_WAITING ? event.subject : []))
  const proposals = proposed.length === 0 ? [] : await proposalsByNumbers(space.tx, proposed)
  const own = new Set(proposals.filter((proposal) => isBy(space, proposal)).map(({ n }) => n))
  return entries.filter(({ call, event }) =>
    call === undefined ? event === undefined || !isOwnEvent(space, event, own) : !isBy(space, call.row),
  )
}

/** @param proposals  the numbers of the link's own */
function isOwnEvent(space: Space, { kind, subject, detail }: EventRow, proposals: ReadonlySet<number>): boolean {
  if (kind === PROPOSAL_WAITING) return proposals.has(subject)
  if (kind !== IMPORT_ENDED) return false
  const { link = null, author, client = null } = JSON.parse(detail ?? '{}') as ImportEndDetail
  return isBy(space, { link, author, client })
}

/** Who made a call or a proposal, as it was logged. */
interface LoggedBy {
  link: string | null
  author: string
  client: string | null
}

/** A connection without a stored link is known by its author and its client. */
function isBy({ link }: Space, by: LoggedBy): boolean {
  const { id = null, author, client = null } = link
  return by.link === id && (id !== null || (by.author === author && by.client === client))
}
