/**
 * Stems English words like the full-text index does (Porter, 1980, as in FTS5). Words with the same stem are forms of
 * one word. Snippets use this to find in a text what the index found.
 */
import { stemmer } from 'stemmer'

/** The minimum and maximum length of words that FTS5 stems, in bytes of UTF-8. */
const MIN_STEMMED_BYTES = 3
const MAX_STEMMED_BYTES = 64

const stemCache = new Map<string, string>()
const MAX_CACHED_STEMS = 50_000

/** Returns the stem of a word in lower case. */
export function stem(word: string): string {
  const cached = stemCache.get(word)
  if (cached !== undefined) return cached
  const result = computeStem(word)
  if (stemCache.size >= MAX_CACHED_STEMS) stemCache.clear()
  stemCache.set(word, result)
  return result
}

function computeStem(word: string): string {
  const bytes = Buffer.from(word, 'utf8')
  if (bytes.length < MIN_STEMMED_BYTES || bytes.length > MAX_STEMMED_BYTES) return word
  if (bytes.length === word.length) return stemmer(word)
  // FTS5 works on bytes and treats non-ASCII ones as consonants. Two letters that no rule mentions or changes
  // replace them. They alternate, so that they never form the double consonant that a rule shortens.
  const letters = Array.from(bytes, (byte, index) => (byte < 0x80 ? String.fromCharCode(byte) : 'qv'[index % 2]))
  const stemmed = Buffer.from(stemmer(letters.join('')))
  for (const [index, byte] of bytes.subarray(0, stemmed.length).entries()) if (byte >= 0x80) stemmed[index] = byte
  return stemmed.toString('utf8')
}
