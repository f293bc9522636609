/** Unpacks the drawings that the Excalidraw plugin stores in notes. */

import lzString from 'lz-string'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_JSON_BYTES } from '../../base/limits.ts'

/**
 * @param packed  base64 without white space
 * @throws Error if it unpacks to more than an import reads: a few kilobytes can unpack to gigabytes
 */
export function unpackDrawing(packed: string): string | null {
  if (unpackedLength(packed, IMPORT_JSON_BYTES) <= IMPORT_JSON_BYTES) return lzString.decompressFromBase64(packed)
  const most = formatNumber(IMPORT_JSON_BYTES)
  throw new Error(`Expected a drawing of at most ${most} characters, unpacked, found a longer one.`)
}

/** Codes of the format: a character of one or two bytes follows, and the end. All others refer to the dictionary. */
const [SHORT_CHARACTER, LONG_CHARACTER, END] = [0, 1, 2]

/**
 * The length of what lz-string would unpack, or a number above `most`. Reads the same codes as lz-string, but keeps only
 * the length of each entry of the dictionary.
 */
export function unpackedLength(packed: string, most: number): number {
  const bits = new BitReader(packed)
  const lengths = [0, 0, 0]
  let width = 3
  let untilWider = 4
  const addEntry = (length: number) => {
    if (--untilWider === 0) untilWider = 2 ** width++
    return lengths.push(length) - 1
  }
  const skipCharacter = (code: number) => bits.read(code === SHORT_CHARACTER ? 8 : 16)
  const first = bits.read(2)
  if (first === END) return 0
  skipCharacter(first)
  lengths.push(1)
  let [last, total] = [1, 1]
  while (!bits.isAtEnd && total <= most) {
    let code = bits.read(width)
    if (code === END) break
    if (code === SHORT_CHARACTER || code === LONG_CHARACTER) {
      skipCharacter(code)
      code = addEntry(1)
    }
    const length = lengths[code] ?? (code === lengths.length ? last + 1 : undefined)
    if (length === undefined) break
    total += length
    addEntry(last + 1)
    last = length
  }
  return total
}

const ALPHABET = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='].map((letter, value) => [letter, value]),
)
/** The first bit of each letter. */
const FIRST_BIT = 32

class BitReader {
  readonly #text: string
  #at = 0
  #mask = FIRST_BIT

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Reads a number, with its lowest bit first. */
  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit++) {
      if (((ALPHABET.get(this.#text.charAt(this.#at)) ?? 0) & this.#mask) !== 0) value += 2 ** bit
      this.#mask >>= 1
      if (this.#mask > 0) continue
      this.#mask = FIRST_BIT
      this.#at++
    }
    return value
  }
}
