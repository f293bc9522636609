/** The calls of the growth bench: every tool, with responses whose length does not depend on the size of the space. */
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { DAY, dayOf, type GrowthSpace, LAST_DAY, wordOf } from './growth-space.ts'
import { documentOf, writes } from './growth-writes.ts'

export interface GrowthCall {
  tool: string
  /** Distinguishes several calls of the same tool. */
  what?: string
  /** The kind of connection, full by default. A selected one exposes the first {@link EXPOSED} documents. */
  kind?: ConnectionKind
  /** Returns the arguments for a round. No two rounds write the same block. */
  args(round: number): object
  /** True if the call must read the whole space, so that there is no bound on its time. */
  mayGrow?: boolean
}

/** The number of rounds of each call. Writes have a different target in each of them. */
export const ROUNDS = 12
/** The number of documents exposed to a selected connection. */
export const EXPOSED = 50

/**
 * Returns the calls in order, with the writes last.
 *
 * @throws if a tool has no call here
 */
export function growthCalls(space: GrowthSpace): GrowthCall[] {
  const calls = [...reads(space), ...searches(space), ...writes(space)]
  const called = new Set(calls.map(({ tool }) => tool))
  // Decisions on proposals run the calls of other tools.
  const others = endpoints.flatMap(({ name, effect }) => (effect === 'decide' || called.has(name) ? [] : [name]))
  if (others.length > 0) throw new Error(`Expected a call of every tool in growth-calls.ts, found none of ${others}.`)
  return calls
}

function reads(space: GrowthSpace): GrowthCall[] {
  const document = (round: number) => documentOf(space, round)
  const far = dayOf(LAST_DAY + 3650 * DAY)
  const list = (what: string, args: object): GrowthCall => ({ tool: 'documents_list', what, args: () => args })
  return [
    { tool: 'connection_get', args: () => ({}) },
    { tool: 'for_me_list', args: () => ({}) },
    { tool: 'history_list', args: () => ({}) },
    { tool: 'proposals_list', args: () => ({}) },
    { tool: 'proposals_parts', args: (round) => ({ documentId: document(round) }) },
    { tool: 'comments_list', args: (round) => ({ documentId: document(round) }) },
    { tool: 'changes_list', args: () => ({ cursor: 'start' }) },
    { tool: 'events_list', args: () => ({ name: 'document.changed', quietSeconds: 0, cursor: 'start' }) },
    { tool: 'blocks_get', args: (round) => ({ id: document(round) }) },
    { tool: 'blocks_search', args: (round) => ({ blockId: document(round), pattern: wordOf(3) }) },
    { tool: 'folders_list', args: () => ({}) },
    list('first 100', { limit: 100 }),
    list('nothing created since', { createdDateGte: far }),
    list('nothing changed since', { lastModifiedDateGte: far }),
    list('no daily note since', { dailyNoteDateGte: far }),
    list('nothing made so early', { createdDateLte: '1999-01-01' }),
    list('both dates', { createdDateGte: '2000-01-01', lastModifiedDateLte: '1999-01-01' }),
    list('trash', { location: 'trash', limit: 5 }),
    list('a folder', { folderId: space.folders[20], limit: 5 }),
    list('a folder, nothing changed since', { folderId: space.folders[20], lastModifiedDateGte: far }),
    list('daily notes, nothing created since', { location: 'daily_notes', createdDateGte: far }),
    { tool: 'collections_list', args: () => ({}) },
    { tool: 'collections_list', what: 'of one document', args: () => ({ documentIds: [space.documents[3]] }) },
    { tool: 'schema_get', args: (round) => ({ collectionId: space.collections[round] }) },
    { tool: 'items_list', args: (round) => ({ collectionId: space.collections[round] }) },
    {
      tool: 'items_list',
      what: 'of a view',
      args: (round) => ({ collectionId: space.collections[round], viewId: space.views[round * 2] }),
    },
    { tool: 'views_list', args: (round) => ({ collectionId: space.collections[round] }) },
    ...['active', 'upcoming', 'undated', 'inbox', 'logbook', 'all'].map((scope) => {
      return { tool: 'tasks_list', what: scope, args: () => ({ scope, limit: 20 }) }
    }),
    { tool: 'tasks_list', what: 'document', args: (round) => ({ scope: 'document', documentId: document(round) }) },
    { tool: 'reminders_list', args: () => ({ limit: 10 }) },
    { tool: 'elements_list', args: (round) => ({ whiteboardBlockId: space.boards[round] }) },
  ]
}

/** Ranks of words that only a few blocks contain in any space, that some contain, and that most contain. */
const RARE = 40_000
const COMMON = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function searches({ folders }: GrowthSpace): GrowthCall[] {
  const search = (what: string, args: (round: number) => object, mayGrow = false): GrowthCall => {
    return { tool: 'documents_search', what, args, mayGrow }
  }
  const within = (kind: 'selected' | 'daily', what: string, args: (round: number) => object, mayGrow = false) => {
    const tool = kind === 'daily' ? 'daily_notes_search' : 'documents_search'
    return { tool, what: kind === 'daily' ? what : `${what}, on a selected connection`, kind, args, mayGrow }
  }
  const common = (count: number, round: number) => Array.from({ length: count }, (_, at) => wordOf((at + round) % 30))
  const middle = (count: number, round: number) =>
    Array.from({ length: count }, (_, at) => wordOf(100 + at * 7 + round))
  return [
    search('a rare word', (round) => ({ include: wordOf(RARE + round) })),
    search('a middle word', (round) => ({ include: wordOf(300 + round) })),
    search('a common word', (round) => ({ include: wordOf(round) })),
    search('a word that is nowhere', () => ({ include: 'nowherex' })),
    search('3 common entries', (round) => ({ include: common(3, round) })),
    search('20 common entries', (round) => ({ include: common(20, round) })),
    search('3 middle entries', (round) => ({ include: middle(3, round) })),
    search('20 middle entries', (round) => ({ include: middle(20, round) })),
    search('common and rare', (round) => ({ include: [wordOf(COMMON[round % 10] ?? 0), wordOf(RARE + round)] })),
    search('a sentence of common and middle words', (round) => ({
      include: [...common(5, round), ...middle(3, round)].join(' '),
    })),
    search('in one folder', (round) => ({ include: wordOf(30 + round), folderIds: [folders[20]] })),
    search('dates that nothing has', () => ({
      include: wordOf(300),
      lastModifiedDateGte: dayOf(LAST_DAY + 3650 * DAY),
    })),
    search('a term and a pattern', (round) => ({ include: wordOf(RARE + round), regexps: '[a-z]+q\\b' })),
    search('a pattern that a few blocks match', (round) => ({ regexps: wordOf(RARE + round) }), true),
    search('a pattern that many blocks match', (round) => ({ regexps: `\\b${wordOf(round)}\\b` })),
    search('a pattern of no plain letters', () => ({ regexps: '\\d{4}-\\d{2}' }), true),
    within('selected', 'a common word', (round) => ({ include: wordOf(round) })),
    within('selected', 'a rare word', (round) => ({ include: wordOf(RARE + round) })),
    within('selected', 'a pattern of no plain letters', () => ({ regexps: '\\d{4}-\\d{2}' })),
    within('daily', 'a common word', (round) => ({ include: wordOf(round) })),
    within('daily', 'a middle word', (round) => ({ include: wordOf(300 + round) })),
    within('daily', 'a day', (round) => ({
      include: wordOf(round),
      startDate: dayOf(LAST_DAY - (7 + round * 10) * DAY),
      endDate: dayOf(LAST_DAY - (7 + round * 10) * DAY),
    })),
    within('daily', 'a pattern that many blocks match', (round) => ({ regexps: `\\b${wordOf(round)}\\b` })),
    within('daily', 'a pattern that a few blocks match', (round) => ({ regexps: wordOf(RARE + round) }), true),
  ]
}
