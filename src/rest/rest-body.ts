/** Reads the body of a request: up to a maximum size, as strict UTF-8, and as input fields. */

import { invalid, ScriptoriumError } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { isObject } from '../base/is-object.ts'
import { BODY_BYTES } from '../base/limits.ts'
import { readJsonInChunks } from '../call/input/read-json.ts'
import type { Endpoint } from '../endpoint.ts'

const JSON_TYPE = 'application/json'

/**
 * The input fields of a body: those of its JSON object, or the one that the endpoint accepts as text; none if the body
 * is empty. A body without a content type is read as JSON.
 *
 * @param takesText  true if this kind of connection accepts the endpoint's `textBody`
 * @throws UNSUPPORTED_MEDIA_TYPE with the accepted types; PAYLOAD_TOO_LARGE as early as possible; VALIDATION_ERROR for
 *   invalid UTF-8, text that is not a JSON object, and a body that was cut off
 */
export async function readRequestFields(request: Request, endpoint: Endpoint, takesText: boolean): Promise<object> {
  const { mediaType, charset } = parseContentType(request.headers.get('content-type'))
  const { textBody } = endpoint
  const field = textBody !== undefined && mediaType === textBody.mediaType ? textBody.field : undefined
  if (isEmptyBody(request) && field === undefined) return {}
  if (field !== undefined ? !takesText : mediaType !== undefined && mediaType !== JSON_TYPE) {
    throw unsupportedType(mediaType ?? '', endpoint, takesText)
  }
  checkCharset(charset)
  checkEncoding(request.headers)
  const text = decodeUtf8(await readBytes(request))
  if (field !== undefined) return { [field]: text }
  return text.trim() === '' ? {} : parseObject(text)
}

/** The media type in lower case without its parameters, and the charset parameter; both may be absent. */
export function parseContentType(header: string | null): { mediaType?: string; charset?: string } {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length)
  return { ...(type && { mediaType: type }), ...(charset && { charset: charset.replaceAll('"', '') }) }
}

/** A file as the body of a request, not yet read; with its size if the request announces it. */
export interface FileBody {
  stream: AsyncIterable<Uint8Array>
  mediaType?: string
  size?: number
}

/**
 * Opens the body of a request as a file. If it is refused, the rest of the body is not canceled, since that would close
 * the connection before the response is sent.
 *
 * @param bytes  reads the body directly, if possible: a web stream in between takes as long as the socket itself
 * @throws UNSUPPORTED_MEDIA_TYPE for an encoded body
 */
export function openFileBody(request: Request, bytes?: () => AsyncIterable<Uint8Array>): FileBody {
  const { headers } = request
  checkEncoding(headers)
  const { mediaType } = parseContentType(headers.get('content-type'))
  const size = Number(headers.get('content-length') ?? Number.NaN)
  const stream = bytes?.() ?? (request.body ?? new Blob([]).stream()).values({ preventCancel: true })
  return { stream, ...(mediaType !== undefined && { mediaType }), ...(!Number.isNaN(size) && { size }) }
}

/** Accesses the request's body only if the headers do not say whether there is one, since that creates a stream. */
function isEmptyBody(request: Request): boolean {
  const announced = request.headers.get('content-length')
  return announced === null ? request.body === null : announced === '0'
}

async function parseObject(text: string): Promise<object> {
  const value = await readJsonInChunks(text, 'the body')
  if (isObject(value)) return value
  const found = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
  throw invalid(`Expected a JSON object as the body, found ${found}; put it into the field that it belongs to.`)
}

function unsupportedType(found: string, { textBody }: Endpoint, takesText: boolean): ScriptoriumError {
  const accepted = takesText && textBody ? `${JSON_TYPE} or ${textBody.mediaType}` : JSON_TYPE
  const next =
    textBody?.mediaType === found
      ? `only ${textBody.kinds.join(' and ')} connections take that here, put the text into the field ${textBody.field} of a JSON object`
      : `send it as that, with the header Content-Type: ${JSON_TYPE}`
  return unsupportedMediaType(`Expected a body of ${accepted}, found ${truncate(found)}; ${next}.`)
}

const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii'])

function checkCharset(charset = 'utf-8'): void {
  if (UTF8.has(charset)) return
  throw unsupportedMediaType(`Expected a body in UTF-8, found the charset ${truncate(charset)}; convert it.`)
}

function checkEncoding(headers: Headers): void {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw unsupportedMediaType(
      `Expected a body that is not compressed, found the encoding ${truncate(encoding)}; send it plain.`,
    )
  }
}

const truncate = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
const unsupportedMediaType = (message: string) => new ScriptoriumError('UNSUPPORTED_MEDIA_TYPE', message)

async function readBytes(request: Request): Promise<Uint8Array> {
  const contentLength = Number(request.headers.get('content-length') ?? Number.NaN)
  if (contentLength > BODY_BYTES) {
    request.body?.cancel().catch(() => {})
    throw bodyTooLargeError()
  }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // The server enforces an announced length, and reading everything at once is much faster.
    const whole = Number.isNaN(contentLength) ? request.body : [new Uint8Array(await request.arrayBuffer())]
    for await (const chunk of whole ?? []) {
      chunks.push(chunk)
      length += chunk.byteLength
      // Leaving the loop cancels the stream.
      if (length > BODY_BYTES) throw bodyTooLargeError()
    }
  } catch (error) {
    throw error instanceof ScriptoriumError ? error : bodyCutOff(length)
  }
  if (length < contentLength) throw bodyCutOff(length)
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

const bodyTooLargeError = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a body of at most ${BODY_BYTES / 1024 / 1024} MiB, found more; split the call.`,
  )

const bodyCutOff = (length: number) =>
  invalid(
    `Expected the whole body, found it cut off after ${formatNumber(length)} bytes; send it again, nothing was written.`,
  )

const strictDecoder = new TextDecoder('utf-8', { fatal: true })
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true })
const REPLACEMENT = Buffer.of(0xef, 0xbf, 0xbd)

/** @throws VALIDATION_ERROR with the offset in bytes (from 0) of the first invalid UTF-8 */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    const offset = firstInvalidByte(bytes)
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0').toUpperCase()
    throw invalid(`Expected a body in UTF-8, found the byte ${byte} after ${formatNumber(offset)} bytes; convert it.`)
  }
}

/** The offset of the first replacement character that the lenient decoder inserted, as opposed to one in the text. */
function firstInvalidByte(bytes: Uint8Array): number {
  const text = lenientDecoder.decode(bytes)
  let at = 0
  let read = 0
  for (let found = text.indexOf('\ufffd'); found >= 0; found = text.indexOf('\ufffd', read)) {
    at += Buffer.byteLength(text.slice(read, found))
    if (!REPLACEMENT.equals(bytes.subarray(at, at + REPLACEMENT.length))) return at
    at += REPLACEMENT.length
    read = found + 1
  }
  return at
}
