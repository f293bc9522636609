/**
 * IDs of everything in a space: blocks, documents, folders, views, reminders, comments and files.
 *
 * An ID is a number of twelve decimal digits, the first not 0. It has two spellings. The short one is the digits alone,
 * which takes few tokens. The long one is a UUID of version 8 (RFC 9562, section 5.8) with the prefix of the space
 * before the digits, and is globally unique. Both are accepted everywhere.
 */
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import { parseAddress } from '../../markdown/addresses.ts'

export const SMALLEST_ID = 100_000_000_000
export const LARGEST_ID = 999_999_999_999
/** How a connection writes IDs. */
export type IdSpelling = 'short' | 'long'

const SHORT = /^[1-9]\d{11}$/
const LONG = /^([0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3})-([1-9]\d{11})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Draws the prefix of the long IDs of a space: 23 characters. */
export const generateIdPrefix = (): string =>
  randomUUID()
    .slice(0, 23)
    .replace(/^(.{14})4/, '$18')

/** An ID as text. @param prefix  of the long IDs of the space */
export const spellId = (id: number, spelling: IdSpelling, prefix: string): string =>
  spelling === 'long' ? `${prefix}-${id}` : String(id)

/** The result of parsing a text as an ID, before it is looked up. */
type Spelled =
  | { kind: 'number'; number: number; prefix?: string; space?: string }
  /** A UUID, possibly from the time before IDs were numbers. */
  | { kind: 'former'; uuid: string; space?: string }
  | { kind: 'unknown' }

/** Parses an ID in any of its spellings: see {@link GivenId}. */
export function readSpelledId(text: string): Spelled {
  const trimmed = text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .trim()
  const plain = readPlainId(trimmed)
  if (plain.kind !== 'unknown') return plain
  const { ids: [id] = [], space } = parseAddress(trimmed) ?? {}
  if (id === undefined) return plain
  const target = readPlainId(id)
  return target.kind === 'unknown' || space === undefined ? target : { ...target, space }
}

function readPlainId(text: string): Spelled {
  if (SHORT.test(text)) return { kind: 'number', number: Number(text) }
  const lower = text.toLowerCase()
  const [, prefix, digits] = LONG.exec(lower) ?? []
  if (prefix !== undefined) return { kind: 'number', number: Number(digits), prefix }
  return UUID.test(lower) ? { kind: 'former', uuid: lower } : { kind: 'unknown' }
}

/** True for a text in the form of a long ID, or of a former UUID. These are unique in the world. */
export const isUuid = (text: string): boolean => UUID.test(text.toLowerCase())

/** The value that stands for no ID. */
const NO_ID = 0

/**
 * An ID as a caller sent it: the digits, as text or as a number, or a UUID, in any letter case, with blanks or quotes
 * around it; or an address that contains it, such as `block://ID`, `scriptorium://documents/ID` or a deep link.
 *
 * As text, for example in a message, it is spelled as it was sent.
 */
export class GivenId {
  readonly #text: string
  #number = NO_ID

  constructor(text: string) {
    this.#text = text
    if (this.isShort) this.#number = Number(text)
  }

  /** The ID, or 0 if the text is not an ID of this space. Unless {@link isShort}, it must be resolved first. */
  get number(): number {
    return this.#number
  }

  /** A key that is the same for all spellings except former UUIDs, whether the ID is resolved or not. */
  get key(): string {
    const spelled = readSpelledId(this.#text)
    if (spelled.kind === 'number') return String(spelled.number)
    return spelled.kind === 'former' ? spelled.uuid : this.#text.toLowerCase()
  }

  /** True if the text is the digits alone, which need no lookup. */
  get isShort(): boolean {
    return SHORT.test(this.#text)
  }

  /** Resolves it: see `Space.resolveIds`. */
  set number(number: number | undefined) {
    this.#number = number ?? NO_ID
  }

  toString(): string {
    return this.#text
  }

  /** Once resolved, the same for all spellings. */
  toJSON(): string {
    return this.#number === NO_ID ? this.#text : String(this.#number)
  }
}

/** An ID that a caller sent, or one that was read from the space. */
export type AnyId = GivenId | number

export const idNumber = (id: AnyId): number => (typeof id === 'number' ? id : id.number)

/** Removes duplicates. Each ID keeps its first spelling. */
export function uniqueIds(ids: readonly AnyId[]): AnyId[] {
  const byNumber = new Map<number, AnyId>()
  for (const id of ids) if (!byNumber.has(idNumber(id))) byNumber.set(idNumber(id), id)
  return [...byNumber.values()]
}

const UUID_INSIDE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i
const DIGITS_INSIDE = /[1-9]\d{11}/

/** True if a text may contain IDs that are spelled differently from how the connection writes them. */
export const mayNeedRespelling = (text: string, spelling: IdSpelling = 'short'): boolean =>
  spelling === 'short' ? UUID_INSIDE.test(text) : DIGITS_INSIDE.test(text) || UUID_INSIDE.test(text)

/** Converts IDs to their short spelling. Other texts stay unchanged. */
export const shortIds = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    const spelled = readSpelledId(text)
    return spelled.kind === 'number' ? String(spelled.number) : text
  })

/** Values that are checked in one step. */
const VALUES_PER_STEP = 64

/** Collects all IDs in parsed input, which may hold hundreds of thousands of values. */
export const givenIdsIn = (input: unknown): Promise<GivenId[]> => runCooperatively(findGivenIds(input))

function* findGivenIds(input: unknown): Steps<GivenId[]> {
  const found: GivenId[] = []
  const stack: unknown[] = [input]
  for (let visited = 1; stack.length > 0; visited++) {
    if (visited % VALUES_PER_STEP === 0) yield
    const value = stack.pop()
    if (value instanceof GivenId) found.push(value)
    else if (Array.isArray(value)) for (const one of value) stack.push(one)
    else if (isPlainObject(value)) for (const one of Object.values(value)) stack.push(one)
  }
  return found
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Random numbers that are fetched at once: a system call for every few of them took longer than everything else. */
const BUFFERED_WORDS = 1_024

class RandomWords {
  readonly #words = new Uint32Array(BUFFERED_WORDS)
  #next = BUFFERED_WORDS

  nextUint32(): number {
    if (this.#next >= BUFFERED_WORDS) {
      crypto.getRandomValues(this.#words)
      this.#next = 0
    }
    return this.#words[this.#next++] ?? 0
  }
}

const words = new RandomWords()
const generator = new V7Generator(words)

/**
 * Generates a UUID of version 7 for a space, a participant or an access link: 36 lower-case characters. Each sorts
 * after those that this process generated before.
 */
export const newUuid = (): string => generator.generate().toString()

/** The largest difference between neighboring IDs that are drawn together. */
const LARGEST_STEP = 1_000

/**
 * Draws random IDs in ascending order. IDs that are drawn together are neighbors, so that they share index pages, but
 * far enough apart that a mistyped digit seldom hits another ID. They reveal nothing about other content.
 */
export const generateIds = (count: number): number[] => ascendingIds(count, () => words.nextUint32())

/** Draws IDs like {@link generateIds}, but always the same ones for the same seed. */
export function generateSeededIds(count: number, seed: string): number[] {
  let next = 0
  return ascendingIds(count, () => createHash('sha256').update(`${seed} ${next++}`).digest().readUInt32BE())
}

function ascendingIds(count: number, nextUint32: () => number): number[] {
  const room = LARGEST_ID - SMALLEST_ID - count * LARGEST_STEP
  let id = SMALLEST_ID + ((nextUint32() * 2 ** 21 + (nextUint32() >>> 11)) % room)
  return Array.from({ length: count }, () => {
    id += 1 + (nextUint32() % LARGEST_STEP)
    return id
  })
}

/** Draws the ID of a call. Calls have their own ID space, so their IDs are drawn separately. */
export const generateCallId = (): number => randomInt(SMALLEST_ID, LARGEST_ID + 1)

/**
 * True for a text that is no ID in any spelling, such as a title: it has a space, or neither digits alone nor the form of
 * a UUID.
 */
export const isTitleLike = (text: string): boolean => !/^(?:block:\/\/)?(?:\d+|[0-9a-f-]{20,})$/i.test(text.trim())
