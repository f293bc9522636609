/** The proposals that wait for a decision of this connection. */
import { accessLinksByIds } from '../../../storage/access-links.ts'
import { type ListedProposal, latestProposals, type ProposalFilter } from '../../../storage/proposals.ts'
import type { Space } from '../model/space.ts'
import { canSeeProposal, isOverdue, isUsable } from './proposal.ts'

/**
 * The newest ones that the connection sees and did not make itself, at most `limit`. Reads proposals and their links in
 * sets, so that the number of statements does not grow with each of them.
 */
export async function waitingToDecide(space: Space, limit: number): Promise<ListedProposal[]> {
  const found: ListedProposal[] = []
  const filter: ProposalFilter = { state: 'waiting' }
  for (;;) {
    const page = await latestProposals(space.tx, filter, limit)
    const links = await accessLinksByIds(space.tx, [...new Set(page.flatMap(({ link }) => link ?? []))])
    const usable = new Set(links.filter((link) => isUsable(link, space.now)).map(({ id }) => id))
    await space.reachableDocuments(page.flatMap(({ documents }) => JSON.parse(documents) as number[]))
    for (const row of page) {
      const isOpen = !isOverdue(row, space.now) && (row.link === null || usable.has(row.link))
      if (isOpen && row.link !== (space.link.id ?? null) && (await canSeeProposal(space, row))) found.push(row)
    }
    const last = page.at(-1)
    if (page.length < limit || found.length >= limit || last === undefined) return found.slice(0, limit)
    filter.before = last.n
  }
}
