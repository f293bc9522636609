/** The headers of HTTP responses that say what is left of the rate limits of a space. */
import type { Remaining } from './rate-limiter.ts'

/** `X-RateLimit-*` and `X-BlockBudget-*`: the remaining quota of the space. Unknown limits have no header. */
export function rateLimitHeaders(remaining: Remaining | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [prefix, allowance] of [
    ['X-RateLimit', remaining?.requests],
    ['X-BlockBudget', remaining?.blocks],
  ] as const) {
    if (allowance === undefined) continue
    const { limit, remaining: left, reset } = allowance
    Object.assign(headers, {
      [`${prefix}-Limit`]: String(limit),
      [`${prefix}-Remaining`]: String(left),
      [`${prefix}-Reset`]: String(reset),
    })
  }
  return headers
}
