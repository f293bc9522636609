/** Files over HTTP: downloads by an address with its own secret, and uploads to an address for a single file. */
import type { Readable } from 'node:stream'
import type { FileRow } from '../../storage/schema.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

/** Types that a browser may display: none of these can run code. */
const INLINE_TYPES = /^(?:image\/(?!svg)|video\/|audio\/|text\/plain$)/

/** A browser must not run a file, load anything for it, or guess another type. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  // The bytes never change, but read access can. Caches must revalidate, which transfers no bytes. Nothing on the way may
  // compress them: ranges, conditions and the announced length are of the stored bytes.
  'Cache-Control': 'private, no-cache, no-transform',
  'Accept-Ranges': 'bytes',
}

/**
 * A PDF that is shown runs in the viewer of the browser, apart from the pages, and no viewer starts in a sandbox. Only
 * pages of this server may frame it, and it loads and sends nothing.
 */
const SHOWN_PDF = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}
const PDF = 'application/pdf'
const PDF_BEGINNING = '%PDF-'

/** Closes the connection of a response that was started and cannot be completed, and logs the reason. */
export type CutOff = (error: unknown, what: string) => void

/**
 * Responds with a file, or with the part that a Range header requests.
 *
 * @param find  finds the file of the address
 * @param cutOff  closes the connection
 * @param mayShowPdf  true to show what is stored as a PDF and begins as one, rather than to save it
 * @throws the errors of `find`; FILE_DAMAGED for missing or altered bytes. In a large file, damage may only be found
 *   during the transfer, which is then cut off.
 */
export async function createFileResponse(
  request: Request,
  find: (space: Space) => Promise<Pick<FileRow, 'hash' | 'size' | 'mimeType' | 'name'>>,
  space: OpenSpace,
  cutOff: CutOff,
  mayShowPdf = false,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ScriptoriumError('METHOD_NOT_ALLOWED', `Expected GET of a file, found ${request.method}.`)
  }
  const { hash, size, mimeType, name } = await space.read(OPERATOR_LINK, find)
  await space.files.verifyPresent({ hash, size })
  const etag = `"${hash}"`
  const isShownPdf = mayShowPdf && mimeType === PDF && (await beginsAsPdf(space, { hash, size }))
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...(isShownPdf && SHOWN_PDF),
    ETag: etag,
    'Content-Type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'Content-Disposition': `${isShownPdf || INLINE_TYPES.test(mimeType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeFileName(name)}`,
  }
  const ifMatch = request.headers.get('if-match')
  if (ifMatch !== null && !listsEtag(ifMatch, ['*', etag])) return new Response(null, { status: 412, headers })
  if (listsEtag(request.headers.get('if-none-match'), ['*', etag, `W/${etag}`]))
    return new Response(null, { status: 304, headers })
  const isHead = request.method === 'HEAD'
  // Ranges apply to GET only, and only to the version that the client knows.
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

async function beginsAsPdf({ files }: OpenSpace, file: { hash: string; size: number }): Promise<boolean> {
  if (file.size < PDF_BEGINNING.length) return false
  const chunks = await (await files.read(file, { start: 0, end: PDF_BEGINNING.length - 1 })).toArray()
  return Buffer.concat(chunks).toString('latin1') === PDF_BEGINNING
}

/**
 * Streams bytes as the body of a response with an announced length. A failure during the transfer can no longer be
 * reported: nothing follows, and the connection must be closed, so that no client takes the received part for the
 * whole, or the next response for the rest.
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

/** True if a header with a list of ETags contains one of these. */
const listsEtag = (header: string | null, etags: readonly string[]): boolean =>
  (header ?? '').split(',').some((tag) => etags.includes(tag.trim()))

/**
 * Parses a single range, with inclusive ends. Returns undefined for several ranges, none, and invalid ones, for which
 * the whole file is sent; `none` for a range beyond the end.
 */
function parseRange(header: string | null, size: number): { start: number; end: number } | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end || start >= size ? 'none' : { start, end }
}
