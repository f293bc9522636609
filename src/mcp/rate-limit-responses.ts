/** What responses over HTTP say about the rate limits of the space. */
import { ScriptoriumError } from '../base/errors.ts'
import { rateLimitHeaders } from '../call/rate-limit-headers.ts'
import type { countAcquired } from './accept-messages.ts'

type Counting = Pick<ReturnType<typeof countAcquired>, 'remaining' | 'refusal'>

const TOO_MANY_REQUESTS = 429

/**
 * Adds `X-RateLimit-*` to a response. If a rate limit refused its request, it has the status 429 and `Retry-After`, unless
 * it is the result of a tool, which the model reads.
 */
export function withRateLimits(response: Response, { remaining, refusal }: Counting, method?: unknown): Response {
  const error = refusal()
  const { requests } = remaining() ?? {}
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(rateLimitHeaders(requests && { requests }))) headers.set(name, value)
  const isRefused = error instanceof ScriptoriumError && error.retryAfter !== undefined && method !== 'tools/call'
  if (isRefused) headers.set('Retry-After', String(error.retryAfter))
  return new Response(response.body, { status: isRefused ? TOO_MANY_REQUESTS : response.status, headers })
}

/**
 * The same stream once its request was counted, or its first part exists: before, it is not known what remains.
 *
 * @param counted  resolves once the handler of the request has counted it
 */
export async function afterCounting(response: Response, counted: Promise<void>): Promise<Response> {
  const source = response.body?.getReader()
  if (source === undefined) return response
  const first = source.read()
  await Promise.race([first, counted])
  let isBegun = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (isBegun ? source.read() : first)
        isBegun = true
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}
