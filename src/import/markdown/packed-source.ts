/** The text of a note as it is kept beside the document that was made from it, so that an export can write it again. */
import { isUtf8 } from 'node:buffer'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { IMPORT_TEXT_BYTES } from '../../base/limits.ts'

/**
 * Compresses the bytes of a note. Only UTF-8 can be written again byte for byte from a text, so nothing is kept of other
 * encodings.
 *
 * @returns base64, or undefined
 */
export function packSource(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  }).toString('base64')
}

/** The highest one that takes no longer than the rest of the conversion of a note. */
const QUALITY = 5

/** The text, with its byte order mark and its line ends. @throws Error if it is damaged */
export function unpackSource(packed: string): string {
  const bytes = brotliDecompressSync(Buffer.from(packed, 'base64'), { maxOutputLength: IMPORT_TEXT_BYTES })
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
