/** What changed in documents between two moments, as a unified diff of their Markdown. */
import { documentRecords } from '../../../storage/documents.ts'
import { BLOCKS_PER_CALL, DIFF_BLOCKS, DIFF_DOCUMENTS, DIFF_LENGTH } from '../../base/limits.ts'
import type { Comparer } from '../../difference/comparer.ts'
import {
  type ChangedText,
  type DiffLimits,
  firstBlocks,
  limitsOfDiff,
  moreDocuments,
  notCompared,
} from '../../difference/unified-diff.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import { restorePast } from './past-documents.ts'
import { documentVisibility } from './visible-history.ts'

/** Documents as they were at two moments. They are compared after the transaction, so that no other call waits. */
export interface ChangedDocuments {
  texts: (ChangedText & { isCut: boolean })[]
  /** The titles of documents that are too long to be compared with the others. */
  skipped: string[]
  /** The number of further documents. */
  more: number
}

export interface Difference extends DiffLimits {
  /** A unified diff of the Markdown of each document, with sentences about what it does not show. */
  diff: string
}

/** Compares the documents. Call it outside of transactions. */
export async function compareDocuments(
  { texts, skipped, more }: ChangedDocuments,
  comparer: Comparer,
): Promise<Difference> {
  const diffs = await comparer.compareDocuments(texts.map(({ title, before, after }) => ({ title, before, after })))
  const diff = [
    ...diffs.flatMap((one, index) => (texts[index]?.isCut ? [one, firstBlocks(BLOCKS_PER_CALL)] : [one])),
    ...skipped.map(notCompared),
    ...(more > 0 ? [moreDocuments(more)] : []),
  ].join('\n')
  return { diff, ...limitsOfDiff(diff) }
}

/**
 * Reads documents at two moments. Must run inside a transaction that is rolled back.
 *
 * @param documents  numbers; documents that the connection did not see then are left out
 * @param from  the number of the call after which the difference begins
 * @param to  the number of the call after which the difference ends
 */
export async function readChangedDocuments(
  space: Space,
  documents: readonly number[],
  from: number,
  to: number,
): Promise<ChangedDocuments> {
  const isVisible = await documentVisibility(space, documents)
  const shown = documents.filter((document) => isVisible(document, from + 1))
  const changed: ChangedDocuments = { texts: [], skipped: [], more: Math.max(shown.length - DIFF_DOCUMENTS, 0) }
  const left = { blocks: DIFF_BLOCKS, characters: DIFF_LENGTH }
  for (const document of shown.slice(0, DIFF_DOCUMENTS)) {
    if (left.blocks <= 0 || left.characters <= 0) {
      changed.skipped.push(await titleOf(space, document))
      continue
    }
    const after = await markdownAt(space, document, to)
    const before = await markdownAt(space, document, from)
    left.blocks -= before.blocks + after.blocks
    left.characters -= before.body.length + after.body.length
    const title = await titleOf(space, document)
    if (left.characters < 0) changed.skipped.push(title)
    else changed.texts.push({ title, before: before.body, after: after.body, isCut: before.isCut || after.isCut })
  }
  return changed
}

async function titleOf(space: Space, document: number): Promise<string> {
  const [record] = await documentRecords(space.tx, [document])
  return record === undefined ? 'a deleted document' : plainTitle(record.title)
}

interface PastText {
  body: string
  blocks: number
  /** True if the document has more blocks than a response. */
  isCut: boolean
}

/** Returns an empty text if the document did not exist. */
async function markdownAt(space: Space, document: number, call: number): Promise<PastText> {
  await restorePast(space, document, call)
  const [record] = await documentRecords(space.tx, [document])
  if (record === undefined) return { body: '', blocks: 0, isCut: false }
  const { body, blocks, rest } = await getBlock(space, {
    id: record.id,
    maxDepth: -1,
    fetchMetadata: false,
    format: 'markdown',
    maxBlocks: BLOCKS_PER_CALL,
  })
  return { body, blocks, isCut: rest !== undefined }
}
