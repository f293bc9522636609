/** Flags of history and proposals: which calls, which moment, and what is kept. */
import { CALLS_PER_ANSWER_MAX } from '../../base/limits.ts'
import { HISTORY_COMMANDS, SERVER_COMMANDS } from '../command-sets.ts'
import type { Flag } from './flag.ts'
import { parseCount, parseRetention } from './parsers.ts'

const DAY_MS = 24 * 60 * 60_000

export const historyFlags = {
  call: {
    value: 'ID',
    about: 'The ID of a call, as `history` lists it. For `undo`, several separated by commas.',
    onlyFor: HISTORY_COMMANDS,
  },
  since: {
    value: 'MOMENT',
    about:
      'Only calls after this call ID or time: a time with its offset, a date (its start), or an age such as `2h`. `log` and `log export` take times only.',
    onlyFor: [...HISTORY_COMMANDS, 'log', 'log export'],
  },
  until: {
    value: 'MOMENT',
    about:
      'Only calls up to this call ID or time. With `--document` and `--since`, show the difference between the two.',
    onlyFor: ['history', 'log'],
  },
  limit: {
    value: 'N',
    about: `How many of the latest calls to list: with \`history\` at most ${CALLS_PER_ANSWER_MAX}, which is its default. Default of \`log\`: all.`,
    parse: parseCount,
    onlyFor: ['history', 'log'],
  },
  cursor: {
    value: 'TEXT',
    about: 'Continue where a list ended, with the cursor that it printed.',
    onlyFor: ['history'],
  },
  connection: { value: 'NAME', about: 'Only calls of this connection.', onlyFor: HISTORY_COMMANDS },
  link: {
    value: 'ID',
    about:
      'Only calls of this link. With `stdio` and `install`: the link with which the agent acts, in place of `--kind`, `--access` and `--documents`. A person can stop it on the page.',
    see: 'watching-agents.md#stop-an-agent',
    onlyFor: ['stdio', 'install', ...HISTORY_COMMANDS, 'log'],
  },
  document: {
    value: 'ID',
    about: 'Only what calls did in this document.',
    onlyFor: [...HISTORY_COMMANDS, 'history forget'],
  },
  before: {
    value: 'TIME',
    about:
      'Limits `history forget` to history before this time, and `trash empty` to what was moved to the trash before it: a time with its offset, a date (its start), or an age such as `30d`. Without it, `trash empty` deletes everything.',
    onlyFor: ['trash empty', 'history forget'],
  },
  at: {
    value: 'MOMENT',
    about: 'The moment: the ID of a call, a time with its offset, the start of a date, or an age such as `2h`.',
    onlyFor: ['restore-version'],
  },
  'dry-run': {
    about: 'Show what would change, and change nothing.',
    onlyFor: ['undo', 'restore-version', 'import'],
  },
  'skip-conflicts': { about: 'Keep later changes by others, and undo the rest.', onlyFor: ['undo'] },
  note: {
    value: 'TEXT',
    about: 'A message to the agent, which sees it in `proposals_list`.',
    onlyFor: ['proposals reject'],
  },
  part: {
    value: 'KEY',
    about:
      'Decide only on this part. Approving it also approves the parts it needs; rejecting it also rejects the parts that need it. `proposals show` lists the parts. Several are separated by commas.',
    onlyFor: ['proposals approve', 'proposals reject'],
  },
  fingerprint: {
    value: 'TEXT',
    about: 'Approve without asking, if the proposal still has this fingerprint. `proposals show` prints it.',
    onlyFor: ['proposals approve'],
  },
  'keep-log': {
    value: 'TIME',
    about: 'How long entries of the audit log are kept, such as `90d`; 0 for no limit. Default: 90d.',
    parse: parseRetention,
    fallback: 90 * DAY_MS,
    onlyFor: SERVER_COMMANDS,
  },
  'keep-history': {
    value: 'TIME',
    about: 'How long calls can be undone, such as `30d`; 0 for no limit. Default: 30d.',
    parse: parseRetention,
    fallback: 30 * DAY_MS,
    onlyFor: SERVER_COMMANDS,
  },
  head: {
    value: 'FILE',
    about:
      'A file of heads from `log head`, or entries from `log export`, one per line. The log is compared with them.',
    onlyFor: ['log verify'],
  },
  key: {
    value: 'FILE',
    about:
      'An Ed25519 key in PEM, as `openssl genpkey -algorithm ed25519` makes it: `log head` signs with the private key; `log verify` checks that the heads are signed with it, and takes the private or the public key.',
    onlyFor: ['log verify', 'log head'],
  },
  follow: {
    about: 'Keep printing what happens: new entries with what they changed, and reminders that come due.',
    onlyFor: ['log'],
  },
} as const satisfies Record<string, Flag>
