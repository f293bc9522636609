/** Sends one message to the address of a webhook. */

import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { messageOf } from '../base/errors.ts'
import { WEBHOOK_SECONDS } from '../base/limits.ts'
import {
  type AddressCheck,
  AddressNotAllowed,
  assertHostAllowed,
  createCheckedLookup,
  isPublicAddress,
} from '../base/public-addresses.ts'
import { responseTo } from '../base/response-to.ts'
import { signatureHeaders, type WebhookMessage } from './webhook-message.ts'

export interface WebhookRequestOptions {
  /** The program's version, for `User-Agent`. */
  version: string
  /** Decides which private addresses are allowed. */
  isAllowed?: AddressCheck
  /** Trusted certificates, in addition to those of the system. */
  ca?: Buffer
  /** Milliseconds for the receiver to respond. */
  timeout?: number
}

/** The result of an attempt: accepted, or the reason why not. */
export type WebhookResult =
  | { isAccepted: true }
  | {
      isAccepted: false
      reason: string
      /** True if the receiver wants no more messages (410). */
      isGone?: boolean
      /** Seconds that the receiver asks to wait. */
      retryAfter?: number
    }

/**
 * Sends a message and waits for the status of the response. Redirects are not followed, the body of the response is not
 * read, and connections are not reused.
 *
 * @param now  milliseconds since 1970
 */
export async function sendMessage(
  webhook: { url: string; secret: string },
  message: WebhookMessage,
  now: number,
  options: WebhookRequestOptions,
): Promise<WebhookResult> {
  try {
    return toResult(
      await post(new URL(webhook.url), message.body, signatureHeaders(message, webhook.secret, now), options),
    )
  } catch (error) {
    return { isAccepted: false, reason: reasonOf(error) }
  }
}

interface Answer {
  status: number
  retryAfter?: string | undefined
}

/**
 * Checks an address as {@link sendMessage} does, without sending anything.
 *
 * @returns false if its name is not known here; it may still be known where messages are sent from
 * @throws AddressNotAllowed
 */
export async function isKnownAddress(address: string, isAllowed?: AddressCheck): Promise<boolean> {
  const url = new URL(address)
  const lookup = allowedLookup(url, isAllowed)
  return new Promise((resolve, reject) => {
    lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
      if (error instanceof AddressNotAllowed) reject(error)
      else resolve(error === null)
    })
  })
}

/**
 * Resolves only to addresses to which messages are sent. Unencrypted ones are only sent to networks that were explicitly
 * allowed.
 *
 * @throws AddressNotAllowed for a host that is such an address itself, which is not looked up
 */
function allowedLookup(url: URL, isAllowed: AddressCheck = () => false): LookupFunction {
  const isHttps = url.protocol === 'https:'
  const mayConnect: AddressCheck = isHttps ? (address) => isPublicAddress(address) || isAllowed(address) : isAllowed
  const expected = isHttps ? EXPECTED_HTTPS : EXPECTED_HTTP
  assertHostAllowed(url, mayConnect, expected)
  return createCheckedLookup(mayConnect, expected)
}

async function post(
  url: URL,
  body: string,
  headers: Record<string, string>,
  { version, isAllowed, ca, timeout = WEBHOOK_SECONDS * 1000 }: WebhookRequestOptions,
): Promise<Answer> {
  const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Scriptorium/${version}`,
      ...headers,
    },
    lookup: allowedLookup(url, isAllowed),
    signal: AbortSignal.timeout(timeout),
    // A reused connection could lead to an address that was resolved differently.
    agent: false,
    ...(ca && { ca }),
  })
  const answered = responseTo(outgoing)
  outgoing.end(body)
  const { statusCode, headers: received } = await answered
  // The body may be endless, so it is ignored.
  outgoing.destroy()
  return { status: statusCode ?? 0, retryAfter: received['retry-after'] }
}

const EXPECTED_HTTPS = 'an address of the public network, or of one that --webhook-allow names'
const EXPECTED_HTTP = 'an address with https, or in a network that --webhook-allow names'

const GONE = 410

function toResult({ status, retryAfter }: Answer): WebhookResult {
  if (status >= 200 && status < 300) return { isAccepted: true }
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return {
    isAccepted: false,
    reason: status >= 300 && status < 400 ? `status ${status}, a redirect, which is not followed` : `status ${status}`,
    ...(status === GONE && { isGone: true }),
    ...(seconds !== undefined && { retryAfter: seconds }),
  }
}

const MAX_REASON_LENGTH = 200

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time'
  // If none of several addresses could be connected to, reports the first error.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const reason = messageOf(first)
  // The reason becomes part of a sentence.
  return reason.slice(0, MAX_REASON_LENGTH).replace(/\.$/, '')
}
