/** Parses the options of a run from the command line and the environment. */
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { invalid } from '../base/errors.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_ADDRESS, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import type { Quotas } from '../space/model/quota.ts'
import type { AccessLevel, ConnectionKind } from '../space/model/space.ts'
import { type GivenValues, parseCommand, parseFlags, parseOperands } from './command-line.ts'
import { SERVER_COMMANDS } from './command-sets.ts'
import type { Command } from './commands.ts'
import { type FlagValues, parseValues } from './flag-values.ts'
import {
  DEFAULT_BACKUP_INTERVAL,
  DEFAULT_HISTORY_RETENTION,
  DEFAULT_HOST,
  DEFAULT_LOG_RETENTION,
  DEFAULT_PAGE_PORT,
  DEFAULT_PORT,
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
  /** True to ask for the passphrase that encrypts the secrets in the export of a space. */
  passphrase: boolean
  trustsProxy: boolean
  /** Addresses and networks of proxies. */
  trustedProxies?: string[]
  metricsPort?: number
  /** Per window; 0 means no limit. */
  limits: { requests: number; blocks: number; address: number; file: number }
  /** Maximum bytes that each space stores, and that each link wrote of them; absent for no limit. */
  quotas?: Quotas
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
  const { help, values: given, switches, operands } = parseFlags(command, rest)
  const known = new Set(flagsForCommand(command).map(([flag]) => flag))
  const values = parseValues(given, environment, (flag) => known.has(flag))
  const options: Options = {
    command,
    help,
    ...(help ? { operand: '', secondOperand: '' } : parseOperands(command, operands)),
    kind: values.kind ?? 'full',
    access: values.access ?? 'full',
    oauthAccess: values['oauth-access'] ?? 'no-delete',
    documents: values.documents ?? [],
    host: values.host ?? DEFAULT_HOST,
    port: values.port ?? (command === 'open' ? DEFAULT_PAGE_PORT : DEFAULT_PORT),
    limits: {
      requests: values['limit-requests'] ?? REQUESTS_PER_WINDOW,
      blocks: values['limit-blocks'] ?? BLOCKS_PER_WINDOW,
      address: values['limit-ip'] ?? REQUESTS_PER_ADDRESS,
      file: (values['limit-file'] ?? FILE_BYTES / MEBIBYTE) * MEBIBYTE || Infinity,
    },
    files: values.files ?? [],
    every: values.every ?? DEFAULT_BACKUP_INTERVAL,
    print: switches.has('print'),
    yes: switches.has('yes'),
    bearer: switches.has('bearer'),
    oauth: switches.has('oauth'),
    password: switches.has('password'),
    passphrase: switches.has('passphrase'),
    trustsProxy: switches.has('trust-proxy'),
    keepsCopy: !switches.has('no-copy'),
    welcomes: !switches.has('no-welcome'),
    keepsAccess: switches.has('keep-access'),
    replacesOther: switches.has('replace'),
    follow: switches.has('follow'),
    dryRun: switches.has('dry-run'),
    collections: switches.has('collections'),
    watch: switches.has('watch'),
    skipConflicts: switches.has('skip-conflicts'),
    json: switches.has('json'),
    opensBrowser: !switches.has('no-browser'),
    repair: switches.has('repair'),
    ...present({
      space: values.space,
      spaces: values.spaces,
      database: values.database,
      databasePool: values['database-pool'],
      filesBucket: values['files-bucket'],
      tools: values.tools,
      hostConfig: values['host-config'],
      // The variable contains the name of the space, not of a link.
      name: command === 'links add' ? given.name : values.name,
      expires: values.expires,
      webhook: values.webhook,
      events: values.events,
      webhookAllow: values['webhook-allow'],
      participant: values.participant,
      timezone: values.timezone,
      editorUrl: values['editor-url'],
      fonts: values.fonts,
      publicUrl: values['public-url'],
      tlsCert: values['tls-cert'],
      tlsKey: values['tls-key'],
      trustedProxies: values['trusted-proxies'],
      metricsPort: values['metrics-port'],
      oauthIssuer: values['oauth-issuer'],
      oauthAudience: values['oauth-audience'],
      oauthClientId: values['oauth-client-id'],
      subject: values.subject,
      before: values.before,
      at: values.at,
      call: values.call,
      since: values.since,
      until: values.until,
      connection: values.connection,
      link: values.link,
      document: values.document,
      note: values.note,
      fingerprint: values.fingerprint,
      to: values.to,
      backupTo: values['backup-to'],
      keep: values.keep,
      as: values.as,
      into: values.into,
    }),
    ...(SERVER_COMMANDS.includes(command) &&
      present({
        auditLogRetention: finite(values['keep-log'] ?? DEFAULT_LOG_RETENTION),
        historyRetention: finite(values['keep-history'] ?? DEFAULT_HISTORY_RETENTION),
      })),
    ...(command === 'serve' && { quotas: quotasOf(values) }),
  }
  assertPartners(command, new Set([...Object.keys(values), ...switches]), given)
  assertCompatibleFlags(options, given)
  assertSafeSignIn(options)
  return options
}

/** In bytes, of each of several spaces of a server. */
const DEFAULT_QUOTA = 10_000_000_000

/** A server with several spaces has a quota for each by default, so that one of them cannot fill the disk of all. */
function quotasOf(values: FlagValues): Quotas {
  const hasSeveral = values.spaces !== undefined || values.database !== undefined
  return present({
    space: finite(values.quota ?? (hasSeveral ? DEFAULT_QUOTA : Infinity)),
    link: finite(values['link-quota'] ?? Infinity),
  })
}

const finite = (value: number): number | undefined => (value === Infinity ? undefined : value)

/** The fields that have a value. */
const present = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

/** A flag that says nothing without one of others. */
interface Partner {
  needs: readonly FlagName[]
  /** What to do, at the end of the sentence. */
  next: string
  /** Commands for which this holds; by default all that have the flag. */
  onlyFor?: readonly Command[]
}

const ISSUER_FOR = {
  'oauth-audience': 'name the issuer whose tokens are accepted',
  'oauth-client-id': 'name the issuer that knows this server by that ID',
} as const
const BACKUPS: Partner = { needs: ['backup-to'], next: 'name the folder of the backups', onlyFor: ['serve'] }
const PARTNERS: Readonly<Partial<Record<FlagName, Partner>>> = {
  events: { needs: ['webhook'], next: 'name the address that they are sent to' },
  'webhook-allow': { needs: ['webhook'], next: 'name the address that it is for', onlyFor: ['links add'] },
  subject: { needs: ['oauth-issuer'], next: 'a subject only has a meaning for its issuer' },
  'oauth-issuer': {
    ...{ needs: ['subject'], next: 'name the subject they have there' },
    onlyFor: ['participants add', 'participants remove'],
  },
  'oauth-audience': { needs: ['oauth-issuer'], next: ISSUER_FOR['oauth-audience'] },
  'oauth-client-id': { needs: ['oauth-issuer'], next: ISSUER_FOR['oauth-client-id'] },
  'oauth-access': { needs: ['oauth', 'oauth-issuer'], next: 'without one of them, no one signs in' },
  every: BACKUPS,
  keep: BACKUPS,
  'tls-cert': { needs: ['tls-key'], next: 'give the key of the certificate' },
  'tls-key': { needs: ['tls-cert'], next: 'give the certificate of the key' },
}

/**
 * Checks flags of the command line, and for `serve` variables as well: those of other commands are set for whatever
 * runs in an environment.
 *
 * @param all  flags that have a value, wherever it is from
 * @throws VALIDATION_ERROR for a flag without its partner
 */
function assertPartners(command: Command, all: ReadonlySet<string>, given: GivenValues): void {
  for (const [flag, { needs, next, onlyFor }] of Object.entries(PARTNERS)) {
    const isGiven = command === 'serve' ? all.has(flag) : Object.hasOwn(given, flag)
    if (!isGiven || onlyFor?.includes(command) === false || needs.some((one) => all.has(one))) continue
    const names = needs.map((one) => `--${one}`).join(' or ')
    throw invalid(`Expected ${names} with --${flag}, found none; ${next}.`)
  }
}

/** @throws VALIDATION_ERROR for flags that contradict each other */
function assertCompatibleFlags(options: Options, given: GivenValues): void {
  const { space, spaces, database, filesBucket, backupTo } = options
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
  if ('database-pool' in given && database === undefined && !isDatabaseAddress(space ?? '')) {
    throw invalid(
      'Expected a database with --database-pool, found a space in a file; leave it out, or name a database.',
    )
  }
  if (backupTo !== undefined && (database !== undefined || isDatabaseAddress(space ?? ''))) {
    throw invalid(
      'Expected files of spaces with --backup-to, found a database; back the database up with its own programs, such as pg_dump.',
    )
  }
  assertReach(options)
}

/** Checks what `install` writes for later. Other commands find the same faults when they begin. */
function assertReach({ command, kind, documents }: Options): void {
  if (command !== 'install') return
  if (kind === 'selected' && documents.length === 0) {
    throw invalid('Expected the IDs of the documents that a selected connection exposes as --documents, found none.')
  }
  if (kind !== 'selected' && documents.length > 0) {
    throw invalid(`Expected --documents with --kind selected alone, found --kind ${kind}; leave one of them out.`)
  }
}

/**
 * @throws VALIDATION_ERROR if tokens could not be distinguished from those for another server, or from tokens without
 *   an audience
 */
function assertSafeSignIn(options: Options): void {
  const { command, oauth, oauthIssuer, host, publicUrl } = options
  if (oauth && oauthIssuer !== undefined) {
    throw invalid('Expected --oauth or --oauth-issuer, found both; let people sign in here, or at the issuer you name.')
  }
  if (command !== 'serve') return
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
