/** Results of tool calls on the wire: the response of a call, or the error that it was refused with. */
import type { ErrorBody } from '../base/errors.ts'
import type { Remaining } from '../call/rate-limiter.ts'
import type { CallResult } from '../call/run.ts'
import { viewMeta } from './mcp-apps.ts'

/** The key in `_meta` of results. */
const LIMITS_KEY = 'scriptorium/limits'

export function resultMeta(remaining: Remaining | undefined, notices: CallResult['notices'] = {}) {
  const hasRemaining = remaining?.requests !== undefined || remaining?.blocks !== undefined
  const meta = { ...notices, ...(hasRemaining && { [LIMITS_KEY]: remaining }) }
  return Object.keys(meta).length > 0 ? { _meta: meta } : {}
}

/** The `_meta` key of an error's code and details, for programs. */
const ERROR_KEY = 'scriptorium/error'

/** The result of a call that was refused. */
export const errorResult = (body: ErrorBody, meta: object = {}) => ({
  content: errorContent(body),
  isError: true as const,
  _meta: errorMeta(body, meta),
})

export const errorMeta = (body: ErrorBody, meta: object = {}): Record<string, unknown> => ({
  ...meta,
  [ERROR_KEY]: body,
})

/** The text of an error for models: its sentence once, and further details. */
function errorContent({ error, details = [] }: ErrorBody): ContentBlock[] {
  const others = details.filter(({ message }) => !error.includes(message))
  const lines = others.map(({ path, message }) => (path === '' ? message : `At ${path}: ${message}`))
  return [error, ...(lines.length > 0 ? [lines.join('\n')] : [])].map((text) => ({ type: 'text', text }))
}

type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

export interface ResultOptions {
  /** A view for people. */
  html: string | undefined
  /** True to give JSON that is sent as text as an object, too. */
  isTyped: boolean
}

export function toolResult(result: CallResult, { html, isTyped }: ResultOptions) {
  const shown = html === undefined ? {} : viewMeta(html)
  const meta = resultMeta(result.remaining, { ...result.notices, ...shown })
  if ('object' in result) {
    const text = JSON.stringify(result.object)
    const structuredContent = result.object as Record<string, unknown>
    const texts = result.note === undefined ? [text] : [text, result.note]
    return { content: texts.map((one) => ({ type: 'text' as const, text: one })), structuredContent, ...meta }
  }
  const { body, note, images = [] } = result.text
  const content: ContentBlock[] = [{ type: 'text', text: body }]
  if (note !== undefined) content.push({ type: 'text', text: note })
  for (const { blockId, mimeType, data } of images) {
    content.push({ type: 'text', text: `Picture of ${blockId}:` }, { type: 'image', data, mimeType })
  }
  const structuredContent = isTyped ? (JSON.parse(body) as Record<string, unknown>) : undefined
  return { content, ...(structuredContent && { structuredContent }), ...meta }
}
