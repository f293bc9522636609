/** Flags of connections: what they reach and may do, the hosts that use them, and links with their webhooks. */
import { delimiter } from 'node:path'
import { ACCESS_LEVELS, type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../../space/model/space.ts'
import { HISTORY_COMMANDS, HOST_COMMANDS } from '../command-sets.ts'
import { expandHome } from '../home-folder.ts'
import type { Flag } from './flag.ts'
import { choiceOf, listOf, type Parser, parseHosts, parseNetworks } from './parsers.ts'

export const linkFlags = {
  kind: {
    value: CONNECTION_KINDS.join('|'),
    about: 'What the connection reaches: everything, selected documents, or daily notes and tasks. Default: full.',
    parse: choiceOf(CONNECTION_KINDS) as Parser<ConnectionKind>,
    fallback: 'full',
    onlyFor: ['stdio', 'install', 'links add'],
  },
  access: {
    value: ACCESS_LEVELS.join('|'),
    about:
      'What the connection may do: everything, everything except deleting, reading and proposing changes that wait for approval, reading and commenting, or reading. Default: full.',
    see: 'batch-and-proposals.md#proposals',
    parse: choiceOf(ACCESS_LEVELS) as Parser<AccessLevel>,
    fallback: 'full',
    onlyFor: ['stdio', 'install', 'links add'],
  },
  documents: {
    value: 'ID,ID',
    about: 'The documents that a selected connection reaches, or that are exported.',
    parse: listOf(',', 'IDs of documents'),
    fallback: [],
    onlyFor: ['stdio', 'install', 'links add', 'links expose', 'export'],
  },
  tools: {
    value: 'LIST',
    about:
      'Offer only these tools, by name or noun, separated by commas: `documents,blocks_get`, or `essential`. A shorter list costs fewer tokens. Default: `all`; `install` writes `essential` for hosts that send the whole list with each request.',
    onlyFor: ['stdio', 'install'],
  },
  answers: {
    value: 'typed',
    about:
      'Return complete answers, in JSON only, and publish their types, for hosts in which models write code. Default: short answers, in Markdown where it is shorter.',
    see: 'tools.md#typed-answers',
    parse: choiceOf(['typed'] as const),
    onlyFor: ['stdio', 'install'],
  },
  files: {
    value: 'FOLDER',
    about: 'A folder from which files may be added. Separate several with `:`, on Windows with `;`. Default: none.',
    parse: (text, name) => listOf(delimiter, 'folders')(text, name).map(expandHome),
    fallback: [],
    onlyFor: ['stdio', 'install'],
  },
  'host-config': {
    value: 'FILE',
    about: "The configuration file to change, such as that of a project. Default: the host's own file for this user.",
    onlyFor: HOST_COMMANDS,
  },
  print: { about: 'Show the configuration and its path, and change nothing.', onlyFor: HOST_COMMANDS },
  yes: {
    about: 'Do not ask: change the file, remove the space, or erase the name.',
    onlyFor: [...HOST_COMMANDS, 'spaces remove', 'participants erase'],
  },
  expires: {
    value: 'TIME',
    about:
      'When the link expires: a time with its offset, a date, or a duration such as `12h` or `30d`. Default: never.',
    onlyFor: ['links add'],
  },
  bearer: {
    about: 'Put the ID of the link into its address, and expect the secret as `Authorization: Bearer`.',
    onlyFor: ['links add'],
  },
  calendar: {
    about:
      'Create an address for calendar programs (iCalendar), with tasks, reminders and dates of collections. It gives access to nothing else.',
    see: 'tasks.md#in-other-calendars',
    onlyFor: ['links add'],
  },
  webhook: {
    value: 'URL',
    about: 'Send what happens within the reach of the link to this address, signed. `serve` delivers it.',
    see: 'changes.md#webhooks',
    onlyFor: ['links add'],
  },
  events: {
    value: 'LIST',
    about:
      'Send only these events to the webhook, separated by commas: types such as `reminder.due`, and calls of tools by name or noun. Default: all.',
    onlyFor: ['links add'],
  },
  'others-only': {
    about: 'Send the webhook only events that others cause, and none that the link itself causes.',
    onlyFor: ['links add'],
  },
  'no-events': {
    about: 'The link may not subscribe to events that are sent to an address. It may still poll for them.',
    see: 'subscriptions.md',
    onlyFor: ['links add'],
  },
  'event-hosts': {
    value: 'LIST',
    about:
      'The only hosts to which links may have events sent, separated by commas: names such as `example.org`, or `*.example.org` for all below it. Default: every public host.',
    see: 'subscriptions.md',
    parse: parseHosts,
    onlyFor: ['serve', 'webhooks test'],
  },
  'webhook-allow': {
    value: 'LIST',
    about:
      'Addresses and networks (such as `10.0.0.0/8`), separated by commas, to which webhooks may send in addition to public addresses, and from which `serve` may read external calendars. Plain http is allowed for these only.',
    parse: parseNetworks,
    onlyFor: ['serve', 'links add', 'webhooks test'],
  },
  participant: {
    value: 'NAME',
    about:
      'The participant who owns the link (required if the space has several). With `history` and `undo`: only calls of this participant.',
    onlyFor: ['links add', ...HISTORY_COMMANDS],
  },
} as const satisfies Record<string, Flag>
