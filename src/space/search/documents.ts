/**
 * Searches documents, by terms, by patterns, or by both. Source: the interface, "Search across documents", and its
 * shapes, 5.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { type FoundDocument, foundDocuments } from '../../../storage/hits.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { besideBlocks } from '../../../storage/search.ts'
import { breathe } from '../../breathe.ts'
import { BLOCKS_FOUND, DOCUMENTS_FOUND, PATTERN_SECONDS, SEARCH_SECONDS } from '../../limits.ts'
import type { Pattern } from '../../pattern/pattern.ts'
import { answerTrees, type BlockAnswer } from '../blocks/answer.ts'
import type { Rest } from '../cursors.ts'
import { visibleTitles, visibleWords } from '../links.ts'
import { isKept, type Space } from '../space.ts'
import { alone } from './blocks.ts'
import { candidatesAfter, placeOfCursor, restOfSearch } from './continue.ts'
import { matchDocuments, type PatternHit, type PatternTimes } from './patterns.ts'
import type { Search } from './query.ts'
import { LOOKED_AT, type Ranking, rankDocuments, reorder, type Worths } from './rank.ts'
import { documentsOf, scopeOf } from './scope.ts'
import { finderOf, type Match, SEARCHED, snippetOf, weighText } from './snippet.ts'
import type { Entry, Term } from './terms.ts'
import { readableTexts } from './texts.ts'

export interface DocumentMatch {
  documentId?: string
  exposedDocumentId?: string
  dailyNoteDate?: string
  /** Of the task inbox and the logbook, which no list of documents has. */
  location?: 'inbox' | 'logbook'
  title: string
  markdown: string
  blockIds: string[]
  /** How many more blocks match than are named. */
  moreBlocks?: number
  blocks?: BlockAnswer[]
}

export interface Found {
  items: DocumentMatch[]
  /** What the items alone do not tell: which terms met nothing. */
  note?: string
  /** Where patterns took too long: how to search the documents that are left. */
  pagination?: Rest
}

/** What patterns may take before the answer comes with a cursor. */
const PATTERN_TIMES: PatternTimes = { all: SEARCH_SECONDS, pattern: PATTERN_SECONDS }

/**
 * @throws NOT_FOUND_ERROR for a folder or document that there is not; VALIDATION_ERROR as {@link scopeOf} does;
 *   CURSOR_INVALID
 */
export async function searchDocuments(space: Space, search: Search, times = PATTERN_TIMES): Promise<Found> {
  const { scope: asked, entries, patterns, fetchBlocks } = search
  const at = placeOfCursor(space, search)
  const scope = await scopeOf(space, asked, entries.length === 0)
  const ranking = entries.length === 0 ? undefined : await rankDocuments(space, scope, entries)
  const looked = ranking && (await lookAt(space, ranking))
  const all = ranking?.ranked.map(({ n }) => n) ?? (patterns.length > 0 ? await documentsOf(space, scope) : [])
  const candidates = at === undefined ? all : await candidatesAfter(space, all, at)
  const matching =
    patterns.length > 0 ? await matchDocuments(space, candidates, patterns, DOCUMENTS_FOUND, times) : undefined
  const matched = matching?.found
  const chosen = matched === undefined ? candidates.slice(0, DOCUMENTS_FOUND) : [...matched.keys()]
  const documents = new Map((await foundDocuments(space.tx, chosen)).map((document) => [document.n, document]))
  const items: DocumentMatch[] = []
  for (const n of chosen) {
    const document = documents.get(n)
    if (document === undefined) continue
    const worths = ranking?.blocksOf(n)
    const read = ranking && (looked?.get(n) ?? (await readBlocks(space, ranking, [n])).get(n))
    items.push(await answer(space, document, worths, read, matched?.get(n), fetchBlocks))
  }
  const isCutShort = matching?.isCutShort === true
  const notes = [
    // Nothing is known yet of those that are left.
    isCutShort && items.length === 0 ? undefined : noteOf(ranking, entries, patterns, items.length),
    unfinishedNote(matching?.unfinished ?? 0),
  ].filter((note) => note !== undefined)
  const found: Found = notes.length === 0 ? { items } : { items, note: notes.join(' ') }
  if (!isCutShort) return found
  return {
    ...found,
    pagination: await restOfSearch(space, search, all, all.length - candidates.length + matching.searched),
  }
}

/** A block that has terms, its texts read. */
interface ReadBlock {
  row: BlockRow
  text: string
  matches: readonly Match[]
  weight: number
}

/** Blocks of a document whose texts are read: more where there are more terms. */
const BLOCKS_READ = 4

/** Reads the best blocks of the first documents, and puts these in order by them. */
async function lookAt(space: Space, ranking: Ranking): Promise<Map<number, ReadBlock[]>> {
  const first = ranking.ranked.slice(0, LOOKED_AT).map(({ n }) => n)
  const read = await readBlocks(space, ranking, first)
  reorder(ranking, (n) => read.get(n)?.[0]?.weight)
  return read
}

async function readBlocks(
  space: Space,
  { weights, isBegun, blocksOf }: Ranking,
  documents: readonly number[],
): Promise<Map<number, ReadBlock[]>> {
  const wanted: number[] = []
  for (const n of documents) {
    wanted.push(...bestOf(blocksOf(n), Math.min(BLOCKS_READ, 1 + weights.size)))
    await breathe()
  }
  const rows = await blocksByNumbers(space.tx, wanted)
  const beside = besideBlocks(space.tx, rows)
  const find = finderOf([...weights.keys()], isBegun)
  const blocks: ReadBlock[] = []
  for (const row of rows) {
    const block: ReadBlock = { row, text: '', matches: [], weight: 0 }
    let searched = 0
    for (const stored of readableTexts(row, beside.get(row.n) ?? [])) {
      const text = (await visibleWords(space, [stored])).text(stored)
      const found = find(text)
      const weight = weighText(found, weights)
      if (weight > block.weight) Object.assign(block, { text, matches: found.matches, weight })
      searched += text.length
      if (searched > SEARCHED && block.weight > 0) break
      await breathe()
    }
    blocks.push(block)
  }
  const byDocument = Map.groupBy(blocks, ({ row }) => row.document)
  for (const of of byDocument.values()) of.sort((one, other) => other.weight - one.weight || one.row.n - other.row.n)
  return byDocument
}

/** Of thousands of blocks the few that weigh most, of equals the first. */
function bestOf(worths: Worths, most: number): number[] {
  const best: [n: number, worth: number][] = []
  for (const [n, worth] of worths) {
    const isBetter = ([other, than]: [number, number]) => worth > than || (worth === than && n < other)
    const last = best.at(-1)
    if (best.length === most && last !== undefined && !isBetter(last)) continue
    const at = best.findIndex(isBetter)
    best.splice(at < 0 ? best.length : at, 0, [n, worth])
    if (best.length > most) best.pop()
  }
  return best.map(([n]) => n)
}

async function answer(
  space: Space,
  document: FoundDocument,
  worths: Worths | undefined,
  read: readonly ReadBlock[] | undefined,
  hits: readonly PatternHit[] | undefined,
  fetchBlocks: boolean,
): Promise<DocumentMatch> {
  const matching = new Set((hits ?? []).map(({ row }) => row.n))
  const best = worths === undefined ? [] : bestOf(worths, BLOCKS_FOUND)
  const named = [...new Set([...(read ?? []).map(({ row }) => row.n), ...best, ...matching])].slice(0, BLOCKS_FOUND)
  const rows = new Map((await blocksByNumbers(space.tx, named)).map((row) => [row.n, row]))
  const shown = named.flatMap((n) => rows.get(n) ?? [])
  const match: DocumentMatch = {
    ...placeOf(space, document),
    title: (await visibleTitles(space, [document.title]))(document.title),
    markdown: (read === undefined ? undefined : termSnippet(read)) ?? patternSnippet(hits ?? []),
    blockIds: shown.map(({ id }) => id),
  }
  const count = worths === undefined ? matching.size : matching.union(worths).size
  if (count > shown.length) match.moreBlocks = count - shown.length
  if (fetchBlocks) match.blocks = (await answerTrees(space, alone(shown), 'blocks')) as BlockAnswer[]
  return match
}

/** How an answer names the place of a match: daily connections know days, the others documents. */
function placeOf({ kind }: Space, { id, location, dailyNoteDate }: FoundDocument): Partial<DocumentMatch> {
  const place: Partial<DocumentMatch> = kind === 'daily' ? {} : { documentId: id }
  if (kind === 'selected') place.exposedDocumentId = id
  if (kind === 'daily' && dailyNoteDate !== null) place.dailyNoteDate = dailyNoteDate
  if (isKept({ location: location as 'inbox' })) place.location = location as 'inbox' | 'logbook'
  return place
}

/** Fragments of the blocks of one document: of the best, and of others with terms that it lacks. */
const FRAGMENTS = 3

function termSnippet(read: readonly ReadBlock[]): string | undefined {
  const seen = new Set<Term>()
  const fragments: string[] = []
  for (const { text, matches } of read) {
    const isNew = matches.some(({ term }) => !seen.has(term))
    if (!isNew || fragments.length === FRAGMENTS) continue
    for (const { term } of matches) seen.add(term)
    fragments.push(snippetOf(text, matches))
  }
  return fragments.length === 0 ? undefined : fragments.join(' … ')
}

function patternSnippet(hits: readonly PatternHit[]): string {
  const [first] = hits
  return first === undefined ? '' : snippetOf(first.markdown, first.spans)
}

function noteOf(
  ranking: Ranking | undefined,
  entries: readonly Entry[],
  patterns: readonly Pattern[],
  found: number,
): string | undefined {
  if (ranking !== undefined) {
    const { unmet, missing, ranked } = ranking
    if (unmet.length > 0) return `No document that was searched has ${quoted(unmet)}.`
    if (ranked.length === 0) {
      return `Each of ${quoted(entries.map(({ asked }) => asked))} is in some document, and no document has all of them; give fewer entries, or all words in one.`
    }
    if (found === 0) return 'Documents have the terms of include, and none of them what regexps ask for.'
    if (missing.length > 0) return `Found without ${quoted(missing)}, which no document that was searched has.`
    return undefined
  }
  return found === 0
    ? `No document that was searched matches ${quoted(patterns.map(({ source }) => source))}.`
    : undefined
}

function unfinishedNote(count: number): string | undefined {
  if (count === 0) return undefined
  const documents = count === 1 ? '1 document was' : `${count} documents were`
  return `${documents} not searched to the end, since the patterns take too long there; use shorter repetitions.`
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ')
