/** The options of a run, read from the command line and the environment. */
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
  /** What the command's operand names; empty where it takes none. */
  operand: string
  /** What is named after that; empty where the command takes one at most. */
  secondOperand: string
  space?: string
  spaces?: string
  /** Address of a database of PostgreSQL. */
  database?: string
  /** Connections to it at most. */
  databasePool?: number
  /** Address of the bucket that has the files of spaces in a database. */
  filesBucket?: string
  kind: ConnectionKind
  access: AccessLevel
  documents: string[]
  /** Names or nouns of tools, with commas between them; absent for all. */
  tools?: string
  name?: string
  /** As it was written: what it means depends on the space. */
  expires?: string
  bearer: boolean
  /** Where what happens within the reach of a new link is sent. */
  webhook?: string
  /** What of that, as it was written; absent for all. */
  events?: string
  /** Addresses and networks that webhooks may be in, besides the public one. */
  webhookAllow?: string[]
  participant?: string
  timezone?: string
  editorUrl?: string
  /** Folder of fonts. */
  fonts?: string
  host: string
  port: number
  publicUrl?: string
  tlsCert?: string
  tlsKey?: string
  /** Whether those who sign in are let in by an issuer of our own. */
  oauth: boolean
  oauthIssuer?: string
  oauthAudience?: string
  oauthClientId?: string
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
  /** The configuration file of a host. */
  hostConfig?: string
  /** Whether it is only shown. */
  print: boolean
  /** Whether it is changed without asking. */
  yes: boolean
  /** Whether a copy of the space is kept before a new version rewrites its tables. */
  keepsCopy: boolean
  /** Whether a new space begins with a document that says what a space can do. */
  welcomes: boolean
  /** Whether links and sign-ins stay when a backup is restored. */
  keepsAccess: boolean
  /** Whether a backup may take the place of another space than its own. */
  replacesOther: boolean
  /** Milliseconds for which the log of writes keeps what was written; absent for ever. */
  auditLogRetention?: number
  /** Milliseconds for which history is kept; absent for ever. */
  historyRetention?: number
  /** As they were written: what they mean depends on the space. */
  call?: string
  since?: string
  until?: string
  connection?: string
  link?: string
  document?: string
  dryRun: boolean
  skipConflicts: boolean
  /** A word to the agent whose proposal is rejected. */
  note?: string
  /** Of the difference that is approved. */
  fingerprint?: string
  before?: string
  /** The moment of a version, as it was written. */
  at?: string
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
  /** Whether `open` opens a browser. */
  opensBrowser: boolean
  /** Whether the doctor repairs what it can. */
  repair: boolean
  /** The format of what is imported, as it was written. */
  as?: string
  /** Whether an export goes on with what changes. */
  watch: boolean
  /** Whether folders of notes with properties become collections. */
  collections: boolean
  /** The folder that an import goes into. */
  into?: string
}

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
    // The variable names the space, not a link.
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

/** @throws VALIDATION_ERROR for flags of which one says other than the other */
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

/** @throws VALIDATION_ERROR where tokens could not be distinguished from those for another server or for no one */
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

/** The command that the arguments begin with, of one or two words, and what follows it. */
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
  // Among several may be the address of a database with its password.
  const shown = secondOperand === undefined ? `${operands.length} (${operands.join(', ')})` : `${operands.length}`
  throw invalid(
    `Expected ${expected} after ${command}, found ${operands.length === 0 ? 'none' : shown}; put what has spaces in quotes.`,
  )
}
