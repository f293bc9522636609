/**
 * Compares the read-only fields that a caller sends for blocks and tasks with the actual ones: see model/read-only.ts.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { FieldError } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { BLOCKS_PER_CALL } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import {
  type BlockFieldsInput,
  checkStamps,
  displayColorOf,
  FILE_FACTS,
  FOLLOWS_FROM_COLOR,
  statedFactsIn,
  TASK_STAMPS,
} from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { readItemValues } from '../collections/schema/item-values.ts'
import { checkFileFacts } from '../content/file-facts.ts'
import { withStoredAddress } from '../content/file-references.ts'
import type { Differences } from '../model/conditions.ts'
import { InputErrors } from '../model/input-errors.ts'
import { checkUnchanged } from '../model/read-only.ts'
import { type BlockAtRevision, compareSinceRevisions, type SinceRevision } from '../model/since-revision.ts'
import type { Space } from '../model/space.ts'
import { getBlockMetadata } from './block-answer.ts'
import { getBlock } from './get-block.ts'
import { readPagePath } from './page-path.ts'

/** A block, the input for it, and the path of the input in the call. */
export interface SentBlock {
  row: BlockRow
  input: BlockFieldsInput
  path: string
}

/**
 * Compares blocks that are sent with a `revision` with the states that were read: they may be written although other
 * blocks of the document changed since.
 *
 * @param errors  gets what is no revision
 */
export async function checkRevisions<Sent extends SentBlock>(
  space: Space,
  blocks: readonly Sent[],
  errors: InputErrors,
): Promise<SinceRead<Sent>> {
  const read = blocks.flatMap((sent) => {
    const { revision } = sent.input
    if (revision === undefined || revision === null) return []
    return [{ sent, row: sent.row, revision, namesDocument: namesDocument(sent.input), path: `${sent.path}.revision` }]
  })
  const stale = new Set<Sent>()
  const differences = new Map<Sent, readonly FieldError[]>()
  for (const [one, since] of await compareSinceRevisions(space, read, errors)) {
    if (since !== 'nothing') stale.add(one.sent)
    if (since === 'changed' || since === 'elsewhere') {
      differences.set(one.sent, [{ path: one.path, message: changedSince(space, one, since) }])
    }
  }
  return { stale, differences }
}

interface SinceRead<Sent> {
  /** Blocks of documents that changed since. */
  stale: ReadonlySet<Sent>
  /** Blocks that did, too, each with its error. */
  differences: Differences<Sent>
}

/**
 * Compares the read-only fields in the input for blocks with the current blocks.
 *
 * @param errors  gets what differs in blocks of documents that did not change since they were read
 * @param stale  blocks of documents that did
 * @returns those of them that differ, each with what differs
 */
export async function checkAsRead<Sent extends SentBlock>(
  space: Space,
  blocks: readonly Sent[],
  errors: InputErrors,
  stale: ReadonlySet<Sent> = new Set(),
): Promise<Differences<Sent>> {
  const differences = new Map<Sent, readonly FieldError[]>()
  const sent = blocks.filter(({ input }) => hasReadOnlyFields(input))
  if (sent.length === 0) return differences
  const rowsWith = (key: string) => sent.flatMap(({ row, input }) => (input[key] === undefined ? [] : row))
  const metadataOf = await getBlockMetadata(space, rowsWith('metadata'))
  const values = await readItemValues(space, rowsWith('properties'))
  for await (const one of iterateCooperatively(sent)) {
    const { row, input: given, path } = one
    const isStale = stale.has(one)
    const input = isStale ? withoutTitlesOfPath(given) : given
    const fields = fieldsFromRow(row)
    const actual: Record<string, unknown> = { ...fields, displayColor: displayColorOf(fields) }
    if (input.metadata !== undefined) actual.metadata = metadataOf(row)
    if (input.properties !== undefined)
      actual.properties = row.type === 'collectionItem' ? values.propertiesOf(row) : {}
    if (input.pageBlockPath !== undefined) actual.pageBlockPath = await readPagePath(space, row)
    if (input.documentId !== undefined || input.dailyNoteDate !== undefined) {
      Object.assign(actual, await readPlace(space, row))
    }
    if (CONTENT_FIELDS.some((key) => input[key] !== undefined)) {
      Object.assign(actual, await readContent(space, row, input))
    }
    const conflicts = new InputErrors()
    for (const [key, advice] of ADVICE) {
      const options = isStale ? { advice: READ_AGAIN, errors: conflicts } : { advice, errors }
      checkUnchanged(input[key], actual[key], { key, path, ...options })
    }
    if (conflicts.found.length > 0) differences.set(one, conflicts.found)
    const stated = statedFactsIn(input, path)
    // Of another file than the one that was read, more is known later.
    if (stated !== undefined && !changesAddress(space, fields, input)) checkFileFacts(fields, stated, errors)
    checkStamps(input.taskInfo, fields.taskInfo, `${path}.taskInfo`, errors)
    if (errors.hasTooMany) break
  }
  return differences
}

function changedSince(space: Space, { row, revision }: BlockAtRevision, since: SinceRevision): string {
  const asRead = `Expected block ${space.spellId(row.id)} as it was read at revision ${revision}`
  return since === 'elsewhere'
    ? `${asRead}, found that it was changed in another document and moved here; nothing was written, read it again and send its documentId with the revision.`
    : `${asRead}, found that it was changed since; nothing was written, read it again.`
}

/** True if the place that was read is sent, too. It is compared with the present one. */
function namesDocument({ documentId, pageBlockPath }: BlockFieldsInput): boolean {
  const [root] = Array.isArray(pageBlockPath) ? pageBlockPath : []
  return [documentId, isObject(root) ? root.id : undefined].some((id) => typeof id === 'string' && id !== '')
}

/** The titles of the pages around a block are those of other blocks. */
function withoutTitlesOfPath(input: BlockFieldsInput): BlockFieldsInput {
  const { pageBlockPath } = input
  if (!Array.isArray(pageBlockPath)) return input
  return { ...input, pageBlockPath: pageBlockPath.map((page) => (isObject(page) ? { id: page.id } : page)) }
}

const hasReadOnlyFields = ({ taskInfo, ...input }: BlockFieldsInput): boolean =>
  [...ADVICE.keys(), ...FILE_FACTS].some((key) => input[key] !== undefined) ||
  TASK_STAMPS.some((key) => taskInfo?.[key] !== undefined)

const changesAddress = (space: Space, fields: BlockFields, { url }: BlockFieldsInput): boolean =>
  typeof url === 'string' && url !== fields.url && withStoredAddress(space, { ...fields, url }).url !== fields.url

async function readPlace(space: Space, { document }: BlockRow): Promise<object> {
  const [root] = await blocksByNumbers(space.tx, [document])
  const { dailyNoteDate } = (await space.documentRow(document)) ?? {}
  return { documentId: root && space.spellId(root.id), dailyNoteDate }
}

const LEAVE_OUT = 'leave it out, since the space writes it'
const CONTENT_FIELDS = ['content', 'contentPreviewMd', 'itemsPreviewMd'] as const
const CHANGE_CONTENT =
  'leave it out, and change the blocks inside by entries of their own, with blocks_add, blocks_move and blocks_delete'
const READ_AGAIN = 'it has changed since it was read; read it again, or leave it out'
/** What to do instead of setting each of the read-only fields of blocks. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    displayColor: FOLLOWS_FROM_COLOR,
    metadata: LEAVE_OUT,
    properties: 'change the properties of items with items_update',
    pageBlockPath: 'move blocks with blocks_move',
    documentId: 'move blocks with blocks_move',
    dailyNoteDate: 'move blocks with blocks_move',
    ...Object.fromEntries(CONTENT_FIELDS.map((key) => [key, CHANGE_CONTENT])),
  }),
)

/** Reads the content that the call which the input comes from would return now. */
async function readContent(space: Space, { id }: BlockRow, input: BlockFieldsInput): Promise<object> {
  const { depth, isCut, hasMetadata } = measure(input)
  const { body } = await getBlock(space, {
    id,
    maxDepth: isCut ? depth : -1,
    fetchMetadata: hasMetadata,
    format: 'json',
    maxBlocks: BLOCKS_PER_CALL,
  })
  return JSON.parse(body)
}

/** Measures the depth of the content, and whether it is cut off by a preview of deeper content. */
function measure(input: Record<string, unknown>): { depth: number; isCut: boolean; hasMetadata: boolean } {
  const result = { depth: 0, isCut: false, hasMetadata: false }
  // The recursion is bounded by the maximum nesting of a call, which was checked before.
  const visit = (block: unknown, depth: number) => {
    if (typeof block !== 'object' || block === null) return
    const { content, contentPreviewMd, itemsPreviewMd, metadata } = block as Record<string, unknown>
    if (contentPreviewMd !== undefined || itemsPreviewMd !== undefined) {
      result.isCut = true
      result.depth = Math.max(result.depth, depth)
    }
    if (metadata !== undefined) result.hasMetadata = true
    if (Array.isArray(content)) for (const inner of content) visit(inner, depth + 1)
  }
  visit(input, 0)
  return result
}
