/**
 * Lists the waiting parts of proposals: what each of them alone would change by now, and the fingerprint that accepts it.
 * All of them run in one transaction that is rolled back.
 */
import { documentById } from '../../../../storage/documents.ts'
import { proposalsByNumbers } from '../../../../storage/proposals.ts'
import type { ProposalRow } from '../../../../storage/schema.ts'
import { ScriptoriumError } from '../../../base/errors.ts'
import { PARTS_PER_ANSWER, WAITING_PROPOSALS } from '../../../base/limits.ts'
import { Comparer } from '../../../difference/comparer.ts'
import type { DetailLine } from '../../../difference/unified-diff.ts'
import { mayDecide, mustPropose } from '../../model/access.ts'
import type { PartKind } from '../../model/call-parts.ts'
import type { GivenId } from '../../model/ids.ts'
import type { PrepareContext } from '../../model/prepare-context.ts'
import type { Space } from '../../model/space.ts'
import { callsOf } from '../approve-proposal.ts'
import { askedArguments } from '../asked-arguments.ts'
import { isOwnProposal, neededProposals } from '../decidable.ts'
import {
  canSeeProposal,
  fingerprintOf,
  getProposal,
  readReach,
  type StoredStep,
  stateOf,
  waitingOf,
} from '../proposal.ts'
import { endLeasesBefore, reachesChanges, runProposal } from '../rehearse-proposal.ts'
import { acceptedThere, placing, prepareWaiting } from '../remaining-parts.ts'
import { waitingToDecide } from '../waiting-to-decide.ts'
import { type PartChange, type PartState, readPartChange, readPartState } from './describe-part.ts'
import { idsNamedIn, isWaiting, readParts, type StoredPart, withNeeded } from './part.ts'
import { disposeParts, type PreparedPart, prepareParts } from './run-parts.ts'

export interface PartsInput {
  /** Only parts that concern this document, or that add it. */
  documentId?: GivenId | undefined
  /** Only parts of this proposal. */
  proposalId?: GivenId | undefined
}

/** A part as a person sees it. IDs are spelled as the connection spells them. */
export interface ProposedPart {
  proposalId: string
  /** Its key, which is unique in the proposal. */
  part: string
  kind: PartKind
  tool: string
  /** The block, row or task that it concerns; of an added one, its promised ID. */
  blockId?: string
  /** The document in which it is; of kind `document`, the promised ID of the new one. */
  documentId?: string
  /** The key of the property, of a value; `title` for the title. */
  property?: string
  /**
   * Markdown: with all that the block holds if it is added or removed, else of the block alone; of a document, all of it.
   * Of a value, the value as JSON. Absent if there is none.
   */
  before?: unknown
  after?: unknown
  /** Of an added row: its title, and its values as `items_list` has them. */
  item?: { title: string; properties: Record<string, unknown> }
  /** Where it stands afterwards. Both may be promised IDs of other parts. */
  place?: { parentId: string; afterId?: string }
  author: string
  client?: string
  linkId?: string
  /** True if this connection has proposed it, which takes it back, and does not decide on it. */
  isOwn?: true
  at: string
  /** The keys of waiting parts of the proposal that are accepted with it. */
  needs?: string[]
  /** The IDs of proposals that have to be decided first, since it refers to what they would create. */
  waitsFor?: string[]
  /** What accepting it agrees to. Absent if it cannot be accepted here and now. */
  fingerprint?: string
  /** Why it cannot be accepted now. */
  refused?: string
  /** The words that it changes are gone: its text is put in the place of the present one. */
  conflict?: { seen: string; present: string; proposed: string }
  /** What `before` and `after` do not show, such as dates and comments, as lines that begin with their sign. */
  details?: string
  /** Arguments that neither show, as a section of a diff. */
  asked?: string
}

export interface PartsAnswer {
  items: ProposedPart[]
  /** True if there are more than one answer holds. */
  hasMore?: true
}

/** A part that was rehearsed. */
interface Rehearsed {
  row: ProposalRow
  part: StoredPart
  needs: readonly StoredPart[]
  waitsFor: readonly number[]
  before: PartState
  after: PartState
  change: PartChange | undefined
  refusal: ScriptoriumError | undefined
  /** True if its text takes the place of another one than that which was seen. */
  isReplacing: boolean
  /** True if the connection reaches all that it changes. */
  isReached: boolean
  /** The calls that its fingerprint stands for. */
  calls: string
}

/** The parts of what waits, before their texts are compared. */
export type PreparedParts = PartsAnswer

/** @throws NOT_FOUND_ERROR */
export async function preparePartList(input: PartsInput, context: PrepareContext): Promise<PreparedParts> {
  const { rows, isFull } = await context.read(async (space) => ({
    rows: await readWaiting(space, input),
    isFull: space.kind === 'full',
  }))
  const wanted: { row: ProposalRow; part: StoredPart }[] = []
  for (const row of rows) for (const part of readParts(row).parts) if (isWaiting(part)) wanted.push({ row, part })
  const shown = wanted.slice(0, PARTS_PER_ANSWER)
  const rehearsed: Rehearsed[] = []
  for (const one of shown) rehearsed.push(await rehearsePart(one, context))
  // Resolved by now.
  const document = input.documentId?.number
  const listed = rehearsed.filter(
    (one) =>
      one.isReached &&
      (isFull || !isGone(one)) &&
      (document === undefined ||
        [one.before.documentId, one.after.documentId, one.change?.documentId].includes(document)),
  )
  const items: ProposedPart[] = []
  for (const one of listed) items.push(await describePart(one, context))
  return { items, ...(wanted.length > shown.length && { hasMore: true }) }
}

/** True for a part of what was deleted, which narrow connections cannot tell from what is out of their reach. */
const isGone = ({ refusal, waitsFor }: Rehearsed): boolean =>
  refusal?.code === 'NOT_FOUND_ERROR' && waitsFor.length === 0

/** The waiting proposals that the connection made itself or may decide on, oldest first. */
async function readWaiting(space: Space, { documentId, proposalId }: PartsInput): Promise<ProposalRow[]> {
  const ids = [documentId, proposalId].filter((id) => id !== undefined)
  await space.resolveIds(ids)
  if (!mustPropose(space.link) && !mayDecide(space.link)) return []
  if (proposalId !== undefined) {
    const row = await getProposal(space, proposalId)
    return (await stateOf(space, row)) === 'waiting' ? [row] : []
  }
  const all = await seenWaiting(space)
  if (documentId === undefined) return all
  const document = await documentById(space.tx, documentId.number)
  return all.filter(
    ({ documents, ids: promised, steps }) =>
      (document !== undefined && (JSON.parse(documents) as number[]).includes(document.n)) ||
      (JSON.parse(promised) as number[]).includes(documentId.number) ||
      idsNamedIn(JSON.parse(steps)).has(documentId.number),
  )
}

/** Those of the connection itself, as far as it still reaches what they change, and those that it may decide on. */
async function seenWaiting(space: Space): Promise<ProposalRow[]> {
  const own: ProposalRow[] = []
  for (const row of await waitingOf(space, space.link)) if (await canSeeProposal(space, row)) own.push(row)
  if (mustPropose(space.link)) return own
  const numbers = [...own, ...(await waitingToDecide(space, WAITING_PROPOSALS))].map(({ n }) => n)
  return proposalsByNumbers(space.tx, numbers)
}

/** Runs a part with all that it needs, as its acceptance would. */
async function rehearsePart(
  { row, part }: { row: ProposalRow; part: StoredPart },
  context: PrepareContext,
): Promise<Rehearsed> {
  const stored = readParts(row)
  const accepted = withNeeded(stored.parts, [part.key])
  const { there, needed, access } = await context.read(async (space) => ({
    there: await acceptedThere(space, stored.parts),
    needed: await neededProposals(
      space,
      row,
      accepted.flatMap(({ steps }) => steps),
    ),
    access: space.link.access,
  }))
  const found: Rehearsed = {
    ...{ row, part, needs: accepted.filter(({ key }) => key !== part.key), waitsFor: needed.map((one) => one.row.id) },
    ...{ before: NOTHING, after: NOTHING, change: undefined, refusal: undefined, isReplacing: false, isReached: true },
    calls: callsOf(accepted),
  }
  const prepared: { row: ProposalRow; parts: PreparedPart[] }[] = []
  try {
    for (const one of needed)
      prepared.push({ row: one.row, parts: await prepareWaiting(one.row, readReach(one.row, access), context) })
    const place = placing(stored.parts, there, accepted)
    prepared.push({ row, parts: await prepareParts(row, accepted, readReach(row, access), context, place) })
    await context.rehearse(async (space) => {
      await endLeasesBefore(
        space,
        prepared.flatMap(({ parts }) => parts),
      )
      found.before = await readPartState(space, part)
      for (const one of prepared) {
        const { proposed, call, chosen } = await runProposal(space, one.row, one.parts, access)
        if (one.row !== row) continue
        found.isReplacing = (chosen.get(part.key) ?? 0) > 0
        found.change = await readPartChange(proposed, call)
        found.isReached = await reachesChanges(space, call)
      }
      found.after = await readPartState(space.withLink(space.link), part)
    })
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    found.refusal = error
  } finally {
    for (const { parts } of prepared) await disposeParts(parts)
  }
  return found
}

const NOTHING: PartState = { content: undefined, isCut: false }

async function describePart(rehearsed: Rehearsed, context: PrepareContext): Promise<ProposedPart> {
  const { row, part, needs, waitsFor, before, after, change, refusal, calls } = rehearsed
  const details = detailsOf(rehearsed)
    .map(({ sign, text }) => `${sign}${text}`)
    .join('\n')
  const isCut = before.isCut || after.isCut
  const asked = isCut || change === undefined ? '' : await askedOf(rehearsed, context)
  const isShown = !isCut && asked !== undefined
  const isAcceptable = change !== undefined && refusal === undefined && waitsFor.length === 0 && isShown
  const { kind } = part
  const property = after.property ?? before.property ?? part.property
  const [blockId, documentId] = [
    after.blockId ?? before.blockId,
    after.documentId ?? before.documentId ?? change?.documentId,
  ]
  return context.read(async (space) => ({
    ...{ proposalId: space.spellId(row.id), part: part.key, kind, tool: part.steps[0]?.tool ?? row.tool },
    ...(blockId !== undefined && { blockId: space.spellId(blockId) }),
    ...(documentId !== undefined && { documentId: space.spellId(documentId) }),
    ...(property !== undefined && { property }),
    ...(before.content !== undefined && { before: before.content }),
    ...(after.content !== undefined && { after: after.content }),
    ...(after.item !== undefined && { item: after.item }),
    ...(after.place !== undefined && { place: spelledPlace(space, after.place) }),
    author: row.author,
    ...(row.client !== null && { client: row.client }),
    ...(row.link !== null && space.kind === 'full' && { linkId: row.link }),
    ...(isOwnProposal(space, row) && { isOwn: true as const }),
    at: new Date(row.createdAt).toISOString(),
    ...(needs.length > 0 && { needs: needs.map(({ key }) => key) }),
    ...(waitsFor.length > 0 && { waitsFor: waitsFor.map((id) => space.spellId(id)) }),
    ...(isAcceptable && { fingerprint: fingerprintOf(calls, change.digest) }),
    ...(refusal !== undefined && { refused: refusal.message }),
    ...conflictOf(rehearsed),
    ...(details !== '' && { details }),
    ...(asked && { asked }),
  }))
}

/** What the two texts do not show: everything, if the look of the block changes or the texts are the same. */
function detailsOf({ part, before, after, change }: Rehearsed): readonly DetailLine[] {
  if (change === undefined) return []
  const isSame = part.kind === 'changed' && before.content === after.content
  return isSame || before.look !== after.look ? change.all : change.details
}

const spelledPlace = (space: Space, { parentId, afterId }: NonNullable<PartState['place']>) => ({
  parentId: space.spellId(parentId),
  ...(afterId !== undefined && { afterId: space.spellId(afterId) }),
})

/** The text that was seen, the present one, and the proposed one, if they cannot be merged. */
function conflictOf({ part, before, isReplacing, refusal }: Rehearsed): Pick<ProposedPart, 'conflict'> {
  if (!isReplacing && refusal?.code !== 'CONFLICT') return {}
  const [block] =
    ((part.merging ?? part.steps)[0]?.arguments.blocks as { base?: string; markdown?: string; title?: string }[]) ?? []
  const { base, markdown, title } = block ?? {}
  const proposed = markdown ?? title
  if (typeof base !== 'string' || typeof proposed !== 'string') return {}
  return { conflict: { seen: base, present: String(before.content ?? ''), proposed } }
}

/**
 * Arguments of a part that neither its texts nor its details show. Its place is shown in place.
 *
 * @returns undefined if they are longer than a person could read
 */
async function askedOf(rehearsed: Rehearsed, context: PrepareContext): Promise<string | undefined> {
  const { part, before, after } = rehearsed
  const text = (content: unknown) =>
    content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content)
  // All of the text is shown, and not only what is new in it.
  const [diff = ''] = await new Comparer().compareDocuments([
    { title: '', before: '', after: text(after.content), details: detailsOf(rehearsed) },
  ])
  const shown = new Set([part.subject, after.place?.parentId, before.place?.parentId].map(String))
  const steps = part.steps.flatMap(({ tool, arguments: given }): StoredStep[] => {
    const { position: _, ...others } = given
    const isValue = part.property !== undefined && (before.content !== undefined || after.content !== undefined)
    const named = withoutIds(isValue || after.item !== undefined ? withoutValue(others) : others, shown)
    return named === undefined ? [] : [{ tool, arguments: named as Record<string, unknown> }]
  })
  return context.read((space) => askedArguments(space, steps, diff))
}

/** Leaves out the values that a part sets, which are shown. */
function withoutValue(given: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => [
    key,
    Array.isArray(value) ? value.map(({ title: _, properties: __, ...entry }) => entry) : value,
  ])
  return Object.fromEntries(entries)
}

/** What the text of a block shows, as it is after merging, and what it is compared with. */
const SEEN: ReadonlySet<string> = new Set([
  ...['type', 'indentationLevel', 'depth', 'listStyle', 'textStyle'],
  ...['markdown', 'title', 'base', 'expectedMarkdown', 'answer'],
])

/** Leaves out what is shown anyway, and lists and objects in which nothing is left. */
function withoutIds(value: unknown, shown: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return shown.has(String(value)) ? undefined : value
  const entries = Object.entries(value).map(([key, one]) => [key, withoutIds(one, shown)] as const)
  const left = entries.filter(([key, one]) => one !== undefined && !SEEN.has(key))
  if (left.length === 0) return undefined
  return Array.isArray(value) ? left.map(([, one]) => one) : Object.fromEntries(left)
}
