/** What a client would rather have: the `Accept` header. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

const MARKDOWN = 'text/markdown'
const JSON_TYPE = 'application/json'

/** Whether a client prefers Markdown to JSON. Where it says nothing, or accepts neither, JSON is answered. */
export const prefersMarkdown = (accept: string | null): boolean => prefersType(accept, MARKDOWN)

/** The same of another type of answer. */
export function prefersType(accept: string | null, type: string): boolean {
  // The helper reads nothing of the context but this header.
  const context = { req: { header: () => accept ?? undefined } } as unknown as Context
  return accepts(context, { header: 'Accept', supports: [JSON_TYPE, type], default: JSON_TYPE }) === type
}
