/** Detects the type of a file: the declared one, unless the bytes show another. */

export interface DetectedType {
  type: 'image' | 'video' | 'file'
  mimeType: string
  /** Without the dot. */
  extension: string
  /** Width divided by height. Only for images whose size is known. */
  aspectRatio?: number
}

const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Only bytes that really are an image or a video get that type: markup sent as `image/png` is stored, but not shown as
 * an image.
 *
 * @param declaredType  the media type that the sender gave; without it, the type is detected from the bytes
 * @param head  the first bytes of the file
 */
export async function detectType(declaredType: string | undefined, head: Uint8Array): Promise<DetectedType> {
  // Loaded with the first file, so that startup does not wait for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  const mimeType = (declaredType ?? found?.mime ?? (isText(head) ? 'text/plain' : UNKNOWN_TYPE)).toLowerCase()
  const extension = found?.ext ?? (mimeType === 'text/plain' ? 'txt' : 'bin')
  const [family = ''] = mimeType.split('/')
  if (family !== 'image' && family !== 'video') return { type: 'file', mimeType, extension }
  if (mimeType === 'image/svg+xml') {
    return isSvg(head)
      ? { type: 'image', mimeType, extension: 'svg' }
      : { type: 'file', mimeType: UNKNOWN_TYPE, extension }
  }
  if (found?.mime.startsWith(`${family}/`) !== true) {
    return { type: 'file', mimeType: found?.mime ?? UNKNOWN_TYPE, extension }
  }
  const ratio = family === 'image' ? await aspectRatio(head) : undefined
  return { type: family, mimeType: found.mime, extension, ...(ratio !== undefined && { aspectRatio: ratio }) }
}

/** EXIF orientations from 5 to 8 mean that the image is rotated by 90 degrees, so width and height are swapped. */
const FIRST_ROTATED_ORIENTATION = 5

async function aspectRatio(head: Uint8Array): Promise<number | undefined> {
  const [width, height] = (await imageDimensions(head)) ?? []
  return width && height ? Math.round((width / height) * 10_000) / 10_000 : undefined
}

/**
 * Returns the width and height of an image in pixels as it is displayed. Returns undefined if its first bytes do not
 * contain the size.
 */
export async function imageDimensions(head: Uint8Array): Promise<[width: number, height: number] | undefined> {
  try {
    const { imageSize } = await import('image-size')
    const { width, height, orientation = 1 } = imageSize(head)
    if (!(width > 0 && height > 0)) return undefined
    return orientation >= FIRST_ROTATED_ORIENTATION ? [height, width] : [width, height]
  } catch {
    return undefined
  }
}

const isSvg = (head: Uint8Array): boolean =>
  /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)[\s\S]*<svg[\s>]|^\s*<svg[\s>]/i.test(decodeHead(head))

const decodeHead = (head: Uint8Array): string =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 4096)).toString('utf8')

/** Reports whether the head is UTF-8 without control characters. Its last character may be cut off. */
function isText(head: Uint8Array): boolean {
  const text = decodeHead(head).slice(0, -1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)
}
