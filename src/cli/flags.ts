/** The command line: commands, flags, and the environment variables that stand for them. */
import { delimiter } from 'node:path'
import { parseArgs } from 'node:util'
import { isLoopbackHost } from '../auth/loopback.ts'
import { parseNetwork } from '../base/client-address.ts'
import { parseDuration } from '../base/durations.ts'
import { invalid } from '../base/errors.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { ACCESS_LEVELS, type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../space/model/space.ts'

interface CommandInfo {
  about: string
  /** What is named after the command, such as whom to add. */
  operand?: string
}

const COMMANDS = {
  stdio: { about: 'Serve one host over standard input and output (the default).' },
  serve: { about: 'Serve links over HTTP: the REST interface and MCP over Streamable HTTP.' },
  'links add': { about: 'Make a link and print its addresses; its secret is shown this once.' },
  'links list': { about: 'List the links of the space, without their secrets.' },
  'links revoke': { about: 'End a link: its next request is refused.', operand: 'ID' },
  'links expose': { about: 'Change which documents a selected link exposes.', operand: 'ID' },
  'participants add': { about: 'Say of someone that they take part in the space.', operand: 'NAME' },
  'participants list': { about: 'List who takes part in the space.' },
  'participants remove': { about: 'Say of someone that they take part no more.', operand: 'NAME or ID' },
  log: { about: 'Print who wrote what, and when.' },
  backup: { about: 'Copy the space with its files, in use or not, and verify the copy.' },
  restore: { about: 'Put a backup in the place of the space, which no program may have open.', operand: 'FROM' },
  'trash empty': { about: 'Delete what is in the trash for good: nothing of it stays in the file.' },
  compact: { about: 'Rewrite the file without the space that deleted content left; a server may keep running.' },
  doctor: {
    about:
      'Say what is there (Node, SQLite, the space) and what to do about what is wrong. Exit code 0: sound; 3: --repair mends it; 4: it does not.',
  },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof COMMANDS

const commands = Object.keys(COMMANDS) as Command[]
const commandInfo = (command: Command): CommandInfo => COMMANDS[command]
/** The commands of a group: `participants` has three. */
const commandsInGroup = (name: string): Command[] => commands.filter((command) => command.startsWith(`${name} `))

interface Flag {
  /** What stands for the value in the help; a flag without it is there or not. */
  value?: string
  about: string
  /** Commands that have it; all when absent. */
  onlyFor?: readonly Command[]
}

const SERVER_COMMANDS: readonly Command[] = ['stdio', 'serve']
const LINK_COMMANDS = commandsInGroup('links')
/** They change no file that is there. */
const NON_MIGRATING_COMMANDS: readonly Command[] = ['doctor', 'backup', 'restore']
const SIGN_IN_COMMANDS: readonly Command[] = ['serve', 'participants add', 'participants remove']

const FLAGS = {
  space: {
    value: 'FILE',
    about: 'The file of the space; made at the first start. Default: in the data folder of this platform.',
  },
  spaces: { value: 'FOLDER', about: 'Serve every space in this folder (*.sqlite) instead of one.', onlyFor: ['serve'] },
  kind: {
    value: CONNECTION_KINDS.join('|'),
    about: 'What the connection reaches. Default: full.',
    onlyFor: ['stdio', 'links add'],
  },
  access: {
    value: ACCESS_LEVELS.join('|'),
    about: 'What it may do there: all, all but delete, or read. Default: full.',
    onlyFor: ['stdio', 'links add'],
  },
  documents: {
    value: 'ID,ID',
    about: 'The documents that a selected connection reaches.',
    onlyFor: ['stdio', 'links add', 'links expose'],
  },
  tools: {
    value: 'LIST',
    about:
      'Only these tools, by name or by noun, with commas between them: documents,blocks_get. A shorter list costs fewer tokens. Default: all.',
    onlyFor: ['stdio'],
  },
  name: { value: 'NAME', about: 'The name of the space, kept when it is made; of links add, that of the link.' },
  expires: {
    value: 'TIME',
    about: 'When the link ends: a time with its offset, a date, or a while such as 12h or 30d.',
    onlyFor: ['links add'],
  },
  bearer: {
    about: 'Put the ID into the address, and take the secret from the header Authorization.',
    onlyFor: ['links add'],
  },
  participant: { value: 'NAME', about: 'Whose link it is, while several take part.', onlyFor: ['links add'] },
  timezone: { value: 'ZONE', about: "The space's time zone (IANA), kept when it is made. Default: the system's." },
  'editor-url': { value: 'URL', about: 'Where people edit documents in a browser, for links to them.' },
  host: {
    value: 'HOST',
    about: 'The name or address to listen at. Default: 127.0.0.1.',
    onlyFor: ['serve', 'links add'],
  },
  port: {
    value: 'PORT',
    about: 'The port to listen at, 0 for any free one. Default: 4810.',
    onlyFor: ['serve', 'links add'],
  },
  'public-url': { value: 'URL', about: 'Where the server is reached from outside.', onlyFor: ['serve', 'links add'] },
  'tls-cert': { value: 'FILE', about: 'The certificate, as PEM; with --tls-key for HTTPS.', onlyFor: ['serve'] },
  'tls-key': { value: 'FILE', about: 'The key of the certificate, as PEM.', onlyFor: ['serve'] },
  'trust-proxy': {
    about:
      'Take the address of a client from X-Forwarded-For: the last one there, which the proxy in front has added. Whoever can connect is believed: where others than the proxy can, name it with --trusted-proxies.',
    onlyFor: ['serve'],
  },
  'trusted-proxies': {
    value: 'LIST',
    about:
      'The proxies in front, as addresses or networks (10.0.0.0/8) with commas between them: the address of a client is the last one in X-Forwarded-For that is none of theirs.',
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
  'oauth-access': {
    value: ACCESS_LEVELS.join('|'),
    about: 'What hosts are asked to sign in for at first; they ask for more when they need it. Default: no-delete.',
    onlyFor: ['serve'],
  },
  subject: {
    value: 'SUB',
    about: 'As whom they sign in: the claim sub of the issuer that --oauth-issuer names.',
    onlyFor: ['participants add', 'participants remove'],
  },
  password: {
    about:
      'Let them sign in at this server (serve --oauth) with the password that is asked for, or is the first line of standard input; of participants remove, end that.',
    onlyFor: ['participants add', 'participants remove'],
  },
  'metrics-port': {
    value: 'PORT',
    about: 'Serve /metrics for Prometheus at this port, to this machine alone.',
    onlyFor: ['serve'],
  },
  'limit-requests': {
    value: 'N',
    about: `Calls a minute for all connections of a space, 0 for no limit. Default: ${REQUESTS_PER_WINDOW}.`,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-blocks': {
    value: 'N',
    about: `Blocks read or written a minute, 0 for no limit. Default: ${BLOCKS_PER_WINDOW}.`,
    onlyFor: SERVER_COMMANDS,
  },
  'limit-ip': {
    value: 'N',
    about: `Calls in ten seconds from one address, 0 for no limit. Default: ${REQUESTS_PER_ADDRESS}.`,
    onlyFor: ['serve'],
  },
  'limit-file': {
    value: 'MIB',
    about: 'MiB of one file at most, 0 for no limit. Default: 100.',
    onlyFor: SERVER_COMMANDS,
  },
  files: {
    value: 'FOLDER',
    about: `A folder that files may be brought in from; several with ${delimiter} between them. Default: none.`,
    onlyFor: ['stdio'],
  },
  to: {
    value: 'FILE|FOLDER',
    about: 'Where the backup goes: a file that is not there yet, or a folder, where its name tells the time.',
    onlyFor: ['backup'],
  },
  'backup-to': {
    value: 'FOLDER',
    about: 'Back up each space to this folder, at the start if one is due, and from then on every so often.',
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
      'Only what was thrown away before: a time with its offset, the start of a date, or a while ago such as 30d. Default: all.',
    onlyFor: ['trash empty'],
  },
  'keep-access': {
    about: 'Keep links and sign-ins as they were at the time of the backup: those that were ended since open again.',
    onlyFor: ['restore'],
  },
  replace: {
    about: 'Put the backup in the place of another space than it was made of, which is kept beside it.',
    onlyFor: ['restore'],
  },
  'keep-log': {
    value: 'TIME',
    about: 'How long the log of writes keeps what was written, such as 90d; 0 for ever. Default: 90d.',
    onlyFor: SERVER_COMMANDS,
  },
  'no-copy': {
    about: 'Keep no copy of the space beside it when a new version changes its tables.',
    onlyFor: commands.filter((command) => !NON_MIGRATING_COMMANDS.includes(command)),
  },
  follow: { about: 'Go on with what is written from now on.', onlyFor: ['log'] },
  json: {
    about: 'Answer as JSON.',
    onlyFor: [
      ...LINK_COMMANDS,
      ...commandsInGroup('participants'),
      'log',
      'doctor',
      'backup',
      'restore',
      'trash empty',
      'compact',
    ],
  },
  repair: {
    about: 'Mend what can be mended without loss: access, the log, indexes, files that no block has.',
    onlyFor: ['doctor'],
  },
} as const satisfies Record<string, Flag>
type FlagName = keyof typeof FLAGS

export interface Options {
  command: Command
  help: boolean
  /** What the command's operand names; empty where it takes none. */
  operand: string
  space?: string
  spaces?: string
  kind: ConnectionKind
  access: AccessLevel
  documents: string[]
  /** Names or nouns of tools, with commas between them; absent for all. */
  tools?: string
  name?: string
  /** As it was written: what it means depends on the space. */
  expires?: string
  bearer: boolean
  participant?: string
  timezone?: string
  editorUrl?: string
  host: string
  port: number
  publicUrl?: string
  tlsCert?: string
  tlsKey?: string
  /** Whether those who sign in are let in by an issuer of our own. */
  oauth: boolean
  oauthIssuer?: string
  oauthAudience?: string
  /** What hosts are asked to sign in for at first. */
  oauthAccess: AccessLevel
  subject?: string
  password: boolean
  trustsProxy: boolean
  /** Addresses and networks of proxies. */
  trustedProxies?: string[]
  metricsPort?: number
  /** Of a window; 0 is no limit. */
  limits: { requests: number; blocks: number; address: number; file: number }
  /** Folders from which files may be added. */
  files: string[]
  /** Whether a copy of the space is kept before a new version rewrites its tables. */
  keepsCopy: boolean
  /** Whether links and sign-ins stay when a backup is restored. */
  keepsAccess: boolean
  /** Whether a backup may take the place of another space than its own. */
  replacesOther: boolean
  /** Milliseconds for which the log of writes keeps what was written; absent for ever. */
  auditLogRetention?: number
  /** As it was written: what it means depends on the space. */
  before?: string
  /** Where a backup goes. */
  to?: string
  /** The folder where a server puts backups. */
  backupTo?: string
  /** Milliseconds from one backup to the next. */
  every: number
  /** How many backups are kept. */
  keep?: number
  follow: boolean
  json: boolean
  /** Whether the doctor mends what it can. */
  repair: boolean
}

const MEBIBYTE = 1024 * 1024
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4810
const DEFAULT_BACKUP_INTERVAL = '24h'
const DEFAULT_LOG_RETENTION = '90d'

/** The environment variable that stands for a flag: `--space` is `SCRIPTORIUM_SPACE`. */
const environmentName = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

const flagsForCommand = (command: Command): [FlagName, Flag][] =>
  (Object.entries(FLAGS) as [FlagName, Flag][]).filter(
    ([, { onlyFor }]) => onlyFor === undefined || onlyFor.includes(command),
  )

/** @throws VALIDATION_ERROR for a command, operand, flag or value that there is not, in one sentence */
export function parseOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { command, rest } = parseCommand(args)
  const { help, values, operands, given } = parseFlags(command, rest)
  const value = (flag: FlagName): string | undefined => {
    const found = values[flag] ?? environment[environmentName(flag)]
    return found === '' ? undefined : found
  }
  const options: Options = {
    command,
    help,
    operand: help ? '' : parseOperand(command, operands),
    kind: parseChoice(CONNECTION_KINDS, 'kind', value('kind') ?? 'full'),
    access: parseChoice(ACCESS_LEVELS, 'access', value('access') ?? 'full'),
    oauthAccess: parseChoice(ACCESS_LEVELS, 'oauth-access', value('oauth-access') ?? 'no-delete'),
    documents: (value('documents') ?? '').split(',').filter((id) => id.trim() !== ''),
    host: value('host') ?? DEFAULT_HOST,
    port: parsePort('port', value('port') ?? String(DEFAULT_PORT)),
    limits: {
      requests: parseLimit('limit-requests', value('limit-requests'), REQUESTS_PER_WINDOW),
      blocks: parseLimit('limit-blocks', value('limit-blocks'), BLOCKS_PER_WINDOW),
      address: parseLimit('limit-ip', value('limit-ip'), REQUESTS_PER_ADDRESS),
      file: parseLimit('limit-file', value('limit-file'), FILE_BYTES / MEBIBYTE) * MEBIBYTE || Infinity,
    },
    files: (value('files') ?? '').split(delimiter).filter((folder) => folder !== ''),
    bearer: given.has('bearer'),
    oauth: given.has('oauth'),
    password: given.has('password'),
    trustsProxy: given.has('trust-proxy'),
    keepsCopy: !given.has('no-copy'),
    every: parseDurationFlag('every', value('every') ?? DEFAULT_BACKUP_INTERVAL),
    keepsAccess: given.has('keep-access'),
    replacesOther: given.has('replace'),
    follow: given.has('follow'),
    json: given.has('json'),
    repair: given.has('repair'),
  }
  const texts = {
    space: value('space'),
    spaces: value('spaces'),
    tools: value('tools'),
    // The variable names the space, not a link.
    name: command === 'links add' ? values.name : value('name'),
    expires: value('expires'),
    participant: value('participant'),
    timezone: value('timezone'),
    editorUrl: parseUrl('editor-url', value('editor-url')),
    publicUrl: parseUrl('public-url', value('public-url')),
    tlsCert: value('tls-cert'),
    tlsKey: value('tls-key'),
    oauthIssuer: parseIssuer(value('oauth-issuer')),
    oauthAudience: value('oauth-audience'),
    subject: value('subject'),
    before: value('before'),
    to: value('to'),
    backupTo: value('backup-to'),
  }
  Object.assign(options, Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)))
  const proxies = value('trusted-proxies')
  if (proxies !== undefined) options.trustedProxies = parseNetworks('trusted-proxies', proxies)
  const metricsPort = value('metrics-port')
  if (metricsPort !== undefined) options.metricsPort = parsePort('metrics-port', metricsPort)
  if (SERVER_COMMANDS.includes(command)) {
    const retention = value('keep-log') ?? DEFAULT_LOG_RETENTION
    if (retention !== '0') options.auditLogRetention = parseDurationFlag('keep-log', retention)
  }
  const keep = value('keep')
  if (keep !== undefined) options.keep = parseCount('keep', keep)
  if (command === 'serve' && options.backupTo === undefined && (value('every') ?? keep) !== undefined) {
    throw invalid('Expected --backup-to with --every and --keep, found none; name the folder of the backups.')
  }
  assertCompatibleFlags(options)
  assertSafeSignIn(options)
  return options
}

/** @throws VALIDATION_ERROR for flags of which one says other than the other */
function assertCompatibleFlags({ space, spaces, tlsCert, tlsKey }: Options): void {
  if (space !== undefined && spaces !== undefined) {
    throw invalid('Expected --space or --spaces, found both; serve one file or a folder of them.')
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw invalid('Expected --tls-cert and --tls-key together, found one of them; give the other too.')
  }
}

/** @throws VALIDATION_ERROR where tokens could not be distinguished from those for another server or for no one */
function assertSafeSignIn(options: Options): void {
  const { command, oauth, oauthIssuer, oauthAudience, subject, host, publicUrl } = options
  if (oauth && oauthIssuer !== undefined) {
    throw invalid('Expected --oauth or --oauth-issuer, found both; let them sign in here, or at the one you name.')
  }
  if (oauthIssuer === undefined && subject !== undefined) {
    throw invalid('Expected --oauth-issuer with --subject, found none; a subject means somebody at its issuer alone.')
  }
  if (command !== 'serve') return
  if (oauthIssuer === undefined && oauthAudience !== undefined) {
    throw invalid('Expected --oauth-issuer with --oauth-audience, found none; name whose tokens are taken.')
  }
  if (!oauth && oauthIssuer === undefined) return
  const flag = oauth ? '--oauth' : '--oauth-issuer'
  if (publicUrl === undefined && !isLoopbackHost(host)) {
    throw invalid(
      `Expected --public-url with ${flag} at ${host}, found none; tokens are for one address of this server.`,
    )
  }
  const url = new URL(publicUrl ?? 'http://127.0.0.1')
  if (oauth && url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) {
    throw invalid(`Expected --public-url with https, found ${publicUrl}; passwords are sent there.`)
  }
}

/** The command that the arguments begin with, of one or two words, and what follows it. */
function parseCommand(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (first === '' || first.startsWith('-')) return { command: 'stdio', rest: args }
  const inGroup = commandsInGroup(first)
  const commandName = inGroup.length > 0 ? `${first} ${second}` : first
  const command = commands.find((one) => one === commandName)
  if (command !== undefined) return { command, rest: args.slice(inGroup.length > 0 ? 2 : 1) }
  const [onlyHelp] = inGroup
  if (onlyHelp !== undefined && (second === '--help' || second === '-h')) return { command: onlyHelp, rest: ['--help'] }
  const expected = inGroup.length > 0 ? inGroup : commands
  throw invalid(`Expected a command (${expected.join(', ')}), found ${commandName.trim()}; see --help.`)
}

function parseFlags(command: Command, args: readonly string[]) {
  const known = flagsForCommand(command)
  const flags = known.map(([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' } as const])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(flags), help: { type: 'boolean', short: 'h' } },
      allowPositionals: commandInfo(command).operand !== undefined,
    })
    const { help, ...rest } = values as Record<string, string | boolean | undefined>
    const strings = Object.entries(rest).filter(([, value]) => typeof value === 'string')
    return {
      help: help === true,
      values: Object.fromEntries(strings) as Partial<Record<FlagName, string>>,
      given: new Set(Object.keys(rest)),
      operands: positionals,
    }
  } catch (error) {
    const found = error instanceof Error ? error.message.split('. ')[0] : String(error)
    const expected = [...known.map(([flag]) => `--${flag}`), '--help'].join(', ')
    throw invalid(`Expected the flags of ${command} (${expected}), found this: ${found}; see ${command} --help.`)
  }
}

function parseOperand(command: Command, operands: readonly string[]): string {
  const { operand } = commandInfo(command)
  const [found, ...more] = operands
  if (operand === undefined) return ''
  if (found !== undefined && more.length === 0) return found
  const shown = found === undefined ? 'none' : `${operands.length} (${operands.join(', ')})`
  throw invalid(`Expected one ${operand} after ${command}, found ${shown}; put what has spaces in quotes.`)
}

function parseChoice<T extends string>(allowed: readonly T[], flag: FlagName, value: string): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw invalid(`Expected one of ${allowed.join(', ')} as --${flag}, found ${value}.`)
}

function parsePort(flag: FlagName, value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as --${flag}, found ${value}.`)
}

function parseNetworks(flag: FlagName, value: string): string[] {
  const networks = value.split(',').map((entry) => entry.trim())
  const invalidEntry = networks.find((entry) => parseNetwork(entry) === undefined)
  if (invalidEntry === undefined) return networks
  throw invalid(`Expected IP addresses or networks such as 10.0.0.0/8 as --${flag}, found ${invalidEntry}.`)
}

/** Milliseconds. */
function parseDurationFlag(flag: FlagName, value: string): number {
  const duration = parseDuration(value)
  if (duration !== undefined && duration > 0) return duration
  throw invalid(`Expected a while such as 12h or 90d as --${flag}, found ${value}.`)
}

function parseCount(flag: FlagName, value: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1) return count
  throw invalid(`Expected a whole number from 1 on as --${flag}, found ${value}.`)
}

function parseLimit(flag: FlagName, value: string | undefined, fallback: number): number {
  const limit = value === undefined ? fallback : Number(value)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw invalid(`Expected a whole number as --${flag}, 0 for no limit, found ${value}.`)
}

function parseUrl(flag: FlagName, value: string | undefined): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^https?:/.test(value))) return value
  throw invalid(`Expected an address with http or https as --${flag}, found ${value}.`)
}

/** Taken as it is written, since tokens name it so. */
function parseIssuer(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isSafe && isPlain) return value
  throw invalid(
    `Expected an address with https (http on this machine) and without query as --oauth-issuer, found ${value}.`,
  )
}

/** What `--help` shows, for all commands or for one. */
export function helpText(command?: Command): string {
  const usage = (one: Command) => [one, commandInfo(one).operand].filter(Boolean).join(' ')
  const width = Math.max(...commands.map((one) => usage(one).length))
  const list = commands.map((one) => `  ${usage(one).padEnd(width)}  ${commandInfo(one).about}`)
  const shown = flagsForCommand(command ?? 'stdio').map(([flag, { value, about }]) => {
    return value === undefined
      ? `  --${flag}\n      ${about}`
      : `  --${flag} ${value}\n      ${about} (${environmentName(flag)})`
  })
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${list.join('\n')}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${usage(command)} [flags]\n\n${commandInfo(command).about}\n\nFlags, and the environment variables that stand for them:`
  return `${head}\n${shown.join('\n')}\n  --help\n${command === undefined ? '  --version\n' : ''}`
}
