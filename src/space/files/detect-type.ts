/** The type of a file: as declared, unless its bytes show another. */

export interface DetectedType {
  type: 'image' | 'video' | 'file'
  mimeType: string
  /** Without its dot. */
  extension: string
  /** Width by height, of pictures that tell. */
  aspectRatio?: number
}

const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * A picture or a film is one only when its bytes are: markup sent as `image/png` is kept, and not shown.
 *
 * @param declaredType  the media type that came with it; without one its bytes are asked
 * @param head  its first bytes
 */
export async function detectType(declaredType: string | undefined, head: Uint8Array): Promise<DetectedType> {
  // Loaded when a first file comes: the start need not wait for them.
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

/** Cameras turn pictures on their side, and say so: 5 to 8 stand upright. */
const FIRST_ROTATED_ORIENTATION = 5

async function aspectRatio(head: Uint8Array): Promise<number | undefined> {
  const [width, height] = (await imageDimensions(head)) ?? []
  return width && height ? Math.round((width / height) * 10_000) / 10_000 : undefined
}

/** Pixels of a picture's width and height, as it is seen; nothing when its first bytes do not tell. */
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

/** Whether the beginning is UTF-8 without control characters; its last character may be cut. */
function isText(head: Uint8Array): boolean {
  const text = decodeHead(head).slice(0, -1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)
}
