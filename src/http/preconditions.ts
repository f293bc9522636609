/**
 * Conditions in headers (RFC 9110, section 13). Only files have an ETag: see file-response.ts. Everything else has none
 * that a condition could be compared with, so a request that depends on one is refused: if the header were ignored, the
 * request would be carried out without its condition.
 */
import { HTTP_STATUS } from '../base/errors.ts'
import { refusalResponse } from '../call/input/request-body.ts'

/** Headers that must not be ignored, and whether they only mean something for requests that write. */
const CONDITIONS = [
  { header: 'If-Match', isOfWrites: false },
  { header: 'If-Unmodified-Since', isOfWrites: false },
  // On a read it only saves transferring what the client has, which is sent anyway.
  { header: 'If-None-Match', isOfWrites: true },
] as const

/** Returns the response to a request with a condition that this server does not check; undefined for others. */
export function rejectUncheckedCondition({ method, headers, url }: Request): Response | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  const found = CONDITIONS.find(({ header, isOfWrites }) => headers.has(header) && !(isOfWrites && isRead))
  if (found === undefined || (found.header === 'If-Match' && isRead && isFile(url))) return undefined
  return refusalResponse(
    HTTP_STATUS.VALIDATION_ERROR,
    'VALIDATION_ERROR',
    `Expected no header ${found.header}, since only files have an ETag, found one; nothing was done. To change a block or a page only as it was read, leave the header out, and send expectedMarkdown or revision with PUT /blocks.`,
  )
}

const isFile = (url: string): boolean => new URL(url).pathname.startsWith('/files/')
