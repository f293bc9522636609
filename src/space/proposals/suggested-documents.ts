/** The documents for which proposals wait, for those who may decide on them, and for the link that made them. */
import { documentRecords } from '../../../storage/documents.ts'
import { type ListedProposal, proposalsByNumbers } from '../../../storage/proposals.ts'
import { isObject } from '../../base/is-object.ts'
import { mayDecide, mustPropose } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import { isWaiting, readParts, type StoredPart } from './parts/part.ts'
import { canSeeProposal, waitingOf } from './proposal.ts'
import { waitingToDecide } from './waiting-to-decide.ts'

export interface SuggestedDocuments {
  /** The number of proposals by the IDs of documents, as the connection spells them. */
  counts: ReadonlyMap<string, number>
  /** Documents that would be added, with their promised IDs. */
  proposed: readonly { id: string; title: string }[]
}

/** Proposals that are counted, and documents that are listed. */
const COUNTED = 200
const LISTED = 20

export async function suggestedDocuments(space: Space): Promise<SuggestedDocuments> {
  const proposals = await countedProposals(space)
  const counts = new Map<number, number>()
  for (const { documents } of proposals)
    for (const n of JSON.parse(documents) as number[]) counts.set(n, (counts.get(n) ?? 0) + 1)
  const records = counts.size === 0 ? [] : await documentRecords(space.tx, [...counts.keys()])
  return {
    counts: new Map(records.map(({ n, id }) => [space.spellId(id), counts.get(n) ?? 0])),
    proposed: await proposedDocuments(space, proposals),
  }
}

type Counted = Pick<ListedProposal, 'n' | 'documents' | 'isSpaceWide'>

/** Those of the connection itself, and those that it may decide on. */
async function countedProposals(space: Space): Promise<Counted[]> {
  if (!mayDecide(space.link) && !mustPropose(space.link)) return []
  const seen: Counted[] = []
  for (const row of await waitingOf(space, space.link)) if (await canSeeProposal(space, row)) seen.push(row)
  return mustPropose(space.link) ? seen : [...seen, ...(await waitingToDecide(space, COUNTED))]
}

async function proposedDocuments(space: Space, proposals: readonly Counted[]): Promise<SuggestedDocuments['proposed']> {
  const adding = proposals.filter(({ isSpaceWide }) => isSpaceWide === 1).slice(0, LISTED)
  if (adding.length === 0) return []
  const rows = await proposalsByNumbers(
    space.tx,
    adding.map(({ n }) => n),
  )
  return rows
    .flatMap((row) => readParts(row).parts.filter((part) => part.kind === 'document' && isWaiting(part)))
    .slice(0, LISTED)
    .flatMap((part) => (part.subject === undefined ? [] : { id: part.subject, title: titleIn(part) }))
}

/** The title that the call gives the document; empty if it gives none. */
function titleIn({ steps }: StoredPart): string {
  const documents = steps[0]?.arguments.documents
  const [first]: unknown[] = Array.isArray(documents) ? documents : []
  return isObject(first) && typeof first.title === 'string' ? first.title : ''
}
