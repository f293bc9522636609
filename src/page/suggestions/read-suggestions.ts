/** Reads the suggestions of a document, for those who may decide on them, and for those who made them. */
import { mustPropose } from '../../space/model/access.ts'
import type { PageCall } from '../page-call.ts'
import { DocumentSuggestions, toneOf } from './document-suggestions.ts'
import { readPlaces } from './other-places.ts'
import type { ProposedPart } from './proposed-part.ts'
import { readProposedRows } from './proposed-row.ts'

/** True if the link sees suggestions in documents: readers have the same pages with and without them. */
export const seesSuggestions = (call: PageCall): boolean =>
  call.has('proposals_parts') && (call.may('decide') || mustPropose(call.request.caller.link))

export interface SuggestedPage {
  documentId: string
  /** The document, or the page within it, whose blocks are shown. */
  pageId: string
  /** The page to which forms return. */
  back: string
  /** The IDs of proposals that are not drawn: a script draws them while they are typed. */
  without?: ReadonlySet<string>
}

/** @returns undefined if nothing is suggested */
export async function readSuggestions(
  call: PageCall,
  { documentId, without, ...shown }: SuggestedPage,
): Promise<DocumentSuggestions | undefined> {
  const parts = (await readParts(call, documentId)).filter(({ proposalId }) => !without?.has(proposalId))
  if (parts.length === 0) return undefined
  const [rows, places] = [await readProposedRows(call, parts), await readPlaces(call, parts, shown.pageId)]
  return new DocumentSuggestions(call, parts, { ...shown, rows, places })
}

/** The number of the color in which the link's own suggestions are drawn. */
export function ownTone({ request: { caller } }: PageCall): number {
  const { author, client } = caller.link
  return toneOf({ author, ...(client !== undefined && { client }) })
}

/** The waiting parts that concern a document, or that would add it. */
export async function readParts(call: PageCall, documentId: string): Promise<ProposedPart[]> {
  if (!seesSuggestions(call)) return []
  return (await call.find('proposals_parts', { documentId }))?.items ?? []
}
