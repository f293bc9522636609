/**
 * Parses the values of flags and of their environment variables. Each parser receives the text and the name under which
 * messages show it, and throws VALIDATION_ERROR for an invalid value.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseBucketAddress } from '../../../storage/bucket/bucket-address.ts'
import { parseAddress } from '../../../storage/postgres/address.ts'
import { parseBytes } from '../../base/byte-sizes.ts'
import { parseNetwork } from '../../base/client-address.ts'
import { parseDuration } from '../../base/durations.ts'
import { invalid } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { nearestName } from '../../base/nearest-name.ts'

/** @param name  how messages call the flag or the variable */
export type Parser<T> = (text: string, name: string) => T

export function choiceOf<T extends string>(allowed: readonly T[]): Parser<T> {
  return (text, name) => {
    const found = allowed.find((one) => one === text)
    if (found !== undefined) return found
    const near = nearestName(text, allowed)
    const next = near === undefined ? '.' : `; did you mean ${near}?`
    throw invalid(`Expected one of ${allowed.join(', ')} as ${name}, found ${text}${next}`)
  }
}

export function parsePort(text: string, name: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port
  throw invalid(`Expected a port from 0 to 65535 as ${name}, found ${text}.`)
}

export const listOf =
  (separator: string, what: string): Parser<string[]> =>
  (text, name) => {
    const entries = text.split(separator).flatMap((entry) => entry.trim() || [])
    if (entries.length > 0) return entries
    throw invalid(`Expected ${what} as ${name}, found ${JSON.stringify(text)}, which has none; leave it out for all.`)
  }

export function parseNetworks(text: string, name: string): string[] {
  const networks = text.split(',').map((entry) => entry.trim())
  const invalidEntry = networks.find((entry) => parseNetwork(entry) === undefined)
  if (invalidEntry === undefined) return networks
  throw invalid(`Expected IP addresses or networks such as 10.0.0.0/8 as ${name}, found ${invalidEntry}.`)
}

/** Names of hosts as addresses have them, or `*.` and a name. */
export function parseHosts(text: string, name: string): string[] {
  return text.split(',').map((entry) => {
    const [, any = '', host = ''] = /^(\*\.)?(.+)$/.exec(entry.trim()) ?? []
    const url = `https://${host}/`
    // As an address spells it: in small letters, and in Punycode.
    if (URL.canParse(url) && new URL(url).href === `https://${new URL(url).hostname}/`)
      return `${any}${new URL(url).hostname}`
    throw invalid(`Expected names of hosts such as example.org or *.example.org as ${name}, found ${entry.trim()}.`)
  })
}

/** In milliseconds. */
export function parseInterval(text: string, name: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined && duration > 0) return duration
  throw invalid(`Expected a duration such as 12h or 90d as ${name}, found ${text}.`)
}

/** In milliseconds; infinite for 0. */
export const parseRetention: Parser<number> = (text, name) => (text === '0' ? Infinity : parseInterval(text, name))

export function parseCount(text: string, name: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw invalid(`Expected a whole number from 1 on as ${name}, found ${text}.`)
}

export function parseLimit(text: string, name: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 0) return limit
  throw invalid(`Expected a whole number as ${name}, 0 for no limit, found ${text}.`)
}

/** A number of MiB, in bytes; infinite for 0. */
export const parseFileLimit: Parser<number> = (text, name) => parseLimit(text, name) * 1024 * 1024 || Infinity

/** In bytes; infinite for 0. */
export const parseSize: Parser<number> = (text, name) => {
  const bytes = text === '0' ? Infinity : parseBytes(text)
  if (bytes !== undefined && bytes > 0) return bytes
  throw invalid(`Expected a size such as 10GB or 512MiB as ${name}, 0 for no limit, found ${text}.`)
}

export function parseUrl(text: string, name: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text
  throw invalid(`Expected an address with http or https as ${name}, found ${text}.`)
}

/** Paths are added to this address, so nothing may follow its own. */
export function parsePublicUrl(text: string, name: string): string {
  const { search, hash, username, password } = new URL(parseUrl(text, name))
  if (search === '' && hash === '' && username === '' && password === '') return text
  throw invalid(`Expected an address without a user name, ? and # as ${name}, found ${text}; leave these out.`)
}

/** @returns the absolute path */
export function parseFolder(text: string, name: string): string {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(text)
  throw invalid(`Expected a folder as ${name}, found ${text}.`)
}

/** Unchanged, since tokens must contain exactly this text. */
export function parseIssuer(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isSafe && isPlain) return text
  throw invalid(`Expected an address with https (http on this machine) and without query as ${name}, found ${text}.`)
}

/** The address of a database, without a space. Messages never contain its password. */
export function parseDatabase(text: string, name: string): string {
  const { shown, space } = parseAddress(text)
  if (space === undefined) return text.replace(/#$/, '')
  throw invalid(
    `Expected the address of a database without # as ${name}, found ${shown}; name one space of it with --space.`,
  )
}

/** The address of a bucket, unchanged. */
export function parseBucket(text: string): string {
  parseBucketAddress(text)
  return text
}
