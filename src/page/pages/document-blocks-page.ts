/** The data that the editing script requests after a change: the order of blocks, and the changed blocks. */

import { CHANGES_PER_ANSWER_MAX, IDS_PER_CHANGE } from '../../base/limits.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { BlockWriter, titleHtml, titleOf } from '../blocks/block-writer.ts'
import type { DocumentBlocks } from '../blocks/document-blocks.ts'
import { callerName } from '../calls/call-text.ts'
import { type DocumentCalls, readDocumentCalls } from '../documents/document-calls.ts'
import { backOf } from '../form-page.ts'
import { NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import { readSuggestions } from '../suggestions/read-suggestions.ts'
import { text } from '../texts/text.ts'
import { blockContext, isEditable } from './document-page.ts'

/** Blocks to read at once. */
const PART = 5_000
/** Maximum number of IDs in a request. If there are more, `since` covers the changed blocks as well. */
const MOST_IDS = CHANGES_PER_ANSWER_MAX * IDS_PER_CHANGE

/**
 *     GET /d/:id/blocks?since=2026-11-20T14:02:11.000Z&ids=100000000003,100000000004&back=/days/2026-11-20
 */
export const documentBlocksPage: Page = {
  route: 'GET /d/:id/blocks',
  async handle(call) {
    if (!isEditable(call, undefined)) throw refused(text('This link may not edit the document.'), 'FORBIDDEN')
    const since = call.query.get('since') ?? ''
    const ids = new Set((call.query.get('ids') ?? '').split(',', MOST_IDS))
    const readAt = new Date(call.request.now).toISOString()
    const { root, blocks } = await readPage(call, call.params.id ?? '')
    const documentId = root.pageBlockPath?.[0]?.id ?? root.id
    const calls = await readDocumentCalls(call, documentId)
    const back = backOf(call, `/d/${root.id}`)
    let read: ReturnType<typeof readSuggestions> | undefined
    const rowSuggestions = () => (read ??= readSuggestions(call, { documentId, pageId: root.id, back }))
    const writer = new BlockWriter(blockContext(call, root, calls, { back, rowSuggestions }))
    // Items of a collection and comments can change without a change of their block.
    const isWanted = ({ id, type, metadata }: JsonBlock) =>
      (metadata?.lastModifiedAt ?? '') >= since ||
      ids.has(id) ||
      type === 'collection' ||
      metadata?.comments?.some((comment) => ids.has(comment.id)) === true
    const written = await writer.writeSome(blocks, isWanted)
    const parts = [titleHtml(root, call), ...written.map(({ html }) => html)]
    const [title = NOTHING, ...filled] = await call.formulas.fill(parts)
    const answer: DocumentBlocks = {
      title: titleOf(root),
      titleHtml: String(title),
      order: blocks.map(({ id }) => id),
      blocks: written.map(({ id }, index) => ({ id, html: String(filled[index]) })),
      writers: othersSince(call, calls, since),
      readAt,
    }
    return Response.json(answer, {
      headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
    })
  },
}

/** What this browser changed, in this page or by a form, was not changed by others. */
function othersSince({ request }: PageCall, { items }: DocumentCalls, since: string): string[] {
  const { connection } = request.caller.link
  const others = items.filter((item) => item.at >= since && (item.connection ?? '') !== (connection ?? ''))
  return [...new Set(others.map(callerName))]
}

/** A page with its blocks. */
async function readPage(call: PageCall, id: string): Promise<{ root: JsonBlock; blocks: JsonBlock[] }> {
  const input = { id, maxDepth: 1, fetchMetadata: true, maxBlocks: PART }
  const root = await call.run('blocks_get', input)
  const blocks = [...(root.content ?? [])]
  for (let cursor = root.pagination?.cursor; cursor !== undefined; ) {
    const part = await call.run('blocks_get', { ...input, cursor })
    blocks.push(...(part.content ?? []))
    cursor = part.pagination?.cursor
  }
  return { root, blocks }
}
