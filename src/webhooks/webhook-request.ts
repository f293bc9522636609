/** Sends one message to the address of a webhook. */

import type { IncomingMessage } from 'node:http'
import { checkedRequest, type RequestChecks } from '../base/checked-request.ts'
import { messageOf } from '../base/errors.ts'
import { WEBHOOK_SECONDS } from '../base/limits.ts'
import { type AddressCheck, AddressNotAllowed, allowedLookup } from '../base/public-addresses.ts'
import { responseTo } from '../base/response-to.ts'
import { isHostAmong } from './event-hosts.ts'
import { messageHeaders, type WebhookMessage, type WebhookTarget } from './webhook-message.ts'

export interface WebhookRequestOptions extends RequestChecks {
  /** The program's version, for `User-Agent`. */
  version: string
  /** The hosts to which subscriptions may send; any if absent. */
  eventHosts?: readonly string[] | undefined
  /** Milliseconds for the receiver to respond. */
  timeout?: number
}

/** What kind of failure it was, in the words of MCP Events. Clients see no more, since it could reveal a network. */
export type FailureKind = 'connection_refused' | 'timeout' | 'tls_error' | 'http_4xx' | 'http_5xx' | 'challenge_failed'

export interface FailedAttempt {
  isAccepted: false
  /** For the operator. */
  reason: string
  kind: FailureKind
  /** The status of the response, if there was one. */
  status?: number
  /** Seconds that the receiver asks to wait. */
  retryAfter?: number
}

/** The result of an attempt: accepted, or the reason why not. */
export type WebhookResult = { isAccepted: true } | FailedAttempt

/**
 * Sends a message and waits for the status of the response. Redirects are not followed, the body of the response is not
 * read, and connections are not reused.
 *
 * @param now  milliseconds since 1970
 */
export async function sendMessage(
  webhook: WebhookTarget,
  message: WebhookMessage,
  now: number,
  options: WebhookRequestOptions,
): Promise<WebhookResult> {
  return (await post(webhook, message, now, options, 0)).result
}

/**
 * Sends a message and reads the beginning of the response.
 *
 * @param bytes  how many bytes are read at most
 * @returns the result, and the text of an accepted response; undefined if it is longer
 */
export async function askReceiver(
  webhook: WebhookTarget,
  message: WebhookMessage,
  now: number,
  { bytes, ...options }: WebhookRequestOptions & { bytes: number },
): Promise<{ result: WebhookResult; text?: string }> {
  return post(webhook, message, now, options, bytes)
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

async function post(
  webhook: WebhookTarget,
  message: WebhookMessage,
  now: number,
  options: WebhookRequestOptions,
  bytes: number,
): Promise<{ result: WebhookResult; text?: string }> {
  const { version, eventHosts, timeout = WEBHOOK_SECONDS * 1000 } = options
  const url = new URL(webhook.url)
  if (webhook.eventName != null && !isHostAmong(eventHosts, url.hostname)) return { result: HOST_LEFT_OUT }
  const signal = AbortSignal.timeout(timeout)
  try {
    const outgoing = checkedRequest(url, options, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': `Scriptorium/${version}`,
        ...messageHeaders(message, webhook, now),
      },
      signal,
    })
    try {
      const answered = responseTo(outgoing)
      outgoing.end(message.body)
      const response = await answered
      const result = toResult(response)
      const text = result.isAccepted && bytes > 0 ? await beginningOf(response, bytes) : undefined
      return { result, ...(text !== undefined && { text }) }
    } finally {
      // What was not read of the body may be endless, so it is ignored.
      outgoing.destroy()
    }
  } catch (error) {
    // A response that is cut off by the timeout says only that it was cut off.
    return { result: { isAccepted: false, ...failureOf(signal.aborted ? signal.reason : error) } }
  }
}

/** The text of a response; undefined if it is longer than this many bytes. */
async function beginningOf(response: IncomingMessage, bytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const HOST_LEFT_OUT: FailedAttempt = {
  isAccepted: false,
  reason: 'its host is not among those of --event-hosts',
  kind: 'connection_refused',
}

/** A status of a receiver that wants no more messages, and of one for which a message is too large. */
export const GONE = 410
export const TOO_LARGE = 413

function toResult({ statusCode: status = 0, headers }: IncomingMessage): WebhookResult {
  if (status >= 200 && status < 300) return { isAccepted: true }
  const retryAfter = headers['retry-after']
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return {
    isAccepted: false,
    reason: status >= 300 && status < 400 ? `status ${status}, a redirect, which is not followed` : `status ${status}`,
    kind: status >= 500 ? 'http_5xx' : 'http_4xx',
    status,
    ...(seconds !== undefined && { retryAfter: seconds }),
  }
}

const MAX_REASON_LENGTH = 200

function failureOf(error: unknown): { reason: string; kind: FailureKind } {
  if (!(error instanceof Error)) return { reason: String(error), kind: 'connection_refused' }
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return { reason: 'no answer in time', kind: 'timeout' }
  // If none of several addresses could be connected to, reports the first error.
  const first = error instanceof AggregateError ? error.errors[0] : error
  // The reason becomes part of a sentence.
  const reason = messageOf(first).slice(0, MAX_REASON_LENGTH).replace(/\.$/, '')
  return { reason, kind: kindOf(first as NodeJS.ErrnoException) }
}

/** Codes of OpenSSL and of Node for a certificate or a handshake that failed. */
const TLS_CODE = /^ERR_(TLS|SSL)_|CERT|^EPROTO$|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$/

function kindOf({ code = '' }: NodeJS.ErrnoException): FailureKind {
  if (TLS_CODE.test(code)) return 'tls_error'
  return code === 'ETIMEDOUT' ? 'timeout' : 'connection_refused'
}
