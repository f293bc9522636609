/**
 * Two spaces with the same content within the reach of a narrow connection, and different content out of it. Both get
 * the same IDs for what is within reach.
 */
import type { AccessLink } from '../../src/space/model/space.ts'
import type { BuiltSpace, Counts } from '../build.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { preparedSpace } from '../support/prepared-space.ts'

export interface Twin {
  /** Reaches everything. */
  full: Connected
  /** Reaches only the visible document. */
  link: Connected
  visible: string
  hidden: string
  /** IDs of the blocks of both documents by their text. */
  ids: Record<string, string>
  /** True for the twin with more hidden changes. */
  hasMore: boolean
  /** Runs calls that only change what is out of reach, so that they get IDs of their own. */
  hide<T>(work: () => Promise<T>): Promise<T>
  /** The same, only in the twin with more hidden changes. */
  hideMore(work: () => Promise<unknown>): Promise<void>
}

/** Changes both twins in the same way within reach. @returns the calls to undo */
export type Scenario = (twin: Twin) => Promise<string[]>

const VISIBLE = 'one\n\ntwo\n\n<page><pageTitle>page</pageTitle><content>inner</content></page>'

export async function buildTwin(
  hasMore: boolean,
  kind: 'selected' | 'daily',
  access?: AccessLink['access'],
): Promise<Twin> {
  const { made, drawn, ...built } = await SPACES[kind]()
  const { visible } = made
  const full = await connect('full', { to: built })
  const documents = kind === 'selected' ? [visible] : []
  const link = await connect(kind, { to: built, documents, ...(access && { access }) })
  const hideMore = async (work: () => Promise<unknown>) => {
    if (hasMore) await drawn.hide(work)
  }
  return { full, link, ...made, hasMore, hide: drawn.hide, hideMore }
}

/** The two documents of a twin, in a space that is filled once. */
const spaceWith = (addVisible: (full: Connected) => Promise<string>) =>
  preparedSpace(async ({ drawn, ...to }: BuiltSpace & { drawn: Drawing }) => {
    const full = await connect('full', { to })
    const visible = await addVisible(full)
    const hidden = await drawn.hide(() => documentOf(full, 'away\n\nfar', 'Hidden'))
    return { visible, hidden, ids: { ...(await idsOf(full, hidden)), ...(await idsOf(full, visible)) } }
  }, drawIds)

type Drawing = ReturnType<typeof drawIds>

/** Draws IDs that differ for what is hidden. Both counts are of all IDs: of what is visible, and of what is hidden. */
function drawIds(before: Counts = [0, 0]) {
  const drawn: [number, number] = [...before]
  let part: 0 | 1 = 0
  const draw = (base: number): number => base + part * 100_000_000 + ++drawn[part]
  return {
    generateIds: (wanted: number) => Array.from({ length: wanted }, () => draw(100_000_000_000)),
    generateCallId: () => draw(900_000_000_000),
    newUuid: () => `00000000-0000-7000-8000-${draw(0).toString().padStart(12, '0')}`,
    counts: (): Counts => [...drawn],
    async hide<T>(work: () => Promise<T>): Promise<T> {
      part = 1
      try {
        return await work()
      } finally {
        part = 0
      }
    },
  }
}

const dailyNote = async ({ call }: Connected): Promise<string> =>
  (await call('blocks_add', { markdown: VISIBLE, position: { position: 'end', date: 'today' } })).items[0].documentId

const SPACES = {
  selected: spaceWith((full) => documentOf(full, VISIBLE, 'Visible')),
  daily: spaceWith(dailyNote),
}

/** The ID of the last call. */
export const lastCall = async ({ call }: Connected): Promise<string> =>
  (await call('history_list', { limit: 1, format: 'json' })).items[0].callId

/** Everything that the connection reads about its document and the calls in it. */
export async function readAll({ link, visible }: Twin): Promise<Answer> {
  const { items: collections } = await link.call('collections_list', {})
  return {
    document: await link.call('blocks_get', { id: visible, format: 'json', fetchMetadata: true, maxDepth: -1 }),
    history: await link.call('history_list', { format: 'json', limit: 100 }),
    collections: await Promise.all(
      collections.map(async ({ id }: Answer) => [
        await link.call('schema_get', { collectionId: id, format: 'schema' }),
        await link.call('items_list', { collectionId: id }),
      ]),
    ),
  }
}

/** The answer to a call, or the message of its refusal. */
export const answerOf = ({ link }: Twin, name: string, args: object): Promise<Answer> =>
  link.call(name, args).catch((error: Error) => error.message)
