/** The documents for which proposals wait, for those who may decide on them, and for the link that made them. */
import { documentRecords } from '../../../storage/documents.ts'
import { mayDecide, mustPropose } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import { canSeeProposal, waitingOf } from './proposal.ts'
import { waitingToDecide } from './waiting-to-decide.ts'

/** Proposals that are counted. */
const COUNTED = 200

/** @returns the number of proposals by the IDs of documents, as the connection spells them */
export async function suggestedDocuments(space: Space): Promise<Map<string, number>> {
  const proposals = await countedProposals(space)
  const counts = new Map<number, number>()
  for (const { documents } of proposals)
    for (const n of JSON.parse(documents) as number[]) counts.set(n, (counts.get(n) ?? 0) + 1)
  const records = counts.size === 0 ? [] : await documentRecords(space.tx, [...counts.keys()])
  return new Map(records.map(({ n, id }) => [space.spellId(id), counts.get(n) ?? 0]))
}

async function countedProposals(space: Space): Promise<{ documents: string }[]> {
  if (mayDecide(space.link)) return waitingToDecide(space, COUNTED)
  if (!mustPropose(space.link)) return []
  const seen: { documents: string }[] = []
  for (const row of await waitingOf(space, space.link)) if (await canSeeProposal(space, row)) seen.push(row)
  return seen
}
