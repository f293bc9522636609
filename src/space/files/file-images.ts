/** Shows image blocks as the pictures they are. */
import { FileDamaged } from '../../../storage/bytes/checked-files.ts'
import { filesOfBlocks } from '../../../storage/files.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { IMAGE_BYTES, IMAGE_SIDE } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import { imageDimensions } from './detect-type.ts'

/** What models are shown. Others (SVG, AVIF, TIFF) are refused by them, at times with the whole conversation. */
const SUPPORTED_IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A picture in base64, or why there is none: its bytes are elsewhere, not fit to be shown, damaged, or one too many. */
export type ImagePreview = { mimeType: string; data: string } | 'foreign' | 'unfit' | 'damaged' | 'more'

/**
 * Pictures of these image blocks, each read when it is asked for.
 *
 * Only files of this space are shown. Nothing is ever fetched from elsewhere: an address in a block would tell another
 * server who reads it, or lead into our own network.
 */
export async function createImageReader(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow, isFull: boolean) => Promise<ImagePreview>> {
  const numbers = rows.map(({ n }) => n)
  const files = new Map((await filesOfBlocks(space.tx, numbers)).map((file) => [file.block, file]))
  return async ({ n }, isFull) => {
    const file = files.get(n)
    if (file === undefined) return 'foreign'
    const { hash, size, mimeType } = file
    if (!SUPPORTED_IMAGE_TYPES.has(mimeType) || size > IMAGE_BYTES) return 'unfit'
    if (isFull) return 'more'
    const bytes = await space.files.readAll(hash, space.tx, size).catch(undefinedIfDamaged)
    if (bytes === undefined) return 'damaged'
    const dimensions = await imageDimensions(bytes)
    if (dimensions === undefined || Math.max(...dimensions) > IMAGE_SIDE) return 'unfit'
    return { mimeType, data: bytes.toString('base64') }
  }
}

/** Bytes that are missing or altered leave out one picture, not the answer. */
function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof FileDamaged)) throw error
}
