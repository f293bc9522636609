/** What changed in documents between two moments, as a unified diff of their Markdown. */
import { createTwoFilesPatch } from 'diff'
import { documentRecords } from '../../../storage/documents.ts'
import { BLOCKS_PER_CALL, DIFF_DOCUMENTS, DIFF_LINES, DIFF_SECONDS } from '../../base/limits.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import { restorePast } from './past-documents.ts'
import { documentVisibility } from './visible-history.ts'

/**
 * Must run inside a transaction that is rolled back.
 *
 * @param documents  numbers; documents that the connection did not see then are left out
 * @param from  the number of the call after which the diff begins
 * @param to  the number of the call after which the diff ends
 */
export async function diffDocuments(
  space: Space,
  documents: readonly number[],
  from: number,
  to: number,
): Promise<string> {
  const isVisible = await documentVisibility(space, documents)
  const shown = documents.filter((document) => isVisible(document, from + 1))
  const parts: string[] = []
  for (const document of shown.slice(0, DIFF_DOCUMENTS)) parts.push(await diffDocument(space, document, from, to))
  if (shown.length > DIFF_DOCUMENTS) parts.push(`And ${shown.length - DIFF_DOCUMENTS} more documents.`)
  return parts.join('\n')
}

async function diffDocument(space: Space, document: number, from: number, to: number): Promise<string> {
  const after = await markdownAt(space, document, to)
  const before = await markdownAt(space, document, from)
  const [record] = await documentRecords(space.tx, [document])
  const title = record === undefined ? 'a deleted document' : plainTitle(record.title)
  if (before === after) return `${title}: the text is the same.`
  const patch = createTwoFilesPatch(title, title, before, after, 'before', 'after', { timeout: DIFF_SECONDS * 1000 })
  if (patch === undefined) return `${title}: the text differs too much to compare; read it with blocks_get and at.`
  const lines = patch.split('\n').slice(1)
  const more = lines.length - DIFF_LINES
  return more > 0 ? [...lines.slice(0, DIFF_LINES), `And ${more} more lines.`].join('\n') : lines.join('\n').trimEnd()
}

/** Returns an empty string if the document did not exist. */
async function markdownAt(space: Space, document: number, call: number): Promise<string> {
  await restorePast(space, document, call)
  const [record] = await documentRecords(space.tx, [document])
  if (record === undefined) return ''
  const { body } = await getBlock(space, {
    id: record.id,
    maxDepth: -1,
    fetchMetadata: false,
    format: 'markdown',
    maxBlocks: BLOCKS_PER_CALL,
  })
  return body
}
