/**
 * Searches documents, by terms, by patterns, or by both. Source: the interface, "Search across documents", and its
 * shapes, 5.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { type DocumentSummary, documentSummaries } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { BLOCKS_PER_DOCUMENT_MATCH, PATTERN_SECONDS, SEARCH_SECONDS } from '../../base/limits.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Pagination } from '../model/cursors.ts'
import { formatTimestamp } from '../model/dates.ts'
import { isSystemDocument, type Space } from '../model/space.ts'
import { type BlockAnswer, blockTreeAnswers } from '../reading/block-answer.ts'
import { type PatternMatch, type PatternSearchResult, type PatternTimes, searchByPatterns } from './pattern-search.ts'
import type { BlockScores, Ranking } from './rank-documents.ts'
import { type RankedStage, rankStage } from './ranked-stages.ts'
import { type ScoredBlock, scoreBlocks, scoreTopDocuments, topBlocks } from './score-blocks.ts'
import { withoutContent } from './search-blocks.ts'
import { createSearchPagination, decodeSearchCursor, documentsAfter } from './search-continuation.ts'
import type { PreparedSearch } from './search-input.ts'
import { correctionNote, reasonFor, searchNote, unfinishedNote } from './search-notes.ts'
import { resolveScope, type SearchScope, scopeDocuments } from './search-scope.ts'
import type { SearchEntry, Term } from './search-terms.ts'
import { createSnippet } from './snippet.ts'

export interface DocumentMatch {
  documentId?: string
  exposedDocumentId?: string
  dailyNoteDate?: string
  /** Present for the task inbox and the logbook, which do not appear in lists of documents. */
  location?: 'inbox' | 'logbook'
  title: string
  markdown: string
  /** Why the document matches: which words are where. */
  why: string
  blockIds: string[]
  /** How many further blocks match. */
  moreBlocks?: number
  blocks?: BlockAnswer[]
  /** Present with `fetchMetadata`. */
  lastModifiedAt?: string
  createdAt?: string
}

export interface DocumentSearchResult {
  items: DocumentMatch[]
  /** What the items do not show: which terms had no match. */
  note?: string
  /** How to get the remaining documents, if there are more matches or patterns took too long. */
  pagination?: Pagination
}

/** Time limits for patterns, after which the answer comes with a cursor. */
const PATTERN_TIMES: PatternTimes = { all: SEARCH_SECONDS, pattern: PATTERN_SECONDS }

/**
 * @throws NOT_FOUND_ERROR for a folder or document that does not exist; VALIDATION_ERROR as {@link resolveScope} does;
 *   CURSOR_INVALID
 */
export async function searchDocuments(
  space: Space,
  search: PreparedSearch,
  times = PATTERN_TIMES,
): Promise<DocumentSearchResult> {
  const { scope: scopeInput, entries, patterns, limit } = search
  const position = decodeSearchCursor(space, search) ?? {}
  const { searched: start = 0 } = position
  const scope = await resolveScope(space, scopeInput, entries.length === 0)
  const stage = entries.length === 0 ? undefined : await rankStage(space, scope, entries, start)
  const ranking = stage?.ranking
  const scored = ranking && (await scoreTopDocuments(space, ranking))
  const candidates =
    stage !== undefined
      ? stage.ranking.ranked.slice(start - stage.earlier).map(({ n }) => n)
      : patterns.length > 0
        ? await documentsAfter(space, await scopeDocuments(space, scope), position)
        : []
  const matching = patterns.length > 0 ? await searchByPatterns(space, candidates, patterns, limit, times) : undefined
  const selected = matching === undefined ? candidates.slice(0, limit) : [...matching.found.keys()]
  const items = await describeMatches(space, search, { selected, ranking, scored, matched: matching?.found })
  const isIncomplete = matching?.isIncomplete === true
  const notes = [
    // Nothing is known yet about the remaining documents.
    isIncomplete && items.length === 0 ? undefined : searchNote(search, ranking, items.length),
    items.length > 0 ? correctionNote(ranking, [...(scored?.values() ?? [])].flat()) : undefined,
    unfinishedNote(matching?.unfinished ?? 0),
  ].filter((note) => note !== undefined)
  const found: DocumentSearchResult = notes.length === 0 ? { items } : { items, note: notes.join(' ') }
  const searched = matching?.searched ?? selected.length
  const left =
    matchesLeft(matching, stage) ?? (await documentsLeft(space, scope, entries, candidates.length - searched, stage))
  if (left.remaining === 0) return found
  const noun = matching === undefined || matching.more > 0 ? 'matching document' : 'document to search'
  const end = { searched: start + searched, last: candidates[searched - 1] ?? 0, noun, ...left } as const
  return { ...found, pagination: await createSearchPagination(space, search, end) }
}

/** The documents of an answer, with the blocks to show of each. */
async function describeMatches(
  space: Space,
  search: PreparedSearch,
  {
    selected,
    ranking,
    scored,
    matched,
  }: {
    selected: readonly number[]
    ranking: Ranking | undefined
    scored: ReadonlyMap<number, ScoredBlock[]> | undefined
    matched: PatternSearchResult['found'] | undefined
  },
): Promise<DocumentMatch[]> {
  const documents = new Map((await documentSummaries(space.tx, selected)).map((document) => [document.n, document]))
  const unscored = selected.filter((n) => scored?.has(n) === false)
  const others =
    ranking === undefined || unscored.length === 0 ? undefined : await scoreBlocks(space, ranking, unscored)
  const scoredOf = (n: number): readonly ScoredBlock[] | undefined => scored?.get(n) ?? others?.get(n)
  const shown = new Map<number, ShownBlocks>()
  for (const n of selected) {
    shown.set(n, blocksToShow(ranking?.blockScoresOf(n), scoredOf(n), matched?.get(n) ?? []))
  }
  const named = [...shown.values()].flatMap((blocks) => blocks.named)
  const rows = new Map((await blocksByNumbers(space.tx, named)).map((row) => [row.n, row]))
  const titleOf = await visibleTitles(
    space,
    [...documents.values()].map(({ title }) => title),
  )
  const items: DocumentMatch[] = []
  for (const [n, blocks] of shown) {
    const document = documents.get(n)
    if (document === undefined) continue
    const why = reasonFor(ranking?.termPlacesIn(n) ?? [], scoredOf(n) ?? [], matched?.get(n)?.length)
    items.push(
      await documentMatch(space, { ...document, title: titleOf(document.title) }, { ...blocks, why }, rows, search),
    )
  }
  return items
}

/** How many documents are left after an answer. It is a minimum if it is not exact. */
interface Left {
  remaining: number
  isExact: boolean
}

/** How many more documents are known to match, if patterns were searched for. */
function matchesLeft(matching: PatternSearchResult | undefined, stage: RankedStage | undefined): Left | undefined {
  if (matching === undefined || matching.more === 0) return undefined
  return { remaining: matching.more, isExact: matching.isExact && (stage?.isComplete ?? true) }
}

/** @param remaining  of the stage */
async function documentsLeft(
  space: Space,
  scope: SearchScope,
  entries: readonly SearchEntry[],
  remaining: number,
  stage: RankedStage | undefined,
): Promise<Left> {
  if (stage === undefined || stage.isComplete || remaining > 0) {
    return { remaining, isExact: stage?.isComplete ?? true }
  }
  const next = await rankStage(space, scope, entries, stage.known)
  return { remaining: next.known - stage.known, isExact: next.isComplete }
}

/** The part of a document that is shown. */
interface ShownBlocks {
  /** Numbers of the blocks that are listed, the best first. */
  named: readonly number[]
  /** How many blocks match, listed or not. */
  count: number
  snippet: string
}

function blocksToShow(
  blockScores: BlockScores | undefined,
  scored: readonly ScoredBlock[] | undefined,
  hits: readonly PatternMatch[],
): ShownBlocks {
  const matching = new Set(hits.map(({ row }) => row.n))
  const best = blockScores === undefined ? [] : topBlocks(blockScores, BLOCKS_PER_DOCUMENT_MATCH)
  const all = new Set([...(scored ?? []).map(({ row }) => row.n), ...best, ...matching])
  return {
    named: [...all].slice(0, BLOCKS_PER_DOCUMENT_MATCH),
    count: blockScores === undefined ? matching.size : matching.union(blockScores).size,
    snippet: (scored === undefined ? undefined : termSnippet(scored)) ?? patternSnippet(hits),
  }
}

async function documentMatch(
  space: Space,
  document: DocumentSummary,
  { named, count, snippet, why }: ShownBlocks & { why: string },
  rows: ReadonlyMap<number, BlockRow>,
  { fetchBlocks, fetchMetadata }: PreparedSearch,
): Promise<DocumentMatch> {
  const shown = named.flatMap((n) => rows.get(n) ?? [])
  const match: DocumentMatch = {
    ...matchLocation(space, document),
    title: document.title,
    markdown: snippet,
    why,
    blockIds: shown.map(({ id }) => space.spellId(id)),
  }
  if (count > shown.length) match.moreBlocks = count - shown.length
  if (fetchBlocks) match.blocks = (await blockTreeAnswers(space, withoutContent(shown), 'full')) as BlockAnswer[]
  if (!fetchMetadata) return match
  const { modifiedAt, createdAt } = document
  return { ...match, lastModifiedAt: formatTimestamp(modifiedAt), createdAt: formatTimestamp(createdAt) }
}

/** The location of a match as an answer names it: by date for daily connections, by document for others. */
function matchLocation(space: Space, { id: number, location, dailyNoteDate }: DocumentSummary): Partial<DocumentMatch> {
  const { kind } = space
  const id = space.spellId(number)
  const place: Partial<DocumentMatch> = kind === 'daily' ? {} : { documentId: id }
  if (kind === 'selected') place.exposedDocumentId = id
  if (kind === 'daily' && dailyNoteDate !== null) place.dailyNoteDate = dailyNoteDate
  if (isSystemDocument({ location: location as 'inbox' })) place.location = location as 'inbox' | 'logbook'
  return place
}

/**
 * The number of snippets per document: of its best block, and of others that contain terms which the best one lacks.
 */
const MAX_FRAGMENTS = 3

function termSnippet(scored: readonly ScoredBlock[]): string | undefined {
  const seen = new Set<Term>()
  const fragments: string[] = []
  for (const { text, matches } of scored) {
    const isNew = matches.some(({ term }) => !seen.has(term))
    if (!isNew || fragments.length === MAX_FRAGMENTS) continue
    for (const { term } of matches) seen.add(term)
    fragments.push(createSnippet(text, matches))
  }
  return fragments.length === 0 ? undefined : fragments.join(' … ')
}

function patternSnippet(hits: readonly PatternMatch[]): string {
  const [first] = hits
  return first === undefined ? '' : createSnippet(first.text, first.spans)
}
