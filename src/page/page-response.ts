/** Responses with a page, and the headers that keep it apart from other sites. */
import type { Html } from './html.ts'

/** A page loads, runs and embeds nothing from elsewhere, cannot be framed, and submits only to this server. */
const POLICY = [
  "default-src 'none'",
  ...[
    'style-src',
    'script-src',
    'img-src',
    'media-src',
    'connect-src',
    'manifest-src',
    'worker-src',
    'form-action',
  ].map((one) => `${one} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Allows frames of files of the space. Of these, only a PDF that is to be shown may be framed: see file-response.ts.
 *
 * @param hosts  under which the browser may know this server
 * @param base  the base address of the space's pages
 */
export function framedFiles(
  hosts: readonly string[],
  base: string,
  more: Record<string, string> = {},
): Record<string, string> {
  const { 'Content-Security-Policy': policy = POLICY } = more
  const known = new Set(hosts.filter((host) => HOST.test(host)))
  const sources = [...known].map((host) => `${host}${base}/files/`)
  return sources.length === 0
    ? more
    : { ...more, 'Content-Security-Policy': `${policy}; frame-src ${sources.join(' ')}` }
}

/** A host with its port, as a source in a policy. */
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i

/** Allows images from data URLs, which also load nothing from elsewhere. */
export const DATA_IMAGES = { 'Content-Security-Policy': POLICY.replace("img-src 'self'", "img-src 'self' data:") }

export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  // What stores it nevertheless has it in the language of its reader.
  Vary: 'Accept-Language, Cookie',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function htmlResponse(
  body: Html | ReadableStream<Uint8Array>,
  status = 200,
  more: Record<string, string> = {},
): Response {
  const content = body instanceof ReadableStream ? body : String(body)
  return new Response(content, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...PAGE_HEADERS, ...more },
  })
}

export const retryHeader = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

/** Characters of a reason in a header. */
const REASON_LENGTH = 1_000

/** Headers that tell a script why a form was refused, percent-encoded, and the code of the error. */
export const refusalHeaders = (reason: string, code: string): Record<string, string> => ({
  'X-Refusal': encodeURIComponent(reason.slice(0, REASON_LENGTH).toWellFormed()),
  'X-Refusal-Code': code,
})
