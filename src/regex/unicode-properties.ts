/** Unicode categories and scripts as sets, taken from JavaScript's own tables, so none are shipped. */
import { ALL_CHARACTERS, type Ranges, unionRanges } from './ranges.ts'

const cachedClasses = new Map<string, Ranges | undefined>()

/**
 * The set of a category (`L`, `Lu`, also `Letter`) or script (`Greek`), as in `\p{Greek}`.
 *
 * @returns undefined for a name that is neither
 */
export function unicodeClass(name: string): Ranges | undefined {
  if (!cachedClasses.has(name)) cachedClasses.set(name, findClass(name))
  return cachedClasses.get(name)
}

function findClass(name: string): Ranges | undefined {
  if (name === 'Any') return ALL_CHARACTERS
  if (!/^[A-Za-z_]+$/.test(name)) return undefined
  for (const property of ['General_Category', 'Script']) {
    const set = rangesMatching(`\\p{${property}=${name}}`)
    if (set !== undefined) return set
  }
  return undefined
}

/**
 * Code point ranges that one string can hold. High and low surrogates are separate, since adjacent ones would form an
 * astral character.
 */
const SCANNED_RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x0000, 0x4dff],
  [0xa000, 0xabff],
  [0xd7a4, 0xd7ff],
  [0xd800, 0xdbff],
  [0xdc00, 0xdfff],
  [0xf900, 0xffff],
  [0x10000, 0x1ffff],
  [0x2a6e0, 0x3ffff],
  [0xe0000, 0xe01ff],
  [0xffffe, 0xfffff],
  [0x10fffe, 0x10ffff],
]

/**
 * Ideographs, Hangul, private use and unassigned code points: within each range, all have the properties of the first.
 */
const UNIFORM_RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
  [0x20000, 0x2a6df],
  [0x40000, 0xdffff],
  [0xe0200, 0xeffff],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
]

/** All code points that a JavaScript character class matches; undefined if JavaScript does not know the class. */
export function rangesMatching(source: string): Ranges | undefined {
  let runs: RegExp
  try {
    runs = new RegExp(`${source}+`, 'gu')
  } catch {
    return undefined
  }
  const result: number[] = []
  for (const [from, to] of SCANNED_RANGES) {
    const units = from > 0xffff ? 2 : 1
    for (const { index, 0: run } of textOf(from, to).matchAll(runs)) {
      result.push(from + index / units, from + (index + run.length) / units - 1)
    }
  }
  for (const [from, to] of UNIFORM_RANGES) if (String.fromCodePoint(from).search(runs) === 0) result.push(from, to)
  return unionRanges(result)
}

const cachedTexts = new Map<number, string>()

/** All characters of a range as one string. Built once; half a million characters in total. */
function textOf(from: number, to: number): string {
  let text = cachedTexts.get(from)
  if (text === undefined) {
    const units = new Uint16Array((to - from + 1) * 2)
    let end = 0
    for (let codePoint = from; codePoint <= to; codePoint++) {
      const astral = codePoint - 0x10000
      if (astral >= 0) units[end++] = 0xd800 + (astral >> 10)
      units[end++] = astral >= 0 ? 0xdc00 + (astral & 0x3ff) : codePoint
    }
    text = Buffer.from(units.buffer, 0, end * 2).toString('utf16le')
    cachedTexts.set(from, text)
  }
  return text
}
