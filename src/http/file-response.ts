/** Files over HTTP: read by an address with a secret of their own, and sent to one that takes a single file. */
import type { Readable } from 'node:stream'
import type { FileRow } from '../../storage/schema.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

/** What a browser may show by itself: nothing in these can run. */
const INLINE_TYPES = /^(?:image\/(?!svg)|video\/|audio\/|text\/plain$)/

/** Nothing in a file is run, loads anything, or is taken for another type than it has. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  // Its bytes never change, but who may read it can: caches revalidate, which transfers no bytes.
  'Cache-Control': 'private, no-cache',
  'Accept-Ranges': 'bytes',
}

/** Ends the connection of an answer that was begun and cannot be finished, and says why in the log. */
export type CutOff = (error: unknown, what: string) => void

/**
 * A file, or the part of it that a Range header asks for.
 *
 * @param find  the file that the address leads to
 * @param cutOff  ends the connection
 * @throws what `find` throws; FILE_DAMAGED for bytes that are missing or altered. Those of a large file may be found so only on the way: then it is cut off.
 */
export async function createFileResponse(
  request: Request,
  find: (space: Space) => Promise<FileRow>,
  space: OpenSpace,
  cutOff: CutOff,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ScriptoriumError('METHOD_NOT_ALLOWED', `Expected GET of a file, found ${request.method}.`)
  }
  const { hash, size, mimeType, name } = await space.read(OPERATOR_LINK, find)
  await space.files.verifyPresent({ hash, size })
  const etag = `"${hash}"`
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    ETag: etag,
    'Content-Type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'Content-Disposition': `${INLINE_TYPES.test(mimeType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeFileName(name)}`,
  }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const isHead = request.method === 'HEAD'
  // Parts are of GET alone, and of the bytes that the client knows.
  const mayRange = !isHead && (request.headers.get('if-range') ?? etag) === etag
  const range = mayRange ? parseRange(request.headers.get('range'), size) : undefined
  if (range === 'none') {
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } })
  }
  if (range !== undefined) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`
  headers['Content-Length'] = String(range === undefined ? size : range.end - range.start + 1)
  const body = isHead
    ? null
    : bodyOf(await space.files.read({ hash, size }, range), (error) => cutOff(error, `the file ${hash}`))
  return new Response(body, { status: range === undefined ? 200 : 206, headers })
}

/**
 * Bytes as the body of an answer whose length was announced. What fails on the way cannot be answered any more: nothing
 * follows then, and the connection is to be ended, so that no client takes what was sent for the whole, nor the next answer
 * for the rest.
 */
function bodyOf(source: Readable, fail: (error: unknown) => void): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let isCanceled = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (isCanceled) return
          if (done === true) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (!isCanceled) fail(error)
        }
      },
      cancel() {
        isCanceled = true
        source.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Whether a list of tags names this one; whether they are weak does not matter to it. */
const matchesEtag = (header: string | null, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

/**
 * One range, both ends inclusive; nothing for several, for none and for what is none, which get the whole; `none` for one
 * beyond the end.
 */
function parseRange(header: string | null, size: number): { start: number; end: number } | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end || start >= size ? 'none' : { start, end }
}
