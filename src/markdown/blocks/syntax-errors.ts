import type { Token } from 'markdown-it'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { normalizeText } from '../inline-text.ts'
import type { BlockTag } from './block-tags.ts'
import { formatPlace } from './format-place.ts'

/**
 * A fault of the inline level, with its place in the whole text, which that level does not know.
 *
 *     At line 3, column 5: Expected a highlight color, one of …
 */
export function withLocation(error: unknown, source: string, token: Token): unknown {
  if (!(error instanceof ScriptoriumError) || / at line \d+, column \d+/.test(error.message)) return error
  const { tag } = (token.meta ?? {}) as { tag?: BlockTag }
  const start = tag?.line ?? token.map?.[0] ?? 0
  const end = tag?.close === undefined ? (token.map?.[1] ?? start + 1) : tag.close.line + 1
  const [line, column] = placeOf(source.split('\n').slice(start, end))
  return invalid(`At ${formatPlace(start + line, column)}: ${error.message}`, error.details)
}

const TAG = /<(\/?)(?:highlight|comment)\b[^<>]*>/g

/** The place of the first inline tag that is invalid on its own; if all are valid, the place of the first tag. */
function placeOf(lines: readonly string[]): [line: number, column: number] {
  const tags = lines.flatMap((text, line) =>
    [...text.matchAll(TAG)].map(({ 0: tag, 1: slash, index }) => ({ line, column: index, tag, slash })),
  )
  const wrong = tags.find(
    ({ tag, slash }) => slash === '' && isRefused(`${tag}a${tag.startsWith('<h') ? '</highlight>' : '</comment>'}`),
  )
  const found = wrong ?? tags[0]
  return [found?.line ?? 0, found?.column ?? 0]
}

function isRefused(text: string): boolean {
  try {
    normalizeText(text)
    return false
  } catch {
    return true
  }
}
