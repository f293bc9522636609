/** Inputs and outputs of document searches. */

import { z } from 'zod'
import {
  BLOCKS_PER_DOCUMENT_MATCH,
  DOCUMENTS_PER_SEARCH,
  DOCUMENTS_PER_SEARCH_IN_MARKDOWN,
  TERMS_PER_SEARCH,
} from '../../src/base/limits.ts'
import { PATTERN_LENGTH } from '../../src/regex/pattern-limits.ts'
import { blockOutput, pagination } from './block-output.ts'
import { cursor, format } from './block-shapes.ts'
import { tags } from './tags.ts'

/** One or several texts. Published as a list, since hosts do not support unions. */
const textOrTexts = (each: z.ZodString) =>
  z
    .union([each.transform(listInText), z.array(each).max(TERMS_PER_SEARCH)], {
      // The rules of a text have their own messages.
      error: ({ input }) =>
        typeof input === 'string'
          ? undefined
          : `Expected a text or an array of at most ${TERMS_PER_SEARCH} texts, found neither.`,
    })
    .default([])
    .meta({ published: { type: 'array', items: { type: 'string' } }, emptyIsAbsent: true })

/** Parses a list of texts in JSON; otherwise the text is the only entry. */
function listInText(text: string): string[] {
  if (!text.trimStart().startsWith('[')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    const isList =
      Array.isArray(list) && list.length <= TERMS_PER_SEARCH && list.every((one) => typeof one === 'string')
    return isList ? list : [text]
  } catch {
    return [text]
  }
}

/** A word that is to be left out: `-draft`, or `NOT draft`. */
const EXCLUDES = /(?:^|\s)(?:-(?=[\p{L}#"])|NOT\s+\S)/u
const NO_EXCLUSION =
  'Expected words to find, found one to exclude; search for the other words, then ignore the results that contain it. To find it as written, put it in quotes.'

/** Operators of other searches, such as `path:Work` or `tag:#work`. */
const OPERATOR = /(?:^|\s)(?:path|file|folder|tag):(?!\/)\S/i
const NO_OPERATOR =
  'Expected words to find, found an operator such as path: or tag:, which this search does not have; give the words alone, and places, dates and tags in other parameters. In quotes, it is found as it is.'

/** The search terms of documents. */
export const searchTerms = {
  include: textOrTexts(
    z
      .string()
      .refine((text) => !EXCLUDES.test(text), NO_EXCLUSION)
      .refine((text) => !OPERATOR.test(text), NO_OPERATOR),
  ),
  regexps: textOrTexts(z.string().min(1).max(PATTERN_LENGTH)),
  tags,
  fetchBlocks: z.boolean().default(false),
  fetchMetadata: z.boolean().default(false).meta({ hidden: true }),
  format,
  limit: z
    .int()
    .min(1)
    .max(DOCUMENTS_PER_SEARCH)
    .optional()
    .meta({ published: { type: 'integer' } }),
  cursor,
}

/** Markdown is for models: by default, they get the best matches, and the number of further ones. */
export const limitByFormat = <Input extends { format: 'json' | 'markdown'; limit?: number | undefined }>(
  input: Input,
): Input & { limit: number } => ({
  ...input,
  limit: input.limit ?? (input.format === 'markdown' ? DOCUMENTS_PER_SEARCH_IN_MARKDOWN : DOCUMENTS_PER_SEARCH),
})

/** Requires at least one search term. */
export function requireSearchTerms({
  value,
  issues,
}: z.core.ParsePayload<{ include: readonly string[]; regexps: readonly string[]; tags?: string[] | undefined }>): void {
  if (value.include.length > 0 || value.regexps.length > 0 || value.tags !== undefined) return
  const message = 'Expected include or regexps, found neither; give the words or patterns to look for.'
  issues.push({ code: 'custom', message, input: value })
}

/** A document found by a search, without the name of its place. */
export const documentMatch = z.strictObject({
  location: z.enum(['inbox', 'logbook']).optional(),
  title: z.string(),
  markdown: z.string(),
  blockIds: z.array(z.string()).meta({ maxItems: BLOCKS_PER_DOCUMENT_MATCH }),
  why: z.string(),
  moreBlocks: z.int().optional(),
  blocks: z.array(blockOutput).meta({ maxItems: BLOCKS_PER_DOCUMENT_MATCH }).optional(),
  lastModifiedAt: z.string().optional(),
  createdAt: z.string().optional(),
})
export const searchResults = <Match extends z.ZodType>(match: Match) =>
  z.strictObject({
    items: z.array(match).meta({ maxItems: DOCUMENTS_PER_SEARCH }),
    note: z.string().optional(),
    pagination,
  })
