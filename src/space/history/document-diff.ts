/** What changed in documents between two moments: a unified diff of their Markdown, and details that it does not show. */
import { hasMoreBlocks } from '../../../storage/blocks.ts'
import { documentRecords } from '../../../storage/documents.ts'
import { BLOCKS_PER_CALL, DIFF_BLOCKS, DIFF_DOCUMENTS, DIFF_LENGTH } from '../../base/limits.ts'
import type { Comparer } from '../../difference/comparer.ts'
import { type ChangedText, moreChanges } from '../../difference/unified-diff.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import { documentNames } from './change-summary.ts'
import { readChangedStates } from './changed-states.ts'
import { type DescribedRows, describeRows } from './described-rows.ts'
import { restorePast } from './past-documents.ts'
import { documentVisibility } from './visible-history.ts'

/** Documents as they were at two moments. They are compared after the transaction, so that no other call waits. */
export interface ChangedDocuments {
  texts: ChangedText[]
  /** The number of changed rows that are left out, since the others are too long. */
  left: number
  /** A hash of every changed column: the same for the same change. */
  digest: string
  /** The same for the same rows, in whatever order they were made. */
  unorderedDigest: string
}

/** What to compare. */
export interface DifferenceRange {
  /** The number of the call after which the difference begins, and of the call after which it ends. */
  from: number
  to: number
  /** Numbers of documents. Documents that the connection did not see then are left out. */
  documents: readonly number[]
  /** True if the range is one call. Then everything that it changed is shown, folders included. */
  isCall: boolean
  /** The time of the call, if it is one. */
  now?: number | undefined
}

/** Compares the documents. Call it outside of transactions. */
export async function compareDocuments({ texts, left }: ChangedDocuments, comparer: Comparer): Promise<string> {
  return [...(await comparer.compareDocuments(texts)), ...(left > 0 ? [moreChanges(left)] : [])].join('\n')
}

/** The title of what changed outside of documents. */
const FOLDERS = 'Folders'

/** Reads documents at two moments. Must run last, inside a transaction that is rolled back. */
export async function readChangedDocuments(space: Space, range: DifferenceRange): Promise<ChangedDocuments> {
  const { from, to, documents, isCall, now } = range
  const isVisible = await documentVisibility(space, documents)
  const shown = documents.filter((document) => isVisible(document, from + 1))
  const states = await readChangedStates(space, { from, to, ...(!isCall && { documents: shown }) })
  // Before the past is restored, since it names rows as they are now.
  const { details, left: rowsLeft, ...digests } = await describeRows(space, states, now)
  const own = new Set(shown)
  const others = [...details.keys()].filter((document) => document !== null && !own.has(document)) as number[]
  const all = [...shown, ...(isCall ? others : [])]
  const names = await documentNames(space, all)
  const texts: ChangedText[] = []
  const left = { blocks: DIFF_BLOCKS, characters: DIFF_LENGTH }
  for (const [index, document] of all.entries()) {
    const isRead = index < DIFF_DOCUMENTS && left.blocks > 0 && left.characters > 0
    const { before, after, title } = isRead ? await textsOf(space, document, range) : NOT_READ
    left.blocks -= before.blocks + after.blocks
    left.characters -= before.body.length + after.body.length
    const isWritten = isRead && !before.isCut && !after.isCut && left.characters >= 0
    texts.push({
      title: title ?? names.get(document)?.title ?? 'a deleted document',
      ...(isWritten ? { before: before.body, after: after.body } : { before: '', after: '' }),
      details: linesOf(details, document, isWritten),
    })
  }
  if (details.has(null)) texts.push({ title: FOLDERS, before: '', after: '', details: linesOf(details, null, false) })
  return { texts, left: rowsLeft, ...digests }
}

const linesOf = (details: DescribedRows['details'], document: number | null, isWritten: boolean) =>
  details.get(document)?.[isWritten ? 'beside' : 'all'] ?? []

/** The Markdown of a document at one moment. */
interface PastText {
  body: string
  blocks: number
  /** True if the document has more blocks than are compared. Then there is no text. */
  isCut: boolean
}

const NO_TEXT: PastText = { body: '', blocks: 0, isCut: false }
const NOT_READ = { before: NO_TEXT, after: NO_TEXT, title: undefined }

async function textsOf(
  space: Space,
  document: number,
  { from, to }: DifferenceRange,
): Promise<{ before: PastText; after: PastText; title: string | undefined }> {
  await restorePast(space, document, to)
  const title = await titleOf(space, document)
  const after = await markdownOf(space, document)
  await restorePast(space, document, from)
  const before = after.isCut ? NO_TEXT : await markdownOf(space, document)
  return { before, after, title: title ?? (await titleOf(space, document)) }
}

async function titleOf(space: Space, document: number): Promise<string | undefined> {
  return (await documentNames(space, [document])).get(document)?.title
}

/** Returns an empty text if the document does not exist. */
async function markdownOf(space: Space, document: number): Promise<PastText> {
  const [record] = await documentRecords(space.tx, [document])
  if (record === undefined) return NO_TEXT
  if (await hasMoreBlocks(space.tx, document, BLOCKS_PER_CALL)) return { ...NO_TEXT, isCut: true }
  const { body, blocks } = await getBlock(space, {
    id: record.id,
    maxDepth: -1,
    fetchMetadata: false,
    format: 'markdown',
    maxBlocks: BLOCKS_PER_CALL,
  })
  return { body, blocks, isCut: false }
}
