/** A part of a waiting proposal: one block, row, value or document, which is decided on by itself. */
import type { ToolAnswer } from '../page-tools.ts'

export type ProposedPart = ToolAnswer<'proposals_parts'>['items'][number]

/** The ID of the page to which it would move or add something, if that is not the page that is shown. */
export const otherPlace = ({ kind, place }: ProposedPart, pageId: string): string | undefined =>
  (kind === 'moved' || kind === 'added') && place !== undefined && place.parentId !== pageId
    ? place.parentId
    : undefined
