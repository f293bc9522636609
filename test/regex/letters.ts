/** Returns a random text of the given letters, always the same for the same seed. */
export function letters(of: string, length: number, seed = 1): string {
  let state = seed + 1
  let text = ''
  for (let count = 0; count < length; count++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    text += of[(state >> 16) % of.length]
  }
  return text
}
