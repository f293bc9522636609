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
