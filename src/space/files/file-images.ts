/** Returns the images of image blocks, for models that can see them. */
import { FileDamaged } from '../../../storage/bytes/checked-files.ts'
import { filesOfBlocks } from '../../../storage/files.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { IMAGE_BYTES, IMAGE_SIDE } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import { imageDimensions } from './detect-type.ts'

/**
 * The image types that models support. With others (SVG, AVIF, TIFF), some providers reject the image or even the whole
 * conversation.
 */
const SUPPORTED_IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/**
 * An image in base64, or the reason why there is none: it is not a file of this space, its type or size is not
 * supported, its bytes are damaged, or the response already contains the maximum.
 */
export type ImagePreview = { mimeType: string; data: string } | 'foreign' | 'unfit' | 'damaged' | 'more'

/**
 * Returns a function that reads the image of a block when it is called.
 *
 * Only files of this space are shown. Nothing is ever fetched from another server: an address in a block could reveal
 * to that server who reads it, or lead into our own network.
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

/** Missing or altered bytes cost only this image, not the whole response. */
function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof FileDamaged)) throw error
}
