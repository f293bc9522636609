/** Content negotiation by the `Accept` header. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

const MARKDOWN = 'text/markdown'
const JSON_TYPE = 'application/json'

/** True if a client prefers Markdown to JSON. The default is JSON, also if the client accepts neither. */
export const prefersMarkdown = (accept: string | null): boolean => prefersType(accept, MARKDOWN)

/** The same for another media type. */
export function prefersType(accept: string | null, type: string): boolean {
  // The helper only reads this header of the context.
  const context = { req: { header: () => accept ?? undefined } } as unknown as Context
  return accepts(context, { header: 'Accept', supports: [JSON_TYPE, type], default: JSON_TYPE }) === type
}
