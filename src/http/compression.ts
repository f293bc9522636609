/** Compresses pages, their scripts and styles, and answers over REST, for clients that accept it. */
import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import type { Env } from './request-lifecycle.ts'

/** Bytes below which compressing costs more than it saves. */
const LEAST_BYTES = 1024

/**
 * A response that another site has caused is not compressed. From the length of such responses, a person who watches the
 * network could guess secrets in a page that also repeats a part of the request. Files are left as they are, too: see
 * file-response.ts.
 *
 * Source: Y. Gluck, N. Harris, A. Prado, "BREACH: Reviving the CRIME Attack", 2013.
 */
export function compression(): MiddlewareHandler<Env> {
  const compressed = compress({ encoding: 'gzip', threshold: LEAST_BYTES })
  return (context, next) => (context.req.header('sec-fetch-site') === 'cross-site' ? next() : compressed(context, next))
}
