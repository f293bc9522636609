import { z } from 'zod'
import {
  PROPOSAL_NOTE_LENGTH,
  PROPOSALS_PER_ANSWER,
  PROPOSALS_PER_ANSWER_MAX,
  STEPS_PER_BATCH,
} from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { areAllowedWhenFull } from '../src/space/model/steps.ts'
import { approveProposal, prepareApproval, rejectProposal } from '../src/space/proposals/decide-proposal.ts'
import { listProposals, proposalsToMarkdown } from '../src/space/proposals/list-proposals.ts'
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
          note: z.string().optional(),
          callId: z.string().optional(),
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
      steps: z.array(step).min(1).max(STEPS_PER_BATCH).optional().describe('Carried out in place of those proposed'),
    }),
  ),
  output: z.strictObject({
    proposalId: z.string(),
    callId: z.string(),
    summary: z.string(),
    fingerprint: z.string(),
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
  isNoStep: true,
  input: byKind(() => z.strictObject({ proposalId: id, note: z.string().min(1).max(PROPOSAL_NOTE_LENGTH).optional() })),
  output: z.strictObject({ proposalId: z.string() }),
  isAllowedWhenFull: () => true,
  handle: ({ space }, input) => rejectProposal(space, input),
})

export const proposals = [list, approve, reject]
