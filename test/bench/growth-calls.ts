/** What the growth bench calls: every tool that reads or writes what a space holds, with answers of the same length in a space of any size. */
import { blockOf, dayOf, type GrowthSpace, LAST_DAY, wordOf } from './growth-space.ts'

export interface GrowthCall {
  tool: string
  what?: string
  /** Of a round: no two rounds write the same block. */
  args(round: number): object
  /** Whether the call has to read the whole space, so that nothing is promised of its time. */
  mayGrow?: boolean
}

/** The calls in their order: those that write come last. */
export function growthCalls(space: GrowthSpace): GrowthCall[] {
  return [...reads(space), ...searches(), ...writes(space)]
}

const documentOf = ({ documents }: GrowthSpace, round: number): string => documents[30 + round * 8] ?? ''

function reads(space: GrowthSpace): GrowthCall[] {
  const document = (round: number) => documentOf(space, round)
  const far = dayOf(LAST_DAY + 3650 * 86_400_000)
  const list = (what: string, args: object): GrowthCall => ({ tool: 'documents_list', what, args: () => args })
  return [
    { tool: 'connection_get', args: () => ({}) },
    { tool: 'blocks_get', args: (round) => ({ id: document(round) }) },
    { tool: 'blocks_search', args: (round) => ({ blockId: document(round), pattern: wordOf(3) }) },
    { tool: 'folders_list', args: () => ({}) },
    list('first 100', {}),
    list('nothing created since', { createdDateGte: far }),
    list('nothing changed since', { lastModifiedDateGte: far }),
    list('no daily note since', { dailyNoteDateGte: far }),
    list('nothing made so early', { createdDateLte: '1999-01-01' }),
    list('both dates', { createdDateGte: '2000-01-01', lastModifiedDateLte: '1999-01-01' }),
    list('trash', { location: 'trash' }),
    list('a folder', { folderId: space.folders[20] }),
    list('a folder, nothing changed since', { folderId: space.folders[20], lastModifiedDateGte: far }),
    list('daily notes, nothing created since', { location: 'daily_notes', createdDateGte: far }),
    { tool: 'collections_list', args: () => ({}) },
    { tool: 'collections_list', what: 'of one document', args: () => ({ documentIds: [space.documents[3]] }) },
    { tool: 'schema_get', args: (round) => ({ collectionId: space.collections[round] }) },
    { tool: 'items_list', args: (round) => ({ collectionId: space.collections[round] }) },
    { tool: 'views_list', args: (round) => ({ collectionId: space.collections[round] }) },
    ...['active', 'upcoming', 'inbox', 'logbook', 'all'].map((scope) => {
      return { tool: 'tasks_list', what: scope, args: () => ({ scope, limit: 20 }) }
    }),
    { tool: 'tasks_list', what: 'document', args: (round) => ({ scope: 'document', documentId: document(round) }) },
    { tool: 'reminders_list', args: () => ({}) },
  ]
}

/** Words of ranks that only a few blocks have in any space, that some have, and that most have. */
const RARE = 40_000
const COMMON = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function searches(): GrowthCall[] {
  const search = (what: string, args: (round: number) => object, mayGrow = false): GrowthCall => {
    return { tool: 'documents_search', what, args, mayGrow }
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
    search('in one folder', (round) => ({ include: wordOf(300 + round), location: 'templates' })),
    search('dates that nothing has', () => ({
      include: wordOf(300),
      lastModifiedDateGte: dayOf(LAST_DAY + 3650 * 86_400_000),
    })),
    search('a term and a pattern', (round) => ({ include: wordOf(RARE + round), regexps: '[a-z]+q\\b' })),
    search('a pattern that a few blocks match', (round) => ({ regexps: wordOf(RARE + round) }), true),
    search('a pattern that many blocks match', (round) => ({ regexps: `\\b${wordOf(round)}\\b` })),
    search('a pattern of no plain letters', () => ({ regexps: '\\d{4}-\\d{2}' }), true),
  ]
}

function writes(space: GrowthSpace): GrowthCall[] {
  const document = (round: number) => documentOf(space, round)
  const add = (round: number) => ({ position: 'end', pageId: document(round) })
  return [
    {
      tool: 'blocks_add',
      args: (round) => ({ blocks: [{ type: 'text', markdown: `New ${wordOf(round)}` }], position: add(round) }),
    },
    {
      tool: 'blocks_update',
      args: (round) => ({ blocks: [{ id: blockOf(document(round), 1), markdown: `Changed ${wordOf(round)}` }] }),
    },
    { tool: 'blocks_move', args: (round) => ({ blockIds: [blockOf(document(round), 2)], position: add(round + 1) }) },
    { tool: 'blocks_delete', args: (round) => ({ blockIds: [blockOf(document(round), 3)] }) },
    {
      tool: 'comments_add',
      args: (round) => ({ comments: [{ blockId: blockOf(document(round), 4), content: 'Seen.' }] }),
    },
    { tool: 'tasks_add', args: (round) => ({ tasks: [{ markdown: `Do ${wordOf(round)}` }] }) },
    { tool: 'reminders_add', args: (round) => ({ reminders: [{ blockId: blockOf(document(round), 5) }] }) },
    {
      tool: 'documents_add',
      args: (round) => ({ documents: [{ title: `New ${wordOf(round)}`, markdown: 'One line.' }] }),
    },
    {
      tool: 'documents_move',
      args: (round) => ({ documentIds: [document(round)], destination: { folderId: space.folders[round] } }),
    },
    { tool: 'documents_delete', args: (round) => ({ documentIds: [document(round)] }) },
    { tool: 'folders_add', args: (round) => ({ folders: [{ name: `New ${round}` }] }) },
    {
      tool: 'folders_move',
      args: (round) => ({ folderIds: [space.folders[30 + round]], destination: { destination: 'root' } }),
    },
    {
      tool: 'items_add',
      args: (round) => ({
        collectionId: space.collections[round],
        items: [{ title: `New ${round}`, properties: { size: 5 } }],
      }),
    },
    {
      tool: 'collections_add',
      args: (round) => ({ position: add(round + 1), schema: { name: `New ${round}`, properties: [] } }),
    },
    { tool: 'whiteboards_add', args: (round) => ({ position: add(round + 1) }) },
  ]
}
