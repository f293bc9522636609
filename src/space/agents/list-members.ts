/** Members for the pages: found by what is typed, and with what agents are doing. */
import { accessLinksByNumbers } from '../../../storage/access-links.ts'
import type { MemberRow } from '../../../storage/members.ts'
import { MEMBERS_PER_ANSWER } from '../../base/limits.ts'
import { matchRank } from '../../base/title-match.ts'
import { documentNames } from '../history/change-summary.ts'
import { listReachedMembers, type Member, memberAnswer } from '../members/members.ts'
import { formatTimestamp } from '../model/dates.ts'
import type { GivenId } from '../model/ids.ts'
import { ownMember } from '../model/member-reach.ts'
import { isSystemDocument, type Space } from '../model/space.ts'
import { type AgentState, agentStates } from './agent-states.ts'

export interface MembersInput {
  /** What a name or a handle begins with or contains, without regard to case and accents. */
  query?: string | undefined
  limit?: number | undefined
  /** Only this member. */
  memberId?: GivenId | undefined
  /** Only agents who work in this document or wait for a person there. */
  documentId?: GivenId | undefined
  /** True to say what agents are doing. */
  states?: boolean | undefined
}

/** What an agent is doing, with the document as the connection sees it. */
export interface StateAnswer {
  state: AgentState['state']
  at?: string
  document?: { documentId: string; title: string }
}

export interface MemberItem extends Member {
  /** True for the member that the connection is. */
  isOwn?: true
  /** The ID of the link that an agent uses, for connections that reach the whole space. */
  linkId?: string
  state?: StateAnswer
}

/** The members whom the connection knows, by name, or the best matches first; and how many more there are. */
export async function findListedMembers(
  space: Space,
  input: MembersInput,
): Promise<{ items: MemberItem[]; more?: number }> {
  const { limit = MEMBERS_PER_ANSWER, states = false, documentId } = input
  const found = selectMembers(await listReachedMembers(space), input)
  const rows = documentId === undefined ? found.slice(0, limit) : found
  const links = await linkIds(space, rows)
  const stateOf = states || documentId ? await readStates(space, [...links.values()]) : () => undefined
  const own = await ownMember(space)
  const items = rows.map((row): MemberItem => {
    const linkId = links.get(row.link ?? 0)
    const state = linkId === undefined ? undefined : stateOf(linkId)
    return {
      ...memberAnswer(space, row),
      ...(row.n === own && { isOwn: true as const }),
      ...(linkId !== undefined && space.kind === 'full' && { linkId }),
      ...(state && { state }),
    }
  })
  if (documentId === undefined) {
    const more = found.length - rows.length
    return { items, ...(more > 0 && { more }) }
  }
  const wanted = space.spellId(documentId.number)
  return { items: items.filter(({ state }) => isActiveIn(state, wanted)).slice(0, limit) }
}

/** True for an agent who works in a document, or waits for a person there. */
const isActiveIn = (state: StateAnswer | undefined, documentId: string): boolean =>
  state?.document?.documentId === documentId && (state.state === 'working' || state.state === 'waiting')

function selectMembers(all: readonly MemberRow[], { query = '', memberId }: MembersInput): readonly MemberRow[] {
  if (memberId !== undefined) return all.filter(({ id }) => id === memberId.number)
  const wanted = query.trim().replace(/^@/, '')
  if (wanted === '') return all
  return all
    .flatMap((row) => {
      const ranks = [row.name, row.handle ?? ''].flatMap((text) => matchRank(text, wanted) ?? [])
      return ranks.length === 0 ? [] : [{ row, rank: Math.min(...ranks) }]
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ row }) => row)
}

/** The IDs of the links that agents are, by number. */
async function linkIds({ tx }: Space, rows: readonly MemberRow[]): Promise<Map<number, string>> {
  const numbers = rows.flatMap(({ link }) => link ?? [])
  return new Map((await accessLinksByNumbers(tx, numbers)).map(({ n, id }) => [n, id]))
}

/** The states of links, with titles as the connection sees them. */
async function readStates(space: Space, links: readonly string[]): Promise<(link: string) => StateAnswer> {
  const states = await agentStates(space, links)
  const documents = await space.documentRows([...states.values()].flatMap(({ document }) => document ?? []))
  const shown = [...documents.values()].filter((row) => !isSystemDocument(row)).map(({ n }) => n)
  const names = await documentNames(space, shown)
  return (link) => {
    const { state, at, document = 0 } = states.get(link) ?? { state: 'idle' }
    const name = names.get(document)
    return {
      state,
      ...(at !== undefined && { at: formatTimestamp(at) }),
      ...(name && { document: { documentId: space.spellId(name.id), title: name.title } }),
    }
  }
}
