import type { Connected } from './connect.ts'
import { rowsOf } from './sqlite.ts'

/** The stored bytes of the file of a block. */
export async function storedBytes({ space }: Connected, blockId: string): Promise<Buffer> {
  const link = await space.createAccessLink('full', [], 'test')
  return space.read(link, async ({ tx }) => {
    const [file] = await rowsOf<{ hash: string; size: number }>(
      tx,
      'SELECT hash, size FROM file JOIN block_file ON file = file.n JOIN block ON block.n = block WHERE block.id = ?',
      blockId,
    )
    return space.files.readAll(file?.hash ?? '', tx, file?.size ?? 0)
  })
}
