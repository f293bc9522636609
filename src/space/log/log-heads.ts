/**
 * Heads of the log: the number and the hash of an entry, signed, to be kept out of reach of those who can write the
 * space. They prove that the log up to this entry is the one that the head was made of.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { lastSealedEntry } from '../../../storage/log-chain.ts'
import { invalid, messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import type { Space } from '../model/space.ts'
import type { LogProblem } from './verify-log.ts'

/** Of an entry, as a head or a line of an exported log has it. */
export interface KeptHash {
  n: number
  hash: string
  /** Of heads. */
  space?: string
  at?: string
  publicKey?: string
  signature?: string
}

/** @throws VALIDATION_ERROR for a log without entries, or a key of another kind */
export async function signHead({ tx, info }: Space, key: KeyObject): Promise<KeptHash> {
  assertKind(key)
  const last = await lastSealedEntry(tx)
  if (last === undefined) throw invalid('Expected a log with entries, found none; write something first.')
  const head = { space: info.id, n: last.n, at: new Date(last.at).toISOString(), hash: last.hash }
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return { ...head, publicKey, signature: sign(null, messageOfHead(head), key).toString('base64') }
}

const messageOfHead = ({ space, n, at, hash }: KeptHash): Buffer =>
  Buffer.from(JSON.stringify(['scriptorium log head', space, n, at, hash]))

/** Reads a private or a public key in PEM. @throws VALIDATION_ERROR */
export function readKey(pem: string, path: string): KeyObject {
  try {
    return pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : createPublicKey(pem)
  } catch (error) {
    throw invalid(
      `Expected an Ed25519 key in PEM as --key, found that ${path} is none: ${messageOf(error)}; openssl genpkey -algorithm ed25519 makes one.`,
    )
  }
}

function assertKind(key: KeyObject): void {
  if (key.asymmetricKeyType === 'ed25519') return
  throw invalid(
    `Expected an Ed25519 key as --key, found ${key.asymmetricKeyType}; openssl genpkey -algorithm ed25519 makes one.`,
  )
}

/** Reads heads, or lines of an exported log, one JSON object a line. @throws VALIDATION_ERROR */
export function readKeptHashes(text: string, path: string): KeptHash[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const hashes = lines.map((line, index) => {
    const value = parseLine(line)
    if (isObject(value) && typeof value.n === 'number' && typeof value.hash === 'string')
      return value as unknown as KeptHash
    throw invalid(
      `Expected a head of the log on each line of ${path}, found another text on line ${index + 1}; log head and log export write them.`,
    )
  })
  if (hashes.length > 0) return hashes
  throw invalid(`Expected a head of the log in ${path}, found an empty file; log head writes one.`)
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export interface HeadComparison {
  problems: LogProblem[]
  /** How many kept hashes the log has, and how many retention has removed with their entries. */
  equal: number
  removed: number
  /** The keys that signed them, in base64. */
  signedBy: string[]
}

/**
 * Compares kept hashes with those of the log.
 *
 * @param key  the public key that must have signed each of them; if absent, signatures are checked against the key that
 *   each names
 */
export function compareHeads(
  kept: readonly KeptHash[],
  hashes: ReadonlyMap<number, string | null>,
  { space, key }: { space: string; key?: KeyObject | undefined },
): HeadComparison {
  const first = Math.min(...hashes.keys())
  const last = Math.max(0, ...hashes.keys())
  const signedBy = new Set<string>()
  const problems: LogProblem[] = []
  let [equal, removed, lastEqual] = [0, 0, 0]
  for (const head of [...kept].sort((one, other) => one.n - other.n)) {
    const fault = signatureFault(head, space, key)
    if (fault !== undefined) problems.push({ entry: head.n, problem: fault })
    else if (head.publicKey !== undefined) signedBy.add(head.publicKey)
    if (head.n < first) removed++
    else if (head.n > last) {
      problems.push({ entry: head.n, problem: `the log ends at entry ${last}: what came after it was cut off` })
    } else if (hashes.get(head.n) !== head.hash) {
      const from = lastEqual === 0 ? 'some entry up to it' : `an entry from ${lastEqual + 1} on`
      problems.push({ entry: head.n, problem: `its hash is not the one that was kept: ${from} was changed` })
    } else {
      equal++
      lastEqual = head.n
    }
  }
  return { problems, equal, removed, signedBy: [...signedBy] }
}

/** What is wrong with the signature of a head. Lines of an exported log have none, unless a key is asked for. */
function signatureFault(head: KeptHash, space: string, key: KeyObject | undefined): string | undefined {
  const { publicKey, signature } = head
  if (signature === undefined || publicKey === undefined) {
    return key === undefined ? undefined : 'the kept hash is not signed'
  }
  if (head.space !== space) return `the head is of another space, ${head.space}`
  try {
    const signer = key ?? createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' })
    const isValid = verify(null, messageOfHead(head), signer, Buffer.from(signature, 'base64'))
    return isValid ? undefined : 'the head was not signed with this key'
  } catch (error) {
    return `the signature of the head cannot be checked: ${messageOf(error)}`
  }
}
