/** Reads the body of an HTTP request up to a maximum size. */
import { type ErrorCode, HTTP_STATUS } from '../../base/errors.ts'
import { BODY_BYTES } from '../../base/limits.ts'
import { noteInRequest } from '../request-notes.ts'

/** A complete body, or the response for one that is too large or was cut off. */
export type BodyResult = { bytes: Uint8Array<ArrayBuffer> } | { refused: Response }

/** Reads a whole body, but at most `maxBytes` bytes. */
export async function readBodyBytes(request: Request, maxBytes = BODY_BYTES): Promise<BodyResult> {
  const contentLength = request.headers.get('content-length')
  if (Number(contentLength ?? 0) > maxBytes) return { refused: bodyTooLarge(maxBytes) }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // The server enforces the announced length, and reading everything at once is faster than streaming.
    if (contentLength !== null) return { bytes: new Uint8Array(await request.arrayBuffer()) }
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      // Returning from the loop cancels the stream.
      if (length > maxBytes) return { refused: bodyTooLarge(maxBytes) }
      chunks.push(chunk)
    }
  } catch {
    const cutOff = 'Expected a whole body, found one that was cut off; send it again.'
    return { refused: refusalResponse(HTTP_STATUS.VALIDATION_ERROR, 'VALIDATION_ERROR', cutOff) }
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)) }
}

/** A response after which the connection is closed, without reading the rest of the body. */
export function refusalResponse(status: number, code: ErrorCode, error: string): Response {
  noteInRequest({ code })
  return Response.json({ error, code }, { status, headers: { 'Cache-Control': 'no-store', connection: 'close' } })
}

const bodyTooLarge = (maxBytes: number) =>
  refusalResponse(
    HTTP_STATUS.PAYLOAD_TOO_LARGE,
    'PAYLOAD_TOO_LARGE',
    maxBytes < BODY_BYTES
      ? `Expected a body of at most ${maxBytes / 1024} KiB, found more; send less.`
      : `Expected a body of at most ${maxBytes / 1024 / 1024} MiB, found more; split the call.`,
  )
