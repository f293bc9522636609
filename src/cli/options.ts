/** The options of a run, read from the command line and the environment. */
import { delimiter } from 'node:path'
import { parseArgs } from 'node:util'
import { isLoopbackHost } from '../auth/loopback.ts'
import { invalid } from '../base/errors.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { ACCESS_LEVELS, type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../space/model/space.ts'
import { type Command, commandInfo, commands, commandsInGroup } from './commands.ts'
import {
  parseChoice,
  parseCount,
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
  DEFAULT_PORT,
  environmentName,
  type FlagName,
  flagsForCommand,
  MEBIBYTE,
  SERVER_COMMANDS,
} from './flags.ts'

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
  /** Whether the doctor repairs what it can. */
  repair: boolean
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
    skipConflicts: given.has('skip-conflicts'),
    json: given.has('json'),
    repair: given.has('repair'),
  }
  const texts = {
    space: value('space'),
    spaces: value('spaces'),
    tools: value('tools'),
    hostConfig: value('host-config'),
    // The variable names the space, not a link.
    name: command === 'links add' ? values.name : value('name'),
    expires: value('expires'),
    participant: value('participant'),
    timezone: value('timezone'),
    editorUrl: parseUrl('editor-url', value('editor-url')),
    fonts: parseFolder('fonts', value('fonts')),
    publicUrl: parseUrl('public-url', value('public-url')),
    tlsCert: value('tls-cert'),
    tlsKey: value('tls-key'),
    oauthIssuer: parseIssuer(value('oauth-issuer')),
    oauthAudience: value('oauth-audience'),
    subject: value('subject'),
    before: value('before'),
    at: value('at'),
    call: value('call'),
    since: value('since'),
    until: value('until'),
    connection: value('connection'),
    link: value('link'),
    document: value('document'),
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

function parseOperand(command: Command, operands: readonly string[]): string {
  const { operand } = commandInfo(command)
  const [found, ...more] = operands
  if (operand === undefined) return ''
  if (found !== undefined && more.length === 0) return found
  const shown = found === undefined ? 'none' : `${operands.length} (${operands.join(', ')})`
  throw invalid(`Expected one ${operand} after ${command}, found ${shown}; put what has spaces in quotes.`)
}
