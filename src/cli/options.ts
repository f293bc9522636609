/** Parses the options of a run from the command line and the environment. */
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { invalid } from '../base/errors.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import type { Quotas } from '../space/model/quota.ts'
import { type GivenValues, parseCommand, parseFlags, parseOperands } from './command-line.ts'
import type { Command } from './commands.ts'
import { readFlagValues } from './flag-values.ts'
import { DEFAULT_PAGE_PORT, DEFAULT_PORT } from './flags/server-flags.ts'
import { type FlagName, type FlagValues, flagsForCommand } from './flags.ts'

/** What a run is asked to do: its command, its operands, and the values of all flags. */
export interface Options extends FlagValues {
  command: Command
  help: boolean
  /** The command's argument; empty if it has none. */
  operand: string
  /** The second argument; empty if the command has at most one. */
  secondOperand: string
  port: number
  /** Maximum bytes that each space of a server stores, and that each link wrote of them; absent for no limit. */
  quotas?: Quotas
}

/** @throws VALIDATION_ERROR, with one sentence, for an unknown command, argument or flag, or an invalid value */
export function parseOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { command, rest } = parseCommand(args)
  const { help, values: given, switches, operands } = parseFlags(command, rest)
  const known = new Set(flagsForCommand(command).map(([flag]) => flag))
  const { values, present } = readFlagValues(given, switches, environment, (flag) => known.has(flag))
  const { name: _, ...others } = values
  // The variable contains the name of the space, not of a link.
  const name = command === 'links add' ? given.name : values.name
  const options: Options = {
    ...others,
    ...(name !== undefined && { name }),
    port: values.port ?? (command === 'open' ? DEFAULT_PAGE_PORT : DEFAULT_PORT),
    command,
    help,
    ...(help ? { operand: '', secondOperand: '' } : parseOperands(command, operands)),
    ...(command === 'serve' && { quotas: quotasOf(values) }),
  }
  assertPartners(command, present, given)
  assertCompatibleFlags(options, given)
  assertSafeSignIn(options)
  return options
}

/** In bytes, of each of several spaces of a server. */
const DEFAULT_QUOTA = 10_000_000_000

/** A server with several spaces has a quota for each by default, so that one of them cannot fill the disk of all. */
function quotasOf(values: FlagValues): Quotas {
  const hasSeveral = values.spaces !== undefined || values.database !== undefined
  const { quota = hasSeveral ? DEFAULT_QUOTA : Infinity, linkQuota = Infinity } = values
  return { ...(quota < Infinity && { space: quota }), ...(linkQuota < Infinity && { link: linkQuota }) }
}

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
  'others-only': { needs: ['webhook'], next: 'name the address that is notified' },
  'webhook-allow': { needs: ['webhook'], next: 'name the address that it is for', onlyFor: ['links add'] },
  subject: { needs: ['oauth-issuer'], next: 'a subject only has a meaning for its issuer' },
  'oauth-issuer': {
    ...{ needs: ['subject'], next: 'name the subject they have there' },
    onlyFor: ['participants add', 'participants remove'],
  },
  'oauth-audience': { needs: ['oauth-issuer'], next: ISSUER_FOR['oauth-audience'] },
  'oauth-client-id': { needs: ['oauth-issuer'], next: ISSUER_FOR['oauth-client-id'] },
  'oauth-access': { needs: ['oauth', 'oauth-issuer'], next: 'without one of them, no one signs in' },
  'metrics-host': { needs: ['metrics-port'], next: 'name the port of the metrics' },
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
  assertGroupLink(options)
  assertActingLink(options, given)
  assertWorkDecision(options)
  assertReach(options)
}

/** @throws VALIDATION_ERROR for a decision about open work where no one is removed, and for two decisions */
function assertWorkDecision({ command, giveTo, keepWork, subject, password }: Options): void {
  if (giveTo === undefined && !keepWork) return
  if (giveTo !== undefined && keepWork) {
    throw invalid('Expected --give-to or --keep-work, found both; the open work is given to somebody or stays.')
  }
  if (command === 'participants remove' && (subject !== undefined || password)) {
    throw invalid(
      'Expected --give-to and --keep-work where a participant is removed, found that only a way to sign in is; leave them out.',
    )
  }
}

/** @throws VALIDATION_ERROR for what a link of a group cannot have: each person in it has one, and is the member */
function assertGroupLink({ command, group, participant, handle, picture, webhook }: Options): void {
  if (command !== 'links add' || group === undefined) return
  const [other] =
    Object.entries({ participant, handle, picture, webhook }).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined) throw invalid(`Expected --group without --${other}, found both; leave one of them out.`)
}

/** @throws VALIDATION_ERROR for a reach beside that of the link with which an agent acts */
function assertActingLink({ command, link }: Options, given: GivenValues): void {
  if (link === undefined || (command !== 'stdio' && command !== 'install')) return
  const other = (['kind', 'access', 'documents'] as const).find((flag) => Object.hasOwn(given, flag))
  if (other !== undefined)
    throw invalid(`Expected --link without --${other}, found both; the link says what it reaches and may do.`)
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
