/** Parses the values of flags. Every function throws VALIDATION_ERROR for an invalid value. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseBucketAddress } from '../../storage/bucket/bucket-address.ts'
import { parseAddress } from '../../storage/postgres/address.ts'
import { parseNetwork } from '../base/client-address.ts'
import { parseDuration } from '../base/durations.ts'
import { invalid } from '../base/errors.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import type { FlagName } from './flags.ts'

export function parseChoice<T extends string>(allowed: readonly T[], flag: FlagName, value: string): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw invalid(`Expected one of ${allowed.join(', ')} as --${flag}, found ${value}.`)
}

export function parsePort(flag: FlagName, value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as --${flag}, found ${value}.`)
}

export function parseNetworks(flag: FlagName, value: string): string[] {
  const networks = value.split(',').map((entry) => entry.trim())
  const invalidEntry = networks.find((entry) => parseNetwork(entry) === undefined)
  if (invalidEntry === undefined) return networks
  throw invalid(`Expected IP addresses or networks such as 10.0.0.0/8 as --${flag}, found ${invalidEntry}.`)
}

/** In milliseconds. */
export function parseDurationFlag(flag: FlagName, value: string): number {
  const duration = parseDuration(value)
  if (duration !== undefined && duration > 0) return duration
  throw invalid(`Expected a duration such as 12h or 90d as --${flag}, found ${value}.`)
}

export function parseCount(flag: FlagName, value: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1) return count
  throw invalid(`Expected a whole number from 1 on as --${flag}, found ${value}.`)
}

export function parseLimit(flag: FlagName, value: string | undefined, fallback: number): number {
  const limit = value === undefined ? fallback : Number(value)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw invalid(`Expected a whole number as --${flag}, 0 for no limit, found ${value}.`)
}

export function parseUrl(flag: FlagName, value: string | undefined): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^https?:/.test(value))) return value
  throw invalid(`Expected an address with http or https as --${flag}, found ${value}.`)
}

/** @returns the absolute path */
export function parseFolder(flag: FlagName, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (statSync(value, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(value)
  throw invalid(`Expected a folder as --${flag}, found ${value}.`)
}

/** Unchanged, since tokens must contain exactly this text. */
export function parseIssuer(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isSafe && isPlain) return value
  throw invalid(
    `Expected an address with https (http on this machine) and without query as --oauth-issuer, found ${value}.`,
  )
}

/** The address of a database, without a space. Messages never contain its password. */
export function parseDatabase(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const { shown, space } = parseAddress(value)
  if (space === undefined) return value.replace(/#$/, '')
  throw invalid(
    `Expected the address of a database without # as --database, found ${shown}; name one space of it with --space.`,
  )
}

/** The address of a bucket, unchanged. */
export function parseBucket(value: string | undefined): string | undefined {
  if (value !== undefined) parseBucketAddress(value)
  return value
}
