/**
 * Parses the values of flags and of their environment variables. Each parser receives the text and the name under which
 * messages show it, and throws VALIDATION_ERROR for an invalid value.
 */
import { statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { parseBucketAddress } from '../../storage/bucket/bucket-address.ts'
import { parseAddress } from '../../storage/postgres/address.ts'
import { parseBytes } from '../base/byte-sizes.ts'
import { parseNetwork } from '../base/client-address.ts'
import { parseDuration } from '../base/durations.ts'
import { invalid } from '../base/errors.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import { nearestName } from '../base/nearest-name.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS } from '../space/model/space.ts'
import { environmentName, type Flag, type FlagName, flags } from './flags.ts'

type Parser<T> = (text: string, name: string) => T

export function choiceOf<T extends string>(allowed: readonly T[]): Parser<T> {
  return (text, name) => {
    const found = allowed.find((one) => one === text)
    if (found !== undefined) return found
    const near = nearestName(text, allowed)
    const next = near === undefined ? '.' : `; did you mean ${near}?`
    throw invalid(`Expected one of ${allowed.join(', ')} as ${name}, found ${text}${next}`)
  }
}

function parsePort(text: string, name: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as ${name}, found ${text}.`)
}

const listOf =
  (separator: string, what: string): Parser<string[]> =>
  (text, name) => {
    const entries = text.split(separator).flatMap((entry) => entry.trim() || [])
    if (entries.length > 0) return entries
    throw invalid(`Expected ${what} as ${name}, found ${JSON.stringify(text)}, which has none; leave it out for all.`)
  }

function parseNetworks(text: string, name: string): string[] {
  const networks = text.split(',').map((entry) => entry.trim())
  const invalidEntry = networks.find((entry) => parseNetwork(entry) === undefined)
  if (invalidEntry === undefined) return networks
  throw invalid(`Expected IP addresses or networks such as 10.0.0.0/8 as ${name}, found ${invalidEntry}.`)
}

/** In milliseconds. */
function parseInterval(text: string, name: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined && duration > 0) return duration
  throw invalid(`Expected a duration such as 12h or 90d as ${name}, found ${text}.`)
}

/** In milliseconds; infinite for 0. */
const parseRetention: Parser<number> = (text, name) => (text === '0' ? Infinity : parseInterval(text, name))

function parseCount(text: string, name: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw invalid(`Expected a whole number from 1 on as ${name}, found ${text}.`)
}

function parseLimit(text: string, name: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw invalid(`Expected a whole number as ${name}, 0 for no limit, found ${text}.`)
}

/** In bytes; infinite for 0. */
const parseSize: Parser<number> = (text, name) => {
  const bytes = text === '0' ? Infinity : parseBytes(text)
  if (bytes !== undefined && bytes > 0) return bytes
  throw invalid(`Expected a size such as 10GB or 512MiB as ${name}, 0 for no limit, found ${text}.`)
}

function parseUrl(text: string, name: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text
  throw invalid(`Expected an address with http or https as ${name}, found ${text}.`)
}

/** Paths are added to this address, so nothing may follow its own. */
function parsePublicUrl(text: string, name: string): string {
  const { search, hash, username, password } = new URL(parseUrl(text, name))
  if (search === '' && hash === '' && username === '' && password === '') return text
  throw invalid(`Expected an address without a user name, ? and # as ${name}, found ${text}; leave these out.`)
}

/** @returns the absolute path */
function parseFolder(text: string, name: string): string {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(text)
  throw invalid(`Expected a folder as ${name}, found ${text}.`)
}

/** Unchanged, since tokens must contain exactly this text. */
function parseIssuer(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isSafe && isPlain) return text
  throw invalid(`Expected an address with https (http on this machine) and without query as ${name}, found ${text}.`)
}

/** The address of a database, without a space. Messages never contain its password. */
function parseDatabase(text: string, name: string): string {
  const { shown, space } = parseAddress(text)
  if (space === undefined) return text.replace(/#$/, '')
  throw invalid(
    `Expected the address of a database without # as ${name}, found ${shown}; name one space of it with --space.`,
  )
}

/** The address of a bucket, unchanged. */
function parseBucket(text: string): string {
  parseBucketAddress(text)
  return text
}

/** All other values are texts, which are read where they are used. */
const PARSERS = {
  kind: choiceOf(CONNECTION_KINDS),
  access: choiceOf(ACCESS_LEVELS),
  'oauth-access': choiceOf(ACCESS_LEVELS),
  documents: listOf(',', 'IDs of documents'),
  files: listOf(delimiter, 'folders'),
  port: parsePort,
  'metrics-port': parsePort,
  'limit-requests': parseLimit,
  'limit-blocks': parseLimit,
  'limit-ip': parseLimit,
  'limit-file': parseLimit,
  quota: parseSize,
  'link-quota': parseSize,
  every: parseInterval,
  'keep-log': parseRetention,
  'keep-history': parseRetention,
  keep: parseCount,
  database: parseDatabase,
  'database-pool': parseCount,
  'files-bucket': parseBucket,
  'editor-url': parseUrl,
  'public-url': parsePublicUrl,
  fonts: parseFolder,
  'trusted-proxies': parseNetworks,
  'webhook-allow': parseNetworks,
  'oauth-issuer': parseIssuer,
} satisfies Partial<Record<FlagName, Parser<unknown>>>
type Parsed = typeof PARSERS
const parserOf: ReadonlyMap<string, Parser<unknown>> = new Map(Object.entries(PARSERS))

/** The values that were given, by flag. */
export type FlagValues = { [Name in FlagName]?: Name extends keyof Parsed ? ReturnType<Parsed[Name]> : string }

/**
 * Parses the values of a run. A variable counts where its flag is not given. Wrong ones are refused even if the command
 * does not have the flag, since another command of the same environment has it.
 *
 * @param given  flags of the command line
 * @param isUsed  whether the command has a flag
 * @throws VALIDATION_ERROR also for an empty text: it is more often a variable that was not set than a choice
 */
export function parseValues(
  given: Readonly<Partial<Record<string, string>>>,
  environment: NodeJS.ProcessEnv,
  isUsed: (flag: FlagName) => boolean,
): FlagValues {
  const values: Partial<Record<FlagName, unknown>> = {}
  for (const flag of flagsWithValues) {
    const variable = environmentName(flag)
    const [text, name] = given[flag] === undefined ? [environment[variable], variable] : [given[flag], `--${flag}`]
    if (text === undefined) continue
    if (text === '')
      throw invalid(`Expected a value as ${name}, found an empty text; give one, or leave it out for its default.`)
    const parse = parserOf.get(flag)
    const value = parse === undefined ? text : parse(text, name)
    if (isUsed(flag)) values[flag] = value
  }
  return values as FlagValues
}

const hasValue = ([, { value }]: [string, Flag]): boolean => value !== undefined
const flagsWithValues = Object.entries(flags)
  .filter(hasValue)
  .map(([name]) => name as FlagName)

const variables: ReadonlyMap<string, FlagName> = new Map(flagsWithValues.map((flag) => [environmentName(flag), flag]))
const PREFIX = 'SCRIPTORIUM_'

/**
 * A sentence about variables with our prefix that no flag has, each with the nearest one; undefined if there are none.
 * They are not refused, since container platforms set such names for a service of that name.
 */
export function describeUnknownVariables(environment: NodeJS.ProcessEnv): string | undefined {
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !variables.has(name))
  if (unknown.length === 0) return undefined
  const known = [...variables.keys()]
  const found = unknown.sort().map((name) => {
    const flag = Object.keys(flags).find((one) => environmentName(one) === name)
    if (flag !== undefined) return `${name} (give --${flag}, which has no variable)`
    const near = nearestName(
      name.slice(PREFIX.length),
      known.map((one) => one.slice(PREFIX.length)),
    )
    return near === undefined ? name : `${name} (did you mean ${PREFIX}${near}?)`
  })
  return `Expected variables of known names, found ${found.join(', ')}; nothing reads them.`
}
