/**
 * A page as it would be with what a person has suggested in its text, so that they can go on with it: what they type then
 * takes the place of it.
 */
import type { BlockRow, ProposalRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { GivenId } from '../model/ids.ts'
import type { JsonBlock } from '../model/json-block.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import type { Space } from '../model/space.ts'
import { getBlock } from '../reading/get-block.ts'
import { isWaiting, readParts, type StoredPart } from './parts/part.ts'
import { disposeParts, type PreparedPart } from './parts/run-parts.ts'
import { canSeeProposal, readReach, waitingOf } from './proposal.ts'
import { runProposal } from './rehearse-proposal.ts'
import { prepareWaiting } from './remaining-parts.ts'

export interface SuggestedPage {
  /** The proposals that it contains, oldest first. */
  proposalIds: string[]
  /** The names of what they propose. */
  versions: string[]
  /** The page with its blocks. */
  root: JsonBlock
  /** The IDs of blocks that are changed or moved, of new ones, and of removed ones. */
  changed: string[]
  added: string[]
  removed: string[]
}

interface Suggested {
  row: ProposalRow
  parts: readonly PreparedPart[]
}

/**
 * Only proposals that the same person or program made over the same link, of which all that waits is text of this page and
 * can be carried out. The others are drawn, and taken back or decided on.
 *
 * @returns undefined if there is none
 * @throws NOT_FOUND_ERROR
 */
export async function readSuggestedPage(pageId: GivenId, context: PrepareContext): Promise<SuggestedPage | undefined> {
  const { rows, access } = await context.read(async (space) => {
    await space.getBlock(pageId)
    return { rows: await ownTexts(space), access: space.link.access }
  })
  const prepared: Suggested[] = []
  try {
    for (const row of rows) {
      const parts = await unlessRefused(prepareWaiting(row, readReach(row, access), context))
      if (parts !== undefined) prepared.push({ row, parts })
    }
    return prepared.length === 0 ? undefined : await context.rehearse((space) => readWith(space, pageId, prepared))
  } finally {
    for (const { parts } of prepared) await disposeParts(parts)
  }
}

async function ownTexts(space: Space): Promise<ProposalRow[]> {
  const { author, client = null } = space.link
  const found: ProposalRow[] = []
  for (const row of await waitingOf(space, space.link)) {
    const isOwn = row.author === author && row.client === client
    if (isOwn && readParts(row).parts.filter(isWaiting).every(isTyped) && (await canSeeProposal(space, row)))
      found.push(row)
  }
  return found
}

/** What changes of the editor say of a block. Anything else would be lost with the next one. */
const TYPED: ReadonlySet<string> = new Set([
  ...['id', 'markdown', 'title', 'base', 'expectedMarkdown', 'indentationLevel', 'depth', 'listStyle', 'taskInfo'],
])

const isTyped = ({ kind, subject, steps }: StoredPart): boolean =>
  ['added', 'removed', 'changed', 'moved'].includes(kind) &&
  subject !== undefined &&
  steps.every(({ tool, arguments: { blocks } }) =>
    tool === 'blocks_update'
      ? Array.isArray(blocks) && blocks.every((block) => Object.entries(block).every(isTypedField))
      : ['blocks_add', 'blocks_move', 'blocks_delete'].includes(tool),
  )

const isTypedField = ([name, value]: [string, unknown]): boolean =>
  TYPED.has(name) && (name !== 'taskInfo' || Object.keys(value as object).every((key) => key === 'state'))

async function readWith(
  space: Space,
  pageId: GivenId,
  prepared: readonly Suggested[],
): Promise<SuggestedPage | undefined> {
  const page = await space.getBlock(pageId)
  const isHere = ({ n, parent }: BlockRow) => n === page.n || parent === page.n
  const read = async (ids: readonly number[]) => {
    const rows = await space.withLink(space.link).findReachableBlocks(ids)
    return new Map(rows.map((row) => [row.id, row]))
  }
  const before = await read(prepared.flatMap(({ parts }) => idsIn(parts)))
  const applied = new Map<ProposalRow, readonly number[]>()
  for (const { row, parts } of prepared) {
    const named = idsIn(parts)
    const work = async () => {
      await runProposal(space, row, parts, space.link.access)
      const after = [...(await read(named)).values()]
      const known = named.flatMap((id) => before.get(id) ?? [])
      if (!known.every(isHere) || !after.every((one) => isHere(one) && EDITED.has(one.type))) throw elsewhere()
      return named
    }
    const ids = await unlessRefused(space.tx.attempt(work))
    if (ids !== undefined) applied.set(row, ids)
  }
  if (applied.size === 0) return undefined
  const named = [...new Set([...applied.values()].flat())]
  const after = await read(named)
  const spelled = (isWanted: (id: number) => boolean) => named.filter(isWanted).map((id) => space.spellId(id))
  return {
    proposalIds: [...applied.keys()].map(({ id }) => space.spellId(id)),
    versions: [...applied.keys()].flatMap((row) => readParts(row).version ?? []),
    root: await readPage(space.withLink(space.link), pageId),
    changed: spelled((id) => before.has(id) && after.has(id)),
    added: spelled((id) => !before.has(id) && after.has(id)),
    removed: spelled((id) => before.has(id) && !after.has(id)),
  }
}

const idsIn = (parts: readonly PreparedPart[]): number[] =>
  parts.flatMap(({ part }) => [...part.ids, Number(part.subject)])

/** Types of blocks whose text is typed, and the page itself. */
const EDITED: ReadonlySet<BlockRow['type']> = new Set(['text', 'code', 'table', 'page', 'collectionItem'])

const elsewhere = (): ScriptoriumError =>
  new ScriptoriumError('CONFLICT', 'Expected a proposal for the text of this page, found another.')

async function readPage(space: Space, id: GivenId): Promise<JsonBlock> {
  const input = { id, maxDepth: 1, fetchMetadata: false, format: 'json', maxBlocks: space.mostBlocks } as const
  const read = async (cursor?: string): Promise<JsonBlock> =>
    JSON.parse((await getBlock(space, { ...input, cursor })).body)
  const root = await read()
  const content = [...(root.content ?? [])]
  for (let cursor = root.pagination?.cursor; cursor !== undefined; ) {
    const part = await read(cursor)
    content.push(...(part.content ?? []))
    cursor = part.pagination?.cursor
  }
  return { ...root, content }
}

const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  })
