/** A part of a waiting proposal: one block, row, value or document, which is decided on by itself. */
import type { ToolAnswer } from '../page-tools.ts'

export type ProposedPart = ToolAnswer<'proposals_parts'>['items'][number]
