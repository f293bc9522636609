/** The tool that searches the text of blocks. */
import { z } from 'zod'
import { MATCHES_PER_ANSWER, MATCHES_PER_ANSWER_MAX, MAX_CONTEXT_BLOCKS } from '../src/base/limits.ts'
import { endpoint } from '../src/endpoint.ts'
import { PATTERN_LENGTH } from '../src/regex/pattern-limits.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { type BlockSearchInput, prepareBlockSearch, searchBlocks } from '../src/space/search/search-blocks.ts'
import { blockMatchesToMarkdown } from '../src/space/search/search-markdown.ts'
import { blockOutput, pagination } from './shapes/block-output.ts'
import { cursor, date, format, id, limit } from './shapes/block-shapes.ts'
import { named, patternAliases } from './shapes/input-aliases.ts'

const contextBlockCount = (fallback: number) =>
  z
    .int()
    .min(0)
    .max(MAX_CONTEXT_BLOCKS)
    .default(fallback)
    .meta({ published: { type: 'integer', ...(fallback > 0 && { default: fallback }) } })
const searchFields = (contextBlocks: number) => ({
  pattern: z.string().min(1).max(PATTERN_LENGTH).describe('RE2, lookaround too'),
  caseSensitive: z.boolean().default(false),
  beforeBlockCount: contextBlockCount(contextBlocks),
  afterBlockCount: contextBlockCount(contextBlocks),
  fetchBlocks: z.boolean().default(false),
  format,
  limit: limit(MATCHES_PER_ANSWER_MAX, MATCHES_PER_ANSWER).meta({ published: { type: 'integer' } }),
  cursor,
})
/** Default number of blocks around a match. A day is short, and was probably read already. */
const DEFAULT_CONTEXT: Record<ConnectionKind, number> = { full: 5, selected: 5, daily: 0 }

const neighbours = z
  .array(z.strictObject({ blockId: z.string(), markdown: z.string() }))
  .meta({ maxItems: MAX_CONTEXT_BLOCKS })

export const search = endpoint({
  name: 'blocks_search',
  title: 'Search in a document',
  description: 'Find blocks of a document, page or day by a pattern over their Markdown.',
  route: 'GET /blocks/search',
  effect: 'read',
  aliases: [
    ...patternAliases,
    ...named('blockId', 'documentId pageId id'),
    ...named('documentId', 'blockId pageId id'),
  ],
  alsoKnownAs: ['documents_grep', 'blocks_find', 'pages_search'],
  input: {
    full: z
      .strictObject({ blockId: id, ...searchFields(DEFAULT_CONTEXT.full) })
      .transform(({ blockId, ...input }): BlockSearchInput => ({ place: { blockId }, ...input })),
    selected: z
      .strictObject({ documentId: id, ...searchFields(DEFAULT_CONTEXT.selected) })
      .transform(({ documentId, ...input }): BlockSearchInput => ({ place: { documentId }, ...input })),
    daily: z
      .strictObject({ date: date.default('today'), ...searchFields(DEFAULT_CONTEXT.daily) })
      .transform(({ date, ...input }): BlockSearchInput => ({ place: { date }, ...input })),
  },
  output: z.strictObject({
    items: z
      .array(
        z.strictObject({
          blockId: z.string(),
          markdown: z.string(),
          pageBlockPath: z.array(z.strictObject({ id: z.string(), content: z.string() })),
          beforeBlocks: neighbours,
          afterBlocks: neighbours,
          block: blockOutput.optional(),
        }),
      )
      .meta({ maxItems: MATCHES_PER_ANSWER_MAX }),
    pagination,
  }),
  renderMarkdown: blockMatchesToMarkdown,
  prepare: prepareBlockSearch,
  blocks: {
    read: ({ items }) =>
      items.reduce((sum, { beforeBlocks, afterBlocks }) => sum + 1 + beforeBlocks.length + afterBlocks.length, 0),
  },
  handle: ({ space }, search) => searchBlocks(space, search),
})
