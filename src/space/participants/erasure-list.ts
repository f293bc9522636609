/**
 * The list of erasures, which is kept beside the space and not in it: a backup from before an erasure brings the name
 * back, and the list says whose it was. It has no names: IDs, and hashes that are slow to make, so that names cannot be
 * tried in numbers.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'

/** An erasure, without the name: as the log and the list have it. */
export interface Erased {
  space: string
  at: string
  /** The IDs of the participant, and of the member. */
  ids: readonly string[]
  /** Salted hashes of the names. */
  names: readonly string[]
}

/** About 30 ms on one core. */
const COST = { N: 2 ** 13, r: 8, p: 1 }
const SALT_BYTES = 32
const HASH_BYTES = 32

/** @returns `scrypt$N$r$p$salt$hash` for each name, all with one salt */
export async function hashNames(names: readonly string[]): Promise<string[]> {
  const salt = randomBytes(SALT_BYTES)
  const hashes: string[] = []
  for (const name of names) hashes.push(await hashName(name, salt))
  return hashes
}

async function hashName(name: string, salt: Buffer): Promise<string> {
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(name.normalize('NFC'), salt, HASH_BYTES, COST, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    )
  })
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** True if one of these hashes is that of the name. */
export async function matchesHash(name: string, hashes: readonly string[]): Promise<boolean> {
  const known = new Set(hashes)
  for (const salt of new Set(hashes.map((hash) => hash.split('$')[4] ?? ''))) {
    if (known.has(await hashName(name, Buffer.from(salt, 'base64url')))) return true
  }
  return false
}

/** Reads a list, one JSON object a line. @throws VALIDATION_ERROR */
export function readErasures(text: string, path: string): Erased[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const value = parseLine(line)
    if (isObject(value) && typeof value.space === 'string' && isTexts(value.ids) && isTexts(value.names))
      return value as unknown as Erased
    throw invalid(
      `Expected an erasure on each line of ${path}, found another text on line ${index + 1}; participants erase writes the list.`,
    )
  })
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
