import { z } from 'zod'
import {
  PART_KEY_LENGTH,
  PARTS_PER_ANSWER,
  PARTS_PER_PROPOSAL,
  PROPOSAL_NOTE_LENGTH,
  PROPOSALS_PER_ANSWER,
  PROPOSALS_PER_ANSWER_MAX,
  STEPS_PER_BATCH,
  WAITING_PROPOSALS,
} from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { PART_KINDS } from '../src/space/model/call-parts.ts'
import { areAllowedWhenFull } from '../src/space/model/steps.ts'
import { approveProposal, prepareApproval } from '../src/space/proposals/approve-proposal.ts'
import { listProposals, proposalsToMarkdown } from '../src/space/proposals/list-proposals.ts'
import { preparePartList } from '../src/space/proposals/parts/list-parts.ts'
import { PART_STATES } from '../src/space/proposals/parts/part.ts'
import { prepareRejection, rejectProposal } from '../src/space/proposals/reject-proposal.ts'
import { pagination } from './shapes/block-output.ts'
import { cursor, format, id, limit } from './shapes/block-shapes.ts'
import { difference } from './shapes/difference-shape.ts'
import { named } from './shapes/input-aliases.ts'
import { step } from './shapes/step-shape.ts'

const state = z.enum(['waiting', 'approved', 'rejected', 'ended'])

const list = endpoint({
  name: 'proposals_list',
  title: 'List proposals',
  description: 'List changes that wait for the approval of a person, and what became of them.',
  route: 'GET /proposals',
  effect: 'read',
  hasView: true,
  aliases: [...named('proposalId', 'id proposal'), ...named('state', 'status')],
  alsoKnownAs: ['proposals_get', 'approvals_list', 'suggestions_list'],
  input: byKind(() =>
    z.strictObject({
      proposalId: id.optional().describe('One, with its diff'),
      state: z.enum([...state.options, 'all']).optional(),
      format,
      limit: limit(PROPOSALS_PER_ANSWER_MAX, PROPOSALS_PER_ANSWER),
      cursor,
    }),
  ),
  output: z.strictObject({
    items: z
      .array(
        z.strictObject({
          proposalId: z.string(),
          state,
          at: z.string(),
          author: z.string(),
          client: z.string().optional(),
          linkId: z.string().optional(),
          tool: z.string(),
          summary: z.string(),
          decidedAt: z.string().optional(),
          decidedBy: z.string().optional(),
          accepted: z.string().optional(),
          note: z.string().optional(),
          callId: z.string().optional(),
          parts: z
            .array(
              z.strictObject({
                part: z.string(),
                kind: z.enum(PART_KINDS),
                state: z.enum(PART_STATES),
                callId: z.string().optional(),
              }),
            )
            .max(PARTS_PER_PROPOSAL)
            .optional(),
          waitsFor: z.array(z.string()).max(WAITING_PROPOSALS).optional(),
          fingerprint: z.string().optional(),
          steps: z
            .array(z.strictObject({ tool: z.string(), as: z.string().optional(), arguments: z.looseObject({}) }))
            .optional(),
          files: z
            .array(
              z.strictObject({
                step: z.int(),
                name: z.string(),
                mediaType: z.string(),
                size: z.int(),
                hash: z.string(),
              }),
            )
            .optional(),
          ...difference.partial().shape,
        }),
      )
      .meta({ maxItems: PROPOSALS_PER_ANSWER_MAX }),
    pagination,
  }),
  renderMarkdown: proposalsToMarkdown,
  handle: ({ space }, input) => listProposals(space, input),
})

const place = z.strictObject({ parentId: z.string(), afterId: z.string().optional() })
const textsOfConflict = z.strictObject({ seen: z.string(), present: z.string(), proposed: z.string() })

const listParts = endpoint({
  name: 'proposals_parts',
  title: 'List parts of proposals',
  description:
    'List the waiting parts of proposals: what each would change by now, with the fingerprint that accepts it alone.',
  route: 'GET /proposals/parts',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      documentId: id.optional().describe('Only parts that concern this document'),
      proposalId: id.optional().describe('Only parts of this proposal'),
    }),
  ),
  output: z.strictObject({
    items: z
      .array(
        z.strictObject({
          proposalId: z.string(),
          part: z.string(),
          kind: z.enum(PART_KINDS),
          tool: z.string(),
          blockId: z.string().optional(),
          documentId: z.string().optional(),
          property: z.string().optional(),
          before: z.unknown().optional(),
          after: z.unknown().optional(),
          item: z.strictObject({ title: z.string(), properties: z.record(z.string(), z.unknown()) }).optional(),
          place: place.optional(),
          author: z.string(),
          client: z.string().optional(),
          linkId: z.string().optional(),
          isOwn: z.literal(true).optional(),
          at: z.string(),
          needs: z.array(z.string()).max(PARTS_PER_PROPOSAL).optional(),
          waitsFor: z.array(z.string()).max(WAITING_PROPOSALS).optional(),
          fingerprint: z.string().optional(),
          refused: z.string().optional(),
          conflict: textsOfConflict.optional(),
          details: z.string().optional(),
          asked: z.string().optional(),
        }),
      )
      .max(PARTS_PER_ANSWER)
      .meta({ component: 'ProposedParts' }),
    hasMore: z.literal(true).optional(),
  }),
  prepare: preparePartList,
  handle: async (_, answer) => answer,
})

const parts = z.array(z.string().min(1).max(PART_KEY_LENGTH)).min(1).max(PARTS_PER_PROPOSAL).optional()
/** What an answer says of a proposal with several parts. */
const decidedParts = {
  accepted: z.string().optional(),
  parts: z.array(z.string()).max(PARTS_PER_PROPOSAL).optional(),
  remaining: z.int().optional(),
}

const approve = endpoint({
  name: 'proposals_approve',
  title: 'Approve a proposal',
  description: 'Carry a proposal out as its fingerprint says. It is refused where it would now change something else.',
  route: 'POST /proposals/{proposalId}/approve',
  effect: 'decide',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      proposalId: id,
      fingerprint: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe('Of what is agreed to, which the last part of a proposal has; only a dry run needs none'),
      parts: parts.describe('Keys of parts that are accepted, with those that they need; all if absent'),
      steps: z.array(step).min(1).max(STEPS_PER_BATCH).optional().describe('Carried out in place of those proposed'),
    }),
  ),
  output: z.strictObject({
    proposalId: z.string(),
    callId: z.string(),
    summary: z.string(),
    fingerprint: z.string(),
    ...decidedParts,
    asked: z.string().optional(),
  }),
  prepare: prepareApproval,
  isAllowedWhenFull: (approval) => 'steps' in approval && areAllowedWhenFull(approval.steps),
  endsLeases: true,
  deletes: (approval) => ('steps' in approval ? approval.steps.flatMap(({ deletes }) => deletes) : []),
  handle: ({ space }, approval) => approveProposal(space, approval),
})

const reject = endpoint({
  name: 'proposals_reject',
  title: 'Reject a proposal',
  description: 'Reject a proposal, with a word to the agent that made it.',
  route: 'POST /proposals/{proposalId}/reject',
  effect: 'decide',
  isRestOnly: true,
  isForViewOf: 'proposals_list',
  isNoStep: true,
  input: byKind(() =>
    z.strictObject({
      proposalId: id,
      parts: parts.describe('Keys of parts that are rejected, with those that need them; all if absent'),
      note: z.string().min(1).max(PROPOSAL_NOTE_LENGTH).optional(),
    }),
  ),
  output: z.strictObject({ proposalId: z.string(), ...decidedParts }),
  isAllowedWhenFull: () => true,
  prepare: prepareRejection,
  handle: ({ space }, input) => rejectProposal(space, input),
})

export const proposals = [list, listParts, approve, reject]
