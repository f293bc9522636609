import { z } from 'zod'
import { endpoint } from '../src/endpoint.ts'
import { searchDocuments } from '../src/space/search/search-documents.ts'
import { prepareSearch } from '../src/space/search/search-input.ts'
import { documentMatchesToMarkdown } from '../src/space/search/search-markdown.ts'
import { date } from './shapes/block-shapes.ts'
import { searchAliases } from './shapes/input-aliases.ts'
import { documentMatch, limitByFormat, requireSearchTerms, searchResults, searchTerms } from './shapes/search-shapes.ts'

const search = endpoint({
  name: 'daily_notes_search',
  title: 'Search daily notes',
  description:
    'Find daily notes, inbox and logbook by words or whole questions (include) or patterns (regexps). Each entry must match: by any of its words, "in quotes" as a phrase.',
  route: 'GET /daily-notes/search',
  effect: 'read',
  isEssential: true,
  aliases: searchAliases,
  alsoKnownAs: ['search', 'notes_search', 'documents_search'],
  input: {
    daily: z
      .strictObject({ ...searchTerms, startDate: date.optional(), endDate: date.optional() })
      .check(requireSearchTerms)
      .transform(limitByFormat),
  },
  output: searchResults(documentMatch.extend({ dailyNoteDate: z.string().optional() })),
  renderMarkdown: documentMatchesToMarkdown,
  prepare: prepareSearch,
  blocks: { read: ({ items }) => items.reduce((sum, { blocks = [] }) => sum + Math.max(1, blocks.length), 0) },
  handle: ({ space }, search) => searchDocuments(space, search),
})

export const dailyNotes = [search]
