/** Splits a JSON array while it is read, so that only one of its elements is in memory at a time. */

import { IMPORT_JSON_BYTES } from '../../base/limits.ts'

const [QUOTE, BACKSLASH, OPEN, CLOSE, LIST, END] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Yields the JSON text of each object in an array of objects. @throws Error if one is too long, and at the end of a file that is cut off */
export async function* splitArray(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let depth = 0
  let [isText, isEscaped] = [false, false]
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk)
    let start = depth > 1 ? 0 : -1
    for (let at = 0; at < buffer.length; at++) {
      const byte = buffer[at]
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
        continue
      }
      if (byte === QUOTE) isText = true
      else if (byte === OPEN || byte === LIST) {
        depth++
        if (depth === 2 && start < 0) start = at
      } else if (byte === CLOSE || byte === END) {
        depth--
        if (depth !== 1 || start < 0) continue
        yield Buffer.concat([...parts, buffer.subarray(start, at + 1)])
        parts = []
        size = 0
        start = -1
      }
    }
    if (start < 0) continue
    size += buffer.length - start
    if (size > IMPORT_JSON_BYTES)
      throw new Error(`Expected conversations of at most ${IMPORT_JSON_BYTES} bytes, found more.`)
    parts.push(buffer.subarray(start))
  }
  if (depth > 0) throw new Error('Expected an array with its end, found that the file is cut off; export it again.')
}
