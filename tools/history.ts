import { z } from 'zod'
import { CALLS_PER_ANSWER, CALLS_PER_ANSWER_MAX, NAME_LENGTH, UNDO_CALLS } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { asksForDifference, compareHistory, historyToMarkdown, listHistory } from '../src/space/history/history-list.ts'
import { CHANGE_VERBS, CHANGED_NOUNS, FIELDS_NAMED, NAMES_OF_CHANGE } from '../src/space/history/summary-text.ts'
import { undoCalls } from '../src/space/history/undo-calls.ts'
import { pagination } from './shapes/block-output.ts'
import { cursor, format, id, limit, moment } from './shapes/block-shapes.ts'
import { difference } from './shapes/difference-shape.ts'
import { named } from './shapes/input-aliases.ts'

/** A name of a connection, link or participant. Longer names do not exist. */
const name = z.string().min(1).max(NAME_LENGTH).optional()

const whose = { connection: name, link: name, participant: name, documentId: id.optional() }

/** What happened in one place, with the names of a few of the things to which it did: over REST. */
const placeChanges = z.strictObject({
  title: z.string().optional(),
  isGone: z.literal(true).optional(),
  changes: z.array(
    z.strictObject({
      noun: z.enum(CHANGED_NOUNS),
      verb: z.enum(CHANGE_VERBS),
      amount: z.int(),
      names: z.array(z.string()).max(NAMES_OF_CHANGE).optional(),
      collection: z.strictObject({ id: z.string(), title: z.string() }).optional(),
      fields: z
        .array(z.string())
        .max(FIELDS_NAMED + 1)
        .optional(),
    }),
  ),
})

const list = endpoint({
  name: 'history_list',
  title: 'List history',
  description:
    'List calls that changed something, newest first; with call, or documentId, since and until, show the diff.',
  route: 'GET /history',
  effect: 'read',
  hasView: true,
  aliases: [...named('call', 'callId id'), ...named('documentId', 'document pageId'), ...named('since', 'from after')],
  alsoKnownAs: ['history_get', 'changes_list', 'log_list', 'revisions_list', 'versions_list', 'history_diff'],
  input: byKind(() =>
    z.strictObject({
      ...whose,
      call: id.optional(),
      since: moment.optional().describe('Call ID or time'),
      until: moment.optional(),
      format,
      limit: limit(CALLS_PER_ANSWER_MAX, CALLS_PER_ANSWER),
      cursor,
    }),
  ),
  output: z.strictObject({
    items: z
      .array(
        z.strictObject({
          callId: z.string(),
          at: z.string(),
          author: z.string(),
          client: z.string().optional(),
          approvedBy: z.string().optional(),
          connection: z.string().optional(),
          linkId: z.string().optional(),
          tool: z.string(),
          summary: z.string(),
          changes: z.array(placeChanges).optional(),
          isPartial: z.literal(true).optional(),
          documents: z.array(z.strictObject({ documentId: z.string(), title: z.string() })),
          undoneBy: z.string().optional(),
          undoes: z.array(z.string()).optional(),
        }),
      )
      .meta({ maxItems: CALLS_PER_ANSWER_MAX }),
    ...difference.partial().shape,
    pagination,
  }),
  renderMarkdown: historyToMarkdown,
  isRolledBack: (input) => asksForDifference(input),
  handle: ({ space }, input) => listHistory(space, input),
  finish: compareHistory,
})

const undo = endpoint({
  name: 'history_undo',
  title: 'Undo calls',
  description: 'Undo your last call, some, or all since a time, by you, a connection, link or participant.',
  route: 'POST /history/undo',
  effect: 'change',
  endsLeases: true,
  hints: { destructive: true },
  aliases: [
    ...named('calls', 'callIds call callId ids id'),
    ...named('documentId', 'document pageId'),
    ...named('since', 'from after'),
  ],
  alsoKnownAs: ['undo', 'history_revert', 'history_restore', 'calls_undo', 'documents_restore'],
  input: byKind(() =>
    z
      .strictObject({
        calls: z.array(id).min(1).max(UNDO_CALLS).meta({ commas: true }).optional(),
        since: moment.optional(),
        ...whose,
        dryRun: z.boolean().default(false),
        skipConflicts: z.boolean().default(false).describe('Leave what others changed later'),
      })
      .refine(
        ({ calls, since, connection, link, participant, documentId }) => {
          const others = [since, connection, link, participant].filter((one) => one !== undefined)
          // What names nothing is the last call of the session.
          return calls === undefined ? others.length > 0 || documentId === undefined : others.length === 0
        },
        {
          error:
            'Expected calls, or since, connection, link or participant, found both or a document alone; name the calls that are to be taken back.',
        },
      ),
  ),
  output: z.strictObject({
    calls: z.array(z.string()),
    summary: z.string(),
    conflicts: z.array(z.string()).optional(),
    laterCalls: z.array(z.string()).optional(),
  }),
  writtenIds: ({ calls }) => calls,
  isNoStep: true,
  isRolledBack: ({ dryRun }) => dryRun,
  isAllowedWhenFull: () => true,
  handle: ({ space }, input) => undoCalls(space, input, false),
})

export const history = [list, undo]
