/** Block numbers in postings: 32 consecutive numbers are the bits of one signed integer. */

export const toBase = (block: number): number => Math.floor(block / 32)
export const toBit = (block: number): number => 1 << (block % 32)

/** The numbers of the blocks whose bits are set, ascending. */
export function blocksOf(base: number, bits: number): number[] {
  const blocks: number[] = []
  for (let index = 0; index < 32; index++) if ((bits & (1 << index)) !== 0) blocks.push(base * 32 + index)
  return blocks
}
