/**
 * Sketches of texts, from which it follows about how much of two texts is the same. A sketch has the smallest hashes of
 * all runs of three words, by several hash functions. Of texts that share most of their runs, most of these are equal.
 */

/** How many hash functions there are. */
const HASHES = 24
const WORDS_PER_RUN = 3

/** @returns 128 characters; empty for a text without words */
export function sketchOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return ''
  const smallest = new Uint32Array(HASHES).fill(0xffffffff)
  const last = Math.max(0, words.length - WORDS_PER_RUN)
  for (let from = 0; from <= last; from++) {
    const hash = hashOf(words.slice(from, from + WORDS_PER_RUN).join(' '))
    for (let index = 0; index < HASHES; index++) {
      const mixed = mix(hash, index)
      if (mixed < (smallest[index] ?? 0)) smallest[index] = mixed
    }
  }
  return Buffer.from(smallest.buffer).toString('base64url')
}

/** About how much of two texts is the same, from 0 to 1. */
export function likeness(one: string, other: string): number {
  if (one === '' || other === '' || one.length !== other.length) return 0
  const [first, second] = [Buffer.from(one, 'base64url'), Buffer.from(other, 'base64url')]
  let same = 0
  for (let at = 0; at + 4 <= first.length; at += 4) if (first.readUInt32LE(at) === second.readUInt32LE(at)) same++
  return same / HASHES
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Another hash for each index. */
function mix(hash: number, index: number): number {
  let mixed = hash ^ Math.imul(index + 1, 0x9e3779b9)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
