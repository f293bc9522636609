/** Pieces of what comes over connections. */

/**
 * Gives the memory of a piece back that is not used again, where the collector would leave 60 MiB of them lying. Memory
 * that is shared, as that of Node's pool is, is not ours to give.
 */
export function giveBack(piece: Buffer): void {
  const { buffer, byteLength } = piece as Buffer<ArrayBuffer>
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
