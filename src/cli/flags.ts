/** The flags of each command, and their environment variables. */
import { delimiter } from 'node:path'
import { BLOCKS_PER_WINDOW, DATABASE_CONNECTIONS, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { EXPORT_FORMATS } from '../export/export-formats.ts'
import { IMPORT_FORMATS } from '../import/format-names.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS } from '../space/model/space.ts'
import {
  CREATING_COMMANDS,
  DATABASE_COMMANDS,
  FILES_BUCKET_COMMANDS,
  HISTORY_COMMANDS,
  HOST_COMMANDS,
  LINK_COMMANDS,
  NON_MIGRATING_COMMANDS,
  SERVER_COMMANDS,
  SIGN_IN_COMMANDS,
  SPACE_COMMANDS,
  WEBHOOK_COMMANDS,
} from './command-sets.ts'
import { type Command, commands, commandsInGroup } from './commands.ts'

export interface Flag {
  /** The placeholder for the value in the help: a word in capitals, or all values. Flags without it are switches. */
  value?: string
  about: string
  /** Commands that have it; by default all that use a space. */
  onlyFor?: readonly Command[]
}

export const MEBIBYTE = 1024 * 1024
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4810
/** The port on which `open` serves its pages. Links of agents lead there. */
export const DEFAULT_PAGE_PORT = 4811
const DAY_MS = 24 * 60 * 60_000
/** In milliseconds. */
export const DEFAULT_BACKUP_INTERVAL = DAY_MS
export const DEFAULT_LOG_RETENTION = 90 * DAY_MS
export const DEFAULT_HISTORY_RETENTION = 30 * DAY_MS

export const flags = {
  space: {
    value: 'FILE',
    about:
      'The file of the space, or its address in a database of PostgreSQL: postgres://USER:PASSWORD@HOST/DATABASE#NAME. Created on the first start. Default: a file in the data folder of this platform.',
  },
  spaces: { value: 'FOLDER', about: 'Serve every space in this folder (*.sqlite) instead of one.', onlyFor: ['serve'] },
  database: {
    value: 'ADDRESS',
    about:
      'A database of PostgreSQL, postgres://USER:PASSWORD@HOST/DATABASE, of which serve serves every space. Several hosts with commas between them: that is used which can be written.',
    onlyFor: DATABASE_COMMANDS,
  },
  'database-pool': {
    value: 'N',
    about: `Connections of this process to the database at most. Default: ${DATABASE_CONNECTIONS}.`,
    onlyFor: SERVER_COMMANDS,
  },
  'files-bucket': {
    value: 'ADDRESS',
    about:
      'Where the files of a space in a database are stored: https://HOST/BUCKET/PREFIX of S3-compatible storage, with credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Default: in the database, up to 1 MiB each.',
    onlyFor: FILES_BUCKET_COMMANDS,
  },
  kind: {
    value: CONNECTION_KINDS.join('|'),
    about: 'What the connection reaches. Default: full.',
    onlyFor: ['stdio', 'install', 'links add'],
  },
  access: {
    value: ACCESS_LEVELS.join('|'),
    about: 'What it may do there: all, all but delete, propose changes that wait for approval, or read. Default: full.',
    onlyFor: ['stdio', 'install', 'links add'],
  },
  documents: {
    value: 'ID,ID',
    about: 'The documents that a selected connection reaches, or that are exported.',
    onlyFor: ['stdio', 'install', 'links add', 'links expose', 'export'],
  },
  tools: {
    value: 'LIST',
    about:
      'Only these tools, by name or by noun, with commas between them: documents,blocks_get. A shorter list costs fewer tokens. Default: all.',
    onlyFor: ['stdio', 'install'],
  },
  name: {
    value: 'NAME',
    about: 'The name of the space, set when it is created; with links add, the name of the link.',
  },
  expires: {
    value: 'TIME',
    about: 'When the link expires: a time with its offset, a date, or a duration such as 12h or 30d.',
    onlyFor: ['links add'],
  },
  bearer: {
    about: 'Put the ID into the address, and expect the secret in the Authorization header.',
    onlyFor: ['links add'],
  },
  webhook: {
    value: 'URL',
    about: 'Send what happens within the reach of the link to this address, signed; serve delivers it.',
    onlyFor: ['links add'],
  },
  events: {
    value: 'LIST',
    about:
      'Only these events for the webhook, with commas between them: types such as reminder.due, and calls of tools by name or noun. Default: all.',
    onlyFor: ['links add'],
  },
  'webhook-allow': {
    value: 'LIST',
    about:
      'Networks besides the public one that webhooks may be in, as addresses or networks (10.0.0.0/8) with commas between them. Without encryption (http) webhooks are sent to these alone.',
    onlyFor: ['serve', 'links add', 'webhooks test'],
  },
  participant: {
    value: 'NAME',
    about: 'The participant whose link it is (required when the space has several), or whose calls are meant.',
    onlyFor: ['links add', ...HISTORY_COMMANDS],
  },
  timezone: {
    value: 'ZONE',
    about: "The time zone of the space (IANA), set when it is created. Default: the system's.",
    onlyFor: [...SPACE_COMMANDS, 'spaces add'],
  },
  'editor-url': { value: 'URL', about: 'Where people edit documents in a browser, for links to them.' },
  fonts: {
    value: 'FOLDER',
    about:
      'Fonts for characters on whiteboards that the bundled fonts lack, such as Chinese; those of the system are also used.',
  },
  host: {
    value: 'HOST',
    about: 'The name or address to listen on. Default: 127.0.0.1.',
    onlyFor: ['serve', 'links add'],
  },
  port: {
    value: 'PORT',
    about: 'The port to listen on, 0 for any free one. Default: 4810; with open 4811.',
    onlyFor: ['serve', 'open', 'links add'],
  },
  'no-browser': { about: 'Print the address, and open no browser.', onlyFor: ['open'] },
  'public-url': { value: 'URL', about: 'Where the server is reached from outside.', onlyFor: ['serve', 'links add'] },
  'tls-cert': { value: 'FILE', about: 'The certificate, as PEM; with --tls-key for HTTPS.', onlyFor: ['serve'] },
  'tls-key': { value: 'FILE', about: 'The key of the certificate, as PEM.', onlyFor: ['serve'] },
  'trust-proxy': {
    about:
      'Take the address of a client from X-Forwarded-For: the last entry, which the proxy in front added. Every client that can connect is trusted: if others than the proxy can connect, name the proxy with --trusted-proxies.',
    onlyFor: ['serve'],
  },
  'trusted-proxies': {
    value: 'LIST',
    about:
      'The proxies in front, as addresses or networks (10.0.0.0/8) with commas between them: the address of a client is the last one in X-Forwarded-For that is not one of these.',
    onlyFor: ['serve'],
  },
  oauth: {
    about: 'Let participants with a password sign in at this server, at /spaces/KEY/mcp and /spaces/KEY/api/v1.',
    onlyFor: ['serve'],
  },
  'oauth-issuer': {
    value: 'URL',
    about: 'The identity provider whose access tokens open spaces at /spaces/KEY/mcp and /spaces/KEY/api/v1.',
    onlyFor: SIGN_IN_COMMANDS,
  },
  'oauth-audience': {
    value: 'AUDIENCE',
    about: 'An audience of tokens that is taken besides these addresses, where the provider cannot name them.',
    onlyFor: ['serve'],
  },
  'oauth-client-id': {
    value: 'ID',
    about: 'What this server is called at the identity provider, where people sign in to see the pages.',
    onlyFor: ['serve'],
  },
  'oauth-access': {
    value: ACCESS_LEVELS.join('|'),
    about: 'What hosts are asked to sign in for at first; they ask for more when they need it. Default: no-delete.',
    onlyFor: ['serve'],
  },
  subject: {
    value: 'SUB',
    about: 'The subject they sign in as: the sub claim of the issuer named by --oauth-issuer.',
    onlyFor: ['participants add', 'participants remove'],
  },
  password: {
    about:
      'Let them sign in at this server (serve --oauth) with a password, read from the terminal or from the first line of standard input; with participants remove, stop that.',
    onlyFor: ['participants add', 'participants remove'],
  },
  'metrics-port': {
    value: 'PORT',
    about: 'Serve /metrics for Prometheus at this port, to this machine alone.',
    onlyFor: ['serve'],
  },
  'limit-requests': {
    value: 'N',
    about: `Calls per minute for all connections of a space, 0 for no limit. Default: ${REQUESTS_PER_WINDOW}.`,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-blocks': {
    value: 'N',
    about: `Blocks read or written per minute, 0 for no limit. Default: ${BLOCKS_PER_WINDOW}.`,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-ip': {
    value: 'N',
    about: `Calls per ten seconds from one address, 0 for no limit. Default: ${REQUESTS_PER_ADDRESS}.`,
    onlyFor: ['serve'],
  },
  'limit-file': {
    value: 'MIB',
    about: 'The largest file in MiB, 0 for no limit. Default: 100.',
    onlyFor: SERVER_COMMANDS,
  },
  quota: {
    value: 'SIZE',
    about:
      'How much each space may store, history and files included, such as 10GB or 512MiB; 0 for no limit. Default: 10GB with --spaces and --database, otherwise no limit.',
    onlyFor: ['serve'],
  },
  'link-quota': {
    value: 'SIZE',
    about: 'How much of what is stored one link may have written, such as 1GB; 0 for no limit, which is the default.',
    onlyFor: ['serve'],
  },
  files: {
    value: 'FOLDER',
    about: `A folder that files may be added from; several with ${delimiter} between them. Default: none.`,
    onlyFor: ['stdio', 'install'],
  },
  'host-config': {
    value: 'FILE',
    about: "The configuration file to change, such as that of a project. Default: the host's own for this user.",
    onlyFor: HOST_COMMANDS,
  },
  print: { about: 'Show the configuration and its path, and change nothing.', onlyFor: HOST_COMMANDS },
  yes: {
    about: 'Change the file, or remove the space, without asking.',
    onlyFor: [...HOST_COMMANDS, 'spaces remove'],
  },
  to: {
    value: 'FILE|FOLDER',
    about:
      'Where it goes: a file that does not exist yet, or a folder. The name of a backup in a folder has the time; an export is a zip where the file ends in .zip.',
    onlyFor: ['backup', 'export'],
  },
  'backup-to': {
    value: 'FOLDER',
    about: 'Back up each space to this folder: at the start if a backup is due, then at every interval.',
    onlyFor: ['serve'],
  },
  every: {
    value: 'TIME',
    about: 'The time from one backup to the next, such as 12h. Default: 24h.',
    onlyFor: ['serve'],
  },
  keep: {
    value: 'N',
    about: 'How many backups of a space stay in the folder; older ones are removed. Default: all.',
    onlyFor: ['backup', 'serve'],
  },
  before: {
    value: 'TIME',
    about:
      'Only what was moved to the trash, or only history from before: a time with its offset, the start of a date, or an age such as 30d.',
    onlyFor: ['trash empty', 'history forget'],
  },
  at: {
    value: 'MOMENT',
    about: 'The moment: the ID of a call, a time with its offset, the start of a date, or an age such as 2h.',
    onlyFor: ['restore-version'],
  },
  'keep-access': {
    about: 'Keep links and sign-ins as they were at the time of the backup: those revoked since then work again.',
    onlyFor: ['restore'],
  },
  replace: {
    about: 'Replace the space even if the backup is of another space; the replaced space is kept next to it.',
    onlyFor: ['restore'],
  },
  'keep-log': {
    value: 'TIME',
    about: 'How long the audit log keeps its entries, such as 90d; 0 for ever. Default: 90d.',
    onlyFor: SERVER_COMMANDS,
  },
  'keep-history': {
    value: 'TIME',
    about: 'How long calls can be taken back, such as 30d; 0 for ever. Default: 30d.',
    onlyFor: SERVER_COMMANDS,
  },
  call: {
    value: 'ID',
    about: 'The ID of a call; for undo several with commas between them. scriptorium history lists them.',
    onlyFor: HISTORY_COMMANDS,
  },
  since: {
    value: 'MOMENT',
    about:
      'Only calls after this one (its ID), or after a time with its offset, the start of a date, or an age such as 2h.',
    onlyFor: HISTORY_COMMANDS,
  },
  until: {
    value: 'MOMENT',
    about: 'Only calls up to this one or to a time; with --document and --since, show the difference between the two.',
    onlyFor: ['history'],
  },
  connection: { value: 'NAME', about: 'Only calls of this connection.', onlyFor: HISTORY_COMMANDS },
  link: { value: 'ID', about: 'Only calls of this link.', onlyFor: HISTORY_COMMANDS },
  document: {
    value: 'ID',
    about: 'Only what calls did in this document.',
    onlyFor: [...HISTORY_COMMANDS, 'history forget'],
  },
  'dry-run': { about: 'Say what would change, and change nothing.', onlyFor: ['undo', 'restore-version', 'import'] },
  as: {
    value: [...new Set([...IMPORT_FORMATS, ...EXPORT_FORMATS])].join('|'),
    about: `The format: of what is imported, found by itself by default; of an export one of ${EXPORT_FORMATS.join(', ')}.`,
    onlyFor: ['import', 'export'],
  },
  passphrase: {
    about:
      'Encrypt the secrets in an export --as json, or decrypt them, with a passphrase that is read from the terminal or from the first line of standard input. Without it, an export contains no secrets.',
    onlyFor: ['import', 'export'],
  },
  collections: {
    about:
      'Make a collection of each folder of notes with properties: the notes are its items. Of Markdown and Obsidian.',
    onlyFor: ['import'],
  },
  watch: { about: 'Go on, and write what changes, until it is ended. To a folder, as Markdown.', onlyFor: ['export'] },
  into: {
    value: 'FOLDER',
    about: 'The folder of the space that it goes into: its ID, or its name, with / before those of folders in it.',
    onlyFor: ['import'],
  },
  note: { value: 'TEXT', about: 'A word to the agent.', onlyFor: ['proposals reject'] },
  fingerprint: {
    value: 'TEXT',
    about: 'Agree without a question to what has this fingerprint, as proposals show says it.',
    onlyFor: ['proposals approve'],
  },
  'skip-conflicts': { about: 'Leave what others changed later as it is, and take back the rest.', onlyFor: ['undo'] },
  'no-copy': {
    about: 'Keep no copy of the space when a new version changes its tables.',
    onlyFor: SPACE_COMMANDS.filter((command) => !NON_MIGRATING_COMMANDS.includes(command)),
  },
  'no-welcome': {
    about: 'Begin a new space without the document that says what a space can do.',
    onlyFor: CREATING_COMMANDS,
  },
  follow: { about: 'Keep printing new entries as they are written.', onlyFor: ['log'] },
  json: {
    about: 'Answer as JSON.',
    onlyFor: [
      ...HOST_COMMANDS,
      ...LINK_COMMANDS,
      ...WEBHOOK_COMMANDS,
      ...commandsInGroup('participants'),
      ...commandsInGroup('spaces'),
      'log',
      ...HISTORY_COMMANDS,
      'history forget',
      'restore-version',
      'import',
      'export',
      'doctor',
      'backup',
      'restore',
      'trash empty',
      'compact',
    ],
  },
  repair: {
    about: 'Repair what can be repaired without loss: access, the log, indexes, files that no block has.',
    onlyFor: ['doctor'],
  },
} as const satisfies Record<string, Flag>
export type FlagName = keyof typeof flags

/** The environment variable for a flag: `SCRIPTORIUM_SPACE` for `--space`. */
export const environmentName = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

export const flagsForCommand = (command: Command): [FlagName, Flag][] =>
  (Object.entries(flags) as [FlagName, Flag][]).filter(
    ([, { onlyFor }]) => onlyFor?.includes(command) ?? SPACE_COMMANDS.includes(command),
  )

/** All flags, with the commands that have them. */
export function flagsWithCommands(): { name: FlagName; flag: Flag; commands: Command[] }[] {
  const all = new Map(commands.flatMap(flagsForCommand))
  return [...all].map(([name, flag]) => ({
    name,
    flag,
    commands: commands.filter((command) => flagsForCommand(command).some(([one]) => one === name)),
  }))
}

/** The possible values of a flag for completion. A flag for a folder may accept several. */
export function flagValues({ value = '' }: Flag): readonly string[] | 'file' | 'folder' | 'text' {
  if (/^[a-z-]+(?:\|[a-z-]+)+$/.test(value)) return value.split('|')
  if (value === 'FILE' || value === 'FILE|FOLDER') return 'file'
  return value === 'FOLDER' ? 'folder' : 'text'
}
