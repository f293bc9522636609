/** Parses the options of a run from the command line and the environment. */
import { delimiter } from 'node:path'
import { parseArgs } from 'node:util'
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { invalid } from '../base/errors.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import { ACCESS_LEVELS, type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../space/model/space.ts'
import { DATABASE_COMMANDS, FILES_BUCKET_COMMANDS, SERVER_COMMANDS } from './command-sets.ts'
import { type Command, commandInfo, commands, commandsInGroup } from './commands.ts'
import {
  parseBucket,
  parseChoice,
  parseCount,
  parseDatabase,
  parseDurationFlag,
  parseFolder,
  parseIssuer,
  parseLimit,
  parseNetworks,
  parsePort,
  parseUrl,
} from './flag-values.ts'
import {
  DEFAULT_BACKUP_INTERVAL,
  DEFAULT_HISTORY_RETENTION,
  DEFAULT_HOST,
  DEFAULT_LOG_RETENTION,
  DEFAULT_PAGE_PORT,
  DEFAULT_PORT,
  environmentName,
  type FlagName,
  flagsForCommand,
  MEBIBYTE,
} from './flags.ts'

export interface Options {
  command: Command
  help: boolean
  /** The command's argument; empty if it has none. */
  operand: string
  /** The second argument; empty if the command has at most one. */
  secondOperand: string
  space?: string
  spaces?: string
  /** Address of a PostgreSQL database. */
  database?: string
  /** Maximum number of connections to it. */
  databasePool?: number
  /** Address of the bucket for files of spaces in a database. */
  filesBucket?: string
  kind: ConnectionKind
  access: AccessLevel
  documents: string[]
  /** Names or nouns of tools, separated by commas; absent for all. */
  tools?: string
  name?: string
  /** As typed; interpreted with the time zone of the space. */
  expires?: string
  bearer: boolean
  /** The webhook address for events within the reach of a new link. */
  webhook?: string
  /** The events of the webhook, as typed; absent for all. */
  events?: string
  /** Addresses and networks in which webhooks may be, in addition to public ones. */
  webhookAllow?: string[]
  participant?: string
  timezone?: string
  editorUrl?: string
  /** The folder of fonts. */
  fonts?: string
  host: string
  port: number
  publicUrl?: string
  tlsCert?: string
  tlsKey?: string
  /** True to enable the embedded issuer. */
  oauth: boolean
  oauthIssuer?: string
  oauthAudience?: string
  oauthClientId?: string
  /** The access that hosts request first. */
  oauthAccess: AccessLevel
  subject?: string
  password: boolean
  trustsProxy: boolean
  /** Addresses and networks of proxies. */
  trustedProxies?: string[]
  metricsPort?: number
  /** Per window; 0 means no limit. */
  limits: { requests: number; blocks: number; address: number; file: number }
  /** Folders from which files may be added. */
  files: string[]
  /** The configuration file of a host. */
  hostConfig?: string
  /** True to only print the configuration. */
  print: boolean
  /** True to skip confirmation. */
  yes: boolean
  /** True to keep a copy of the space before a migration. */
  keepsCopy: boolean
  /** True to add a welcome document to a new space. */
  welcomes: boolean
  /** True to keep links and sign-ins when restoring a backup. */
  keepsAccess: boolean
  /** True to allow a backup to replace a different space. */
  replacesOther: boolean
  /** Milliseconds for which the audit log is kept; absent for unlimited. */
  auditLogRetention?: number
  /** Milliseconds for which history is kept; absent for unlimited. */
  historyRetention?: number
  /** As typed; interpreted with the space. */
  call?: string
  since?: string
  until?: string
  connection?: string
  link?: string
  document?: string
  dryRun: boolean
  skipConflicts: boolean
  /** A message to the agent whose proposal is rejected. */
  note?: string
  /** The fingerprint of the approved diff. */
  fingerprint?: string
  before?: string
  /** The point in time of a version, as typed. */
  at?: string
  /** The target of a backup. */
  to?: string
  /** The folder for automatic backups. */
  backupTo?: string
  /** Milliseconds between two automatic backups. */
  every: number
  /** Number of backups to keep. */
  keep?: number
  follow: boolean
  json: boolean
  /** True to let `open` open a browser. */
  opensBrowser: boolean
  /** True to let the doctor repair what it can. */
  repair: boolean
  /** The format of an import, as typed. */
  as?: string
  /** True to continue exporting after changes. */
  watch: boolean
  /** True to turn folders of notes with properties into collections. */
  collections: boolean
  /** The target folder of an import. */
  into?: string
}

/** @throws VALIDATION_ERROR, with one sentence, for an unknown command, argument or flag, or an invalid value */
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
    ...(help ? { operand: '', secondOperand: '' } : parseOperands(command, operands)),
    kind: parseChoice(CONNECTION_KINDS, 'kind', value('kind') ?? 'full'),
    access: parseChoice(ACCESS_LEVELS, 'access', value('access') ?? 'full'),
    oauthAccess: parseChoice(ACCESS_LEVELS, 'oauth-access', value('oauth-access') ?? 'no-delete'),
    documents: (value('documents') ?? '').split(',').filter((id) => id.trim() !== ''),
    host: value('host') ?? DEFAULT_HOST,
    port: parsePort('port', value('port') ?? String(command === 'open' ? DEFAULT_PAGE_PORT : DEFAULT_PORT)),
    limits: {
      requests: parseLimit('limit-requests', value('limit-requests'), REQUESTS_PER_WINDOW),
      blocks: parseLimit('limit-blocks', value('limit-blocks'), BLOCKS_PER_WINDOW),
      address: parseLimit('limit-ip', value('limit-ip'), REQUESTS_PER_ADDRESS),
      file: parseLimit('limit-file', value('limit-file'), FILE_BYTES / MEBIBYTE) * MEBIBYTE || Infinity,
    },
    files: (value('files') ?? '').split(delimiter).filter((folder) => folder !== ''),
    print: given.has('print'),
    yes: given.has('yes'),
    bearer: given.has('bearer'),
    oauth: given.has('oauth'),
    password: given.has('password'),
    trustsProxy: given.has('trust-proxy'),
    keepsCopy: !given.has('no-copy'),
    welcomes: !given.has('no-welcome'),
    every: parseDurationFlag('every', value('every') ?? DEFAULT_BACKUP_INTERVAL),
    keepsAccess: given.has('keep-access'),
    replacesOther: given.has('replace'),
    follow: given.has('follow'),
    dryRun: given.has('dry-run'),
    collections: given.has('collections'),
    watch: given.has('watch'),
    skipConflicts: given.has('skip-conflicts'),
    json: given.has('json'),
    opensBrowser: !given.has('no-browser'),
    repair: given.has('repair'),
  }
  const texts = {
    space: value('space'),
    spaces: value('spaces'),
    database: DATABASE_COMMANDS.includes(command) ? parseDatabase(value('database')) : undefined,
    filesBucket: FILES_BUCKET_COMMANDS.includes(command) ? parseBucket(value('files-bucket')) : undefined,
    tools: value('tools'),
    hostConfig: value('host-config'),
    // The variable contains the name of the space, not of a link.
    name: command === 'links add' ? values.name : value('name'),
    expires: value('expires'),
    webhook: value('webhook'),
    events: value('events'),
    participant: value('participant'),
    timezone: value('timezone'),
    editorUrl: parseUrl('editor-url', value('editor-url')),
    fonts: parseFolder('fonts', value('fonts')),
    publicUrl: parseUrl('public-url', value('public-url')),
    tlsCert: value('tls-cert'),
    tlsKey: value('tls-key'),
    oauthIssuer: parseIssuer(value('oauth-issuer')),
    oauthAudience: value('oauth-audience'),
    oauthClientId: value('oauth-client-id'),
    subject: value('subject'),
    before: value('before'),
    at: value('at'),
    call: value('call'),
    since: value('since'),
    until: value('until'),
    connection: value('connection'),
    link: value('link'),
    document: value('document'),
    note: value('note'),
    fingerprint: value('fingerprint'),
    to: value('to'),
    backupTo: value('backup-to'),
    as: value('as'),
    into: value('into'),
  }
  Object.assign(options, Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)))
  const proxies = value('trusted-proxies')
  if (proxies !== undefined) options.trustedProxies = parseNetworks('trusted-proxies', proxies)
  const webhookNetworks = value('webhook-allow')
  if (webhookNetworks !== undefined) options.webhookAllow = parseNetworks('webhook-allow', webhookNetworks)
  const databasePool = value('database-pool')
  if (databasePool !== undefined) options.databasePool = parseCount('database-pool', databasePool)
  const metricsPort = value('metrics-port')
  if (metricsPort !== undefined) options.metricsPort = parsePort('metrics-port', metricsPort)
  if (SERVER_COMMANDS.includes(command)) {
    const retention = value('keep-log') ?? DEFAULT_LOG_RETENTION
    if (retention !== '0') options.auditLogRetention = parseDurationFlag('keep-log', retention)
    const history = value('keep-history') ?? DEFAULT_HISTORY_RETENTION
    if (history !== '0') options.historyRetention = parseDurationFlag('keep-history', history)
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

/** @throws VALIDATION_ERROR for flags that contradict each other */
function assertCompatibleFlags(options: Options): void {
  const { space, spaces, database, filesBucket, backupTo, tlsCert, tlsKey, webhook, events } = options
  if (events !== undefined && webhook === undefined) {
    throw invalid('Expected --webhook with --events, found none; name the address that they are sent to.')
  }
  if (space !== undefined && spaces !== undefined) {
    throw invalid('Expected --space or --spaces, found both; serve one file or a folder of them.')
  }
  if (database !== undefined && (space !== undefined || spaces !== undefined)) {
    const found = space === undefined ? '--spaces' : '--space'
    throw invalid(
      `Expected --database alone, found ${found} as well; serve the spaces of a database or those of files.`,
    )
  }
  const { command, operand, secondOperand } = options
  const places = command === 'spaces move' ? [operand, secondOperand] : [space ?? '']
  if (filesBucket !== undefined && database === undefined && !places.some(isDatabaseAddress)) {
    throw invalid(
      'Expected a database with --files-bucket, found a space in a file, whose own files are next to it; leave --files-bucket out, or name a database.',
    )
  }
  if (backupTo !== undefined && (database !== undefined || isDatabaseAddress(space ?? ''))) {
    throw invalid(
      'Expected files of spaces with --backup-to, found a database; back the database up with its own programs, such as pg_dump.',
    )
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw invalid('Expected --tls-cert and --tls-key together, found one of them; give the other too.')
  }
}

/**
 * @throws VALIDATION_ERROR if tokens could not be distinguished from those for another server, or from tokens without
 *   an audience
 */
function assertSafeSignIn(options: Options): void {
  const { command, oauth, oauthIssuer, oauthAudience, oauthClientId, subject, host, publicUrl } = options
  if (oauth && oauthIssuer !== undefined) {
    throw invalid('Expected --oauth or --oauth-issuer, found both; let people sign in here, or at the issuer you name.')
  }
  if (oauthIssuer === undefined && subject !== undefined) {
    throw invalid('Expected --oauth-issuer with --subject, found none; a subject only has a meaning for its issuer.')
  }
  if (command !== 'serve') return
  if (oauthIssuer === undefined && oauthAudience !== undefined) {
    throw invalid(
      'Expected --oauth-issuer with --oauth-audience, found none; name the issuer whose tokens are accepted.',
    )
  }
  if (oauthIssuer === undefined && oauthClientId !== undefined) {
    throw invalid(
      'Expected --oauth-issuer with --oauth-client-id, found none; name the issuer that knows this server by that ID.',
    )
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

/** Splits the arguments into the command (one or two words) and the rest. */
function parseCommand(args: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (first === '' || first.startsWith('-')) return { command: 'stdio', rest: args }
  const inGroup = commandsInGroup(first)
  const longCommand = inGroup.find((one) => one === `${first} ${second}`)
  if (longCommand !== undefined) return { command: longCommand, rest: args.slice(2) }
  const command = commands.find((one) => one === first)
  if (command !== undefined) return { command, rest: args.slice(1) }
  const [onlyHelp] = inGroup
  if (onlyHelp !== undefined && (second === '--help' || second === '-h')) return { command: onlyHelp, rest: ['--help'] }
  const expected = inGroup.length > 0 ? inGroup : commands
  const found = inGroup.length > 0 ? `${first} ${second}`.trim() : first
  throw invalid(`Expected a command (${expected.join(', ')}), found ${found}; see --help.`)
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

function parseOperands(command: Command, operands: readonly string[]): Pick<Options, 'operand' | 'secondOperand'> {
  const { operand, secondOperand } = commandInfo(command)
  const [found = '', second = ''] = operands
  if (operand === undefined || operands.length === (secondOperand === undefined ? 1 : 2)) {
    return { operand: found, secondOperand: second }
  }
  const expected = secondOperand === undefined ? `one ${operand}` : `${operand} and ${secondOperand}`
  // Several arguments may include the address of a database with its password, which must not be printed.
  const shown = secondOperand === undefined ? `${operands.length} (${operands.join(', ')})` : `${operands.length}`
  throw invalid(
    `Expected ${expected} after ${command}, found ${operands.length === 0 ? 'none' : shown}; put what has spaces in quotes.`,
  )
}
