/** Names what IDs stand for, as far as the connection reaches it. */
import { auditRowsByIds } from '../../../storage/audit-log.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { commentsByIds } from '../../../storage/comments.ts'
import { listFolderRows } from '../../../storage/folders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { viewsByIds } from '../../../storage/views.ts'
import { readInChunks } from '../../base/scheduling.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { reachOf, type Space } from '../model/space.ts'
import { visibleCalls } from './call-selection.ts'
import { blockName } from './row-names.ts'
import { valueText } from './value-text.ts'

const IDS_PER_READ = 1_000

/** Such as `"Plan" (100000000002)` for a block. IDs of nothing within reach are left out. */
export async function readIdNames(space: Space, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  const left = () => ids.filter((id) => !names.has(id))
  await nameBlocks(space, ids, names)
  if (left().length > 0) await nameViews(space, left(), names)
  if (left().length > 0) await nameComments(space, left(), names)
  if (left().length > 0 && space.kind === 'full') await nameFolders(space, new Set(left()), names)
  if (left().length > 0) await nameCalls(space, left(), names)
  return names
}

/** The texts of blocks within reach, as the connection may see them. */
export async function readTexts(space: Space, ids: readonly number[]): Promise<string[]> {
  const rows = await space.findReachableBlocks(ids)
  const visible = await visibleFields(space, rows)
  return rows.map((row) => visible(row).text)
}

type Names = Map<number, string>

async function nameBlocks(space: Space, ids: readonly number[], names: Names): Promise<void> {
  const rows = await space.findReachableBlocks(ids)
  for (const [row, name] of await namesOfRows(space, rows)) names.set(row.id, name)
}

async function namesOfRows(space: Space, rows: readonly BlockRow[]): Promise<Map<BlockRow, string>> {
  const visible = await visibleFields(space, rows)
  return new Map(rows.map((row) => [row, blockName(visible(row), space.spellId(row.id))]))
}

/** The names of blocks by number, without those out of reach. */
async function blocksNamed(space: Space, numbers: readonly number[]): Promise<Map<number, string>> {
  const rows = await readInChunks([...new Set(numbers)], IDS_PER_READ, (part) => blocksByNumbers(space.tx, part))
  const reached = await space.reachableDocuments(rows.map(({ document }) => document))
  const within = rows.filter(({ document }) => reached.has(document))
  return new Map([...(await namesOfRows(space, within))].map(([{ n }, name]) => [n, name]))
}

async function nameViews(space: Space, ids: readonly number[], names: Names): Promise<void> {
  const views = await readInChunks(ids, IDS_PER_READ, (part) => viewsByIds(space.tx, part))
  const collections = await blocksNamed(
    space,
    views.map(({ collection }) => collection),
  )
  const visible = await visiblePlainText(
    space,
    views.map(({ name }) => name),
  )
  for (const { id, name, collection } of views) {
    const place = collections.get(collection)
    if (place !== undefined)
      names.set(id, `view ${JSON.stringify(visible.text(name))} (${space.spellId(id)}) of ${place}`)
  }
}

async function nameComments(space: Space, ids: readonly number[], names: Names): Promise<void> {
  const reach = reachOf(space.link)
  const comments = await readInChunks(ids, IDS_PER_READ, (part) => commentsByIds(space.tx, reach, part))
  const blocks = await blocksNamed(
    space,
    comments.map(({ block }) => block),
  )
  for (const { id, author, block } of comments) {
    names.set(id, `comment by ${valueText(author)} (${space.spellId(id)}) on ${blocks.get(block) ?? 'a block'}`)
  }
}

async function nameFolders(space: Space, ids: ReadonlySet<number>, names: Names): Promise<void> {
  for (const { id, name } of await listFolderRows(space.tx)) {
    if (ids.has(id)) names.set(id, `folder ${JSON.stringify(name)} (${space.spellId(id)})`)
  }
}

async function nameCalls(space: Space, ids: readonly number[], names: Names): Promise<void> {
  const rows = await readInChunks(ids, IDS_PER_READ, (part) => auditRowsByIds(space.tx, part))
  for (const { id, endpoint, author } of await visibleCalls(space, rows)) {
    if (id !== null) names.set(id, `${endpoint} by ${valueText(author)} (${space.spellId(id)})`)
  }
}
