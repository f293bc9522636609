/** Compares texts as databases do. */

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares by code point, which is the order of the bytes in UTF-8. `<` compares UTF-16 and differs beyond U+FFFF. */
export function compareByCodePoint(one: string, other: string): number {
  if (one === other) return 0
  const end = Math.min(one.length, other.length)
  for (let at = 0; at < end; at++) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (left === right) continue
    // Halves of characters beyond U+FFFF come after all others.
    if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1
    return left - right
  }
  return one.length - other.length
}
