/** The command line: commands, flags, and the environment variables that stand for them. */
import { delimiter } from 'node:path'
import { parseArgs } from 'node:util'
import { readDuration } from './durations.ts'
import { invalid } from './errors.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from './limits.ts'
import { readNetwork } from './server/client-address.ts'
import { isLoopback } from './server/loopback.ts'
import { ACCESSES, type Access, KINDS, type Kind } from './space/space.ts'

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
  'links expose': { about: 'Say anew which documents a selected link exposes.', operand: 'ID' },
  'participants add': { about: 'Say of someone that they take part in the space.', operand: 'NAME' },
  'participants list': { about: 'List who takes part in the space.' },
  'participants remove': { about: 'Say of someone that they take part no more.', operand: 'NAME or ID' },
  log: { about: 'Print who wrote what, and when.' },
  backup: { about: 'Copy the space with its files, in use or not, and verify the copy.' },
  restore: { about: 'Put a backup in the place of the space, which no program may have open.', operand: 'FROM' },
  'trash empty': { about: 'Delete what is in the trash for good: nothing of it stays in the file.' },
  compact: { about: 'Write the file anew without the room that deleted things left; a server may run meanwhile.' },
  doctor: {
    about:
      'Say what is there (Node, SQLite, the space) and what to do about what is wrong. Exit code 0: sound; 3: --repair mends it; 4: it does not.',
  },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof COMMANDS

const commands = Object.keys(COMMANDS) as Command[]
const infoOf = (command: Command): CommandInfo => COMMANDS[command]
/** The commands of a group: `participants` has three. */
const group = (name: string): Command[] => commands.filter((command) => command.startsWith(`${name} `))

interface Flag {
  /** What stands for the value in the help; a flag without it is there or not. */
  value?: string
  about: string
  /** Commands that have it; all when absent. */
  only?: readonly Command[]
}

const HOSTING: readonly Command[] = ['stdio', 'serve']
const LINKS = group('links')
/** They change no file that is there. */
const NOT_UPGRADING: readonly Command[] = ['doctor', 'backup', 'restore']
const SIGNING_IN: readonly Command[] = ['serve', 'participants add', 'participants remove']

const FLAGS = {
  space: {
    value: 'FILE',
    about: 'The file of the space; made at the first start. Default: in the data folder of this platform.',
  },
  spaces: { value: 'FOLDER', about: 'Serve every space in this folder (*.sqlite) instead of one.', only: ['serve'] },
  kind: {
    value: KINDS.join('|'),
    about: 'What the connection reaches. Default: full.',
    only: ['stdio', 'links add'],
  },
  access: {
    value: ACCESSES.join('|'),
    about: 'What it may do there: all, all but delete, or read. Default: full.',
    only: ['stdio', 'links add'],
  },
  documents: {
    value: 'ID,ID',
    about: 'The documents that a selected connection reaches.',
    only: ['stdio', 'links add', 'links expose'],
  },
  tools: {
    value: 'LIST',
    about:
      'Only these tools, by name or by noun, with commas between them: documents,blocks_get. A shorter list costs fewer tokens. Default: all.',
    only: ['stdio'],
  },
  name: { value: 'NAME', about: 'The name of the space, kept when it is made; of links add, that of the link.' },
  expires: {
    value: 'TIME',
    about: 'When the link ends: a time with its offset, a date, or a while such as 12h or 30d.',
    only: ['links add'],
  },
  bearer: {
    about: 'Put the ID into the address, and take the secret from the header Authorization.',
    only: ['links add'],
  },
  participant: { value: 'NAME', about: 'Whose link it is, while several take part.', only: ['links add'] },
  timezone: { value: 'ZONE', about: "The space's time zone (IANA), kept when it is made. Default: the system's." },
  'editor-url': { value: 'URL', about: 'Where people edit documents in a browser, for links to them.' },
  host: { value: 'HOST', about: 'The name or address to listen at. Default: 127.0.0.1.', only: ['serve', 'links add'] },
  port: {
    value: 'PORT',
    about: 'The port to listen at, 0 for any free one. Default: 4810.',
    only: ['serve', 'links add'],
  },
  'public-url': { value: 'URL', about: 'Where the server is reached from outside.', only: ['serve', 'links add'] },
  'tls-cert': { value: 'FILE', about: 'The certificate, as PEM; with --tls-key for HTTPS.', only: ['serve'] },
  'tls-key': { value: 'FILE', about: 'The key of the certificate, as PEM.', only: ['serve'] },
  'trust-proxy': {
    about:
      'Take the address of a client from X-Forwarded-For: the last one there, which the proxy in front has added. Whoever can connect is believed: where others than the proxy can, name it with --trusted-proxies.',
    only: ['serve'],
  },
  'trusted-proxies': {
    value: 'LIST',
    about:
      'The proxies in front, as addresses or networks (10.0.0.0/8) with commas between them: the address of a client is the last one in X-Forwarded-For that is none of theirs.',
    only: ['serve'],
  },
  oauth: {
    about: 'Let participants with a password sign in at this server, at /spaces/KEY/mcp and /spaces/KEY/api/v1.',
    only: ['serve'],
  },
  'oauth-issuer': {
    value: 'URL',
    about: 'The identity provider whose access tokens open spaces at /spaces/KEY/mcp and /spaces/KEY/api/v1.',
    only: SIGNING_IN,
  },
  'oauth-audience': {
    value: 'AUDIENCE',
    about: 'An audience of tokens that is taken besides these addresses, where the provider cannot name them.',
    only: ['serve'],
  },
  'oauth-access': {
    value: ACCESSES.join('|'),
    about: 'What hosts are asked to sign in for at first; they ask for more when they need it. Default: no-delete.',
    only: ['serve'],
  },
  subject: {
    value: 'SUB',
    about: 'As whom they sign in: the claim sub of the issuer that --oauth-issuer names.',
    only: ['participants add', 'participants remove'],
  },
  password: {
    about:
      'Let them sign in at this server (serve --oauth) with the password that is asked for, or is the first line of standard input; of participants remove, end that.',
    only: ['participants add', 'participants remove'],
  },
  'metrics-port': {
    value: 'PORT',
    about: 'Serve /metrics for Prometheus at this port, to this machine alone.',
    only: ['serve'],
  },
  'limit-requests': {
    value: 'N',
    about: `Calls a minute for all connections of a space, 0 for no limit. Default: ${REQUESTS_PER_WINDOW}.`,
    only: HOSTING,
  },
  'limit-blocks': {
    value: 'N',
    about: `Blocks read or written a minute, 0 for no limit. Default: ${BLOCKS_PER_WINDOW}.`,
    only: HOSTING,
  },
  'limit-ip': {
    value: 'N',
    about: `Calls in ten seconds from one address, 0 for no limit. Default: ${REQUESTS_PER_ADDRESS}.`,
    only: ['serve'],
  },
  'limit-file': { value: 'MIB', about: 'MiB of one file at most, 0 for no limit. Default: 100.', only: HOSTING },
  files: {
    value: 'FOLDER',
    about: `A folder that files may be brought in from; several with ${delimiter} between them. Default: none.`,
    only: ['stdio'],
  },
  to: {
    value: 'FILE|FOLDER',
    about: 'Where the backup goes: a file that is not there yet, or a folder, where its name tells the time.',
    only: ['backup'],
  },
  'backup-to': {
    value: 'FOLDER',
    about: 'Back up each space to this folder, at the start if one is due, and from then on every so often.',
    only: ['serve'],
  },
  every: { value: 'TIME', about: 'The time from one backup to the next, such as 12h. Default: 24h.', only: ['serve'] },
  keep: {
    value: 'N',
    about: 'How many backups of a space stay in the folder; older ones are removed. Default: all.',
    only: ['backup', 'serve'],
  },
  before: {
    value: 'TIME',
    about:
      'Only what was thrown away before: a time with its offset, the start of a date, or a while ago such as 30d. Default: all.',
    only: ['trash empty'],
  },
  'keep-access': {
    about: 'Keep links and sign-ins as they were at the time of the backup: those that were ended since open again.',
    only: ['restore'],
  },
  replace: {
    about: 'Put the backup in the place of another space than it was made of, which is kept beside it.',
    only: ['restore'],
  },
  'keep-log': {
    value: 'TIME',
    about: 'How long the log of writes keeps what was written, such as 90d; 0 for ever. Default: 90d.',
    only: HOSTING,
  },
  'no-copy': {
    about: 'Keep no copy of the space beside it when a new version makes its tables anew.',
    only: commands.filter((command) => !NOT_UPGRADING.includes(command)),
  },
  follow: { about: 'Go on with what is written from now on.', only: ['log'] },
  json: {
    about: 'Answer as JSON.',
    only: [...LINKS, ...group('participants'), 'log', 'doctor', 'backup', 'restore', 'trash empty', 'compact'],
  },
  repair: {
    about: 'Mend what can be mended without loss: access, the log, indexes, files that no block has.',
    only: ['doctor'],
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
  kind: Kind
  access: Access
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
  oauthAccess: Access
  subject?: string
  password: boolean
  trustsProxy: boolean
  /** Addresses and networks of proxies. */
  trustedProxies?: string[]
  metricsPort?: number
  /** Of a window; 0 is no limit. */
  limits: { requests: number; blocks: number; address: number; file: number }
  /** Folders that files may be brought in from. */
  files: string[]
  /** Whether a copy of the space is kept before a new version makes its tables anew. */
  keepsCopy: boolean
  /** Whether links and sign-ins stay when a backup is restored. */
  keepsAccess: boolean
  /** Whether a backup may take the place of another space than its own. */
  replacesOther: boolean
  /** Milliseconds for which the log of writes keeps what was written; absent for ever. */
  keepsLogFor?: number
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
const DEFAULT_EVERY = '24h'
const DEFAULT_KEPT = '90d'

/** The environment variable that stands for a flag: `--space` is `SCRIPTORIUM_SPACE`. */
const twin = (flag: string): string => `SCRIPTORIUM_${flag.toUpperCase().replaceAll('-', '_')}`

const flagsOf = (command: Command): [FlagName, Flag][] =>
  (Object.entries(FLAGS) as [FlagName, Flag][]).filter(([, { only }]) => only === undefined || only.includes(command))

/** @throws VALIDATION_ERROR for a command, operand, flag or value that there is not, in one sentence */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { command, rest } = commandOf(args)
  const { help, values, operands, given } = parse(command, rest)
  const value = (flag: FlagName): string | undefined => {
    const found = values[flag] ?? environment[twin(flag)]
    return found === '' ? undefined : found
  }
  const options: Options = {
    command,
    help,
    operand: help ? '' : operandOf(command, operands),
    kind: oneOf(KINDS, 'kind', value('kind') ?? 'full'),
    access: oneOf(ACCESSES, 'access', value('access') ?? 'full'),
    oauthAccess: oneOf(ACCESSES, 'oauth-access', value('oauth-access') ?? 'no-delete'),
    documents: (value('documents') ?? '').split(',').filter((id) => id.trim() !== ''),
    host: value('host') ?? DEFAULT_HOST,
    port: portOf('port', value('port') ?? String(DEFAULT_PORT)),
    limits: {
      requests: limitOf('limit-requests', value('limit-requests'), REQUESTS_PER_WINDOW),
      blocks: limitOf('limit-blocks', value('limit-blocks'), BLOCKS_PER_WINDOW),
      address: limitOf('limit-ip', value('limit-ip'), REQUESTS_PER_ADDRESS),
      file: limitOf('limit-file', value('limit-file'), FILE_BYTES / MEBIBYTE) * MEBIBYTE || Infinity,
    },
    files: (value('files') ?? '').split(delimiter).filter((folder) => folder !== ''),
    bearer: given.has('bearer'),
    oauth: given.has('oauth'),
    password: given.has('password'),
    trustsProxy: given.has('trust-proxy'),
    keepsCopy: !given.has('no-copy'),
    every: durationOf('every', value('every') ?? DEFAULT_EVERY),
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
    editorUrl: urlOf('editor-url', value('editor-url')),
    publicUrl: urlOf('public-url', value('public-url')),
    tlsCert: value('tls-cert'),
    tlsKey: value('tls-key'),
    oauthIssuer: issuerOf(value('oauth-issuer')),
    oauthAudience: value('oauth-audience'),
    subject: value('subject'),
    before: value('before'),
    to: value('to'),
    backupTo: value('backup-to'),
  }
  Object.assign(options, Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)))
  const proxies = value('trusted-proxies')
  if (proxies !== undefined) options.trustedProxies = networksOf('trusted-proxies', proxies)
  const metricsPort = value('metrics-port')
  if (metricsPort !== undefined) options.metricsPort = portOf('metrics-port', metricsPort)
  if (HOSTING.includes(command)) {
    const kept = value('keep-log') ?? DEFAULT_KEPT
    if (kept !== '0') options.keepsLogFor = durationOf('keep-log', kept)
  }
  const keep = value('keep')
  if (keep !== undefined) options.keep = countOf('keep', keep)
  if (command === 'serve' && options.backupTo === undefined && (value('every') ?? keep) !== undefined) {
    throw invalid('Expected --backup-to with --every and --keep, found none; name the folder of the backups.')
  }
  refuseContrary(options)
  refuseUnsafeSignIn(options)
  return options
}

/** @throws VALIDATION_ERROR for flags of which one says other than the other */
function refuseContrary({ space, spaces, tlsCert, tlsKey }: Options): void {
  if (space !== undefined && spaces !== undefined) {
    throw invalid('Expected --space or --spaces, found both; serve one file or a folder of them.')
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw invalid('Expected --tls-cert and --tls-key together, found one of them; give the other too.')
  }
}

/** @throws VALIDATION_ERROR where tokens could not be told from those for another server, or for nobody */
function refuseUnsafeSignIn(options: Options): void {
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
  if (publicUrl === undefined && !isLoopback(host)) {
    throw invalid(
      `Expected --public-url with ${flag} at ${host}, found none; tokens are for one address of this server.`,
    )
  }
  const url = new URL(publicUrl ?? 'http://127.0.0.1')
  if (oauth && url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw invalid(`Expected --public-url with https, found ${publicUrl}; passwords are sent there.`)
  }
}

/** The command that the arguments begin with, of one or two words, and what follows it. */
function commandOf(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (first === '' || first.startsWith('-')) return { command: 'stdio', rest: args }
  const inGroup = group(first)
  const named = inGroup.length > 0 ? `${first} ${second}` : first
  const command = commands.find((one) => one === named)
  if (command !== undefined) return { command, rest: args.slice(inGroup.length > 0 ? 2 : 1) }
  const [onlyHelp] = inGroup
  if (onlyHelp !== undefined && (second === '--help' || second === '-h')) return { command: onlyHelp, rest: ['--help'] }
  const expected = inGroup.length > 0 ? inGroup : commands
  throw invalid(`Expected a command (${expected.join(', ')}), found ${named.trim()}; see --help.`)
}

function parse(command: Command, args: readonly string[]) {
  const known = flagsOf(command)
  const flags = known.map(([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' } as const])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(flags), help: { type: 'boolean', short: 'h' } },
      allowPositionals: infoOf(command).operand !== undefined,
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

function operandOf(command: Command, operands: readonly string[]): string {
  const { operand } = infoOf(command)
  const [found, ...more] = operands
  if (operand === undefined) return ''
  if (found !== undefined && more.length === 0) return found
  const words = found === undefined ? 'none' : `${operands.length} (${operands.join(', ')})`
  throw invalid(`Expected one ${operand} after ${command}, found ${words}; put what has spaces in quotes.`)
}

function oneOf<T extends string>(allowed: readonly T[], flag: FlagName, given: string): T {
  const found = allowed.find((one) => one === given)
  if (found !== undefined) return found
  throw invalid(`Expected one of ${allowed.join(', ')} as --${flag}, found ${given}.`)
}

function portOf(flag: FlagName, given: string): number {
  const port = Number(given)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as --${flag}, found ${given}.`)
}

function networksOf(flag: FlagName, given: string): string[] {
  const networks = given.split(',').map((one) => one.trim())
  const wrong = networks.find((one) => readNetwork(one) === undefined)
  if (wrong === undefined) return networks
  throw invalid(`Expected IP addresses or networks such as 10.0.0.0/8 as --${flag}, found ${wrong}.`)
}

/** Milliseconds. */
function durationOf(flag: FlagName, given: string): number {
  const duration = readDuration(given)
  if (duration !== undefined && duration > 0) return duration
  throw invalid(`Expected a while such as 12h or 90d as --${flag}, found ${given}.`)
}

function countOf(flag: FlagName, given: string): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1) return count
  throw invalid(`Expected a whole number from 1 on as --${flag}, found ${given}.`)
}

function limitOf(flag: FlagName, given: string | undefined, standard: number): number {
  const limit = given === undefined ? standard : Number(given)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw invalid(`Expected a whole number as --${flag}, 0 for no limit, found ${given}.`)
}

function urlOf(flag: FlagName, given: string | undefined): string | undefined {
  if (given === undefined || (URL.canParse(given) && /^https?:/.test(given))) return given
  throw invalid(`Expected an address with http or https as --${flag}, found ${given}.`)
}

/** Taken as it is written, since tokens name it so. */
function issuerOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isSafe && isPlain) return given
  throw invalid(
    `Expected an address with https (http on this machine) and without query as --oauth-issuer, found ${given}.`,
  )
}

/** What `--help` shows, for all commands or for one. */
export function helpText(command?: Command): string {
  const call = (one: Command) => [one, infoOf(one).operand].filter(Boolean).join(' ')
  const width = Math.max(...commands.map((one) => call(one).length))
  const list = commands.map((one) => `  ${call(one).padEnd(width)}  ${infoOf(one).about}`)
  const shown = flagsOf(command ?? 'stdio').map(([flag, { value, about }]) => {
    return value === undefined ? `  --${flag}\n      ${about}` : `  --${flag} ${value}\n      ${about} (${twin(flag)})`
  })
  const head =
    command === undefined
      ? `Usage: scriptorium [command] [flags]\n\nCommands:\n${list.join('\n')}\n\nFlags of stdio (each command has its own: scriptorium <command> --help):`
      : `Usage: scriptorium ${call(command)} [flags]\n\n${infoOf(command).about}\n\nFlags, and the environment variables that stand for them:`
  return `${head}\n${shown.join('\n')}\n  --help\n${command === undefined ? '  --version\n' : ''}`
}
