/** Links without their secrets, as they are listed. */
import {
  accessLinkByNumber,
  exposedDocuments,
  type HeldLinkRow,
  listAccessLinkRows,
  signedInName,
} from '../../../storage/access-links.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { groupLinkOf } from '../../../storage/group-links.ts'
import { membersByNumbers, memberThatIsLink } from '../../../storage/members.ts'
import { participantName } from '../../../storage/participants.ts'
import type { AccessLinkRow } from '../../../storage/schema.ts'
import { memberMarks } from '../../space/members/members.ts'
import { narrowerAccess } from '../../space/model/access.ts'
import { formatTimestamp } from '../../space/model/dates.ts'
import type { AccessLevel, ConnectionKind, Space } from '../../space/model/space.ts'

/** A link without its secret, as it is listed. */
export interface AccessLinkInfo {
  id: string
  name: string
  kind: ConnectionKind
  /** No more than its owner and its maker may do. */
  access: AccessLevel
  isBearer: boolean
  participant: string
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  /** When a person paused it. */
  pausedAt?: string
  documents?: string[]
  /** Those of the member that it is. */
  handle?: string
  picture?: string
  /** The name of the group that it is given to, or that the participant has it by. */
  group?: string
  /** The ID of the link that is given to the group, for the one of a person. */
  givenWith?: string
  /** True if the link stands for a sign-in, so that no one knows its secret. */
  isSignIn?: true
  /** True if the link may not subscribe to events that are sent to an address. */
  noEvents?: true
  /** True if its address gives a calendar, and opens nothing else. */
  isCalendar?: true
  /** The name of the participant who made it on the pages; absent if it was the person who runs the program. */
  madeBy?: string
}

/**
 * All links, including revoked and expired ones, in the order of their creation.
 *
 * @param participant  by number, to list only those of one person
 */
export async function listAccessLinkInfos(space: Space, participant?: number): Promise<AccessLinkInfo[]> {
  const infos: AccessLinkInfo[] = []
  const rows = await listAccessLinkRows(space.tx)
  const listed = participant === undefined ? rows : rows.filter((row) => row.participant === participant)
  for (const row of listed) infos.push(await describeAccessLink(space, row))
  return infos
}

/** A row that was just written has no access of people. */
type LinkRow = AccessLinkRow & Partial<Pick<HeldLinkRow, 'ownerAccess' | 'makerAccess'>>

/** What a link allows: no more than its owner and its maker may do. */
export const heldAccess = ({ access, ownerAccess, makerAccess }: LinkRow): AccessLevel =>
  narrowerAccess(narrowerAccess(access, ownerAccess ?? 'full'), makerAccess ?? 'full')

export async function describeAccessLink({ tx, now }: Space, row: LinkRow): Promise<AccessLinkInfo> {
  const { id, name, kind, createdAt, expiresAt, revokedAt } = row
  const participant = (await participantName(tx, row.participant)) ?? ''
  const info: AccessLinkInfo = {
    id,
    name,
    kind,
    access: heldAccess(row),
    isBearer: row.isBearer === 1,
    participant,
    createdAt: formatTimestamp(createdAt),
    ...memberMarks(await memberThatIsLink(tx, row.n, now)),
  }
  if ((await signedInName(tx, row.n)) !== undefined) info.isSignIn = true
  if (expiresAt !== null) info.expiresAt = formatTimestamp(expiresAt)
  if (revokedAt !== null) info.revokedAt = formatTimestamp(revokedAt)
  if (row.pausedAt !== null) info.pausedAt = formatTimestamp(row.pausedAt)
  if (row.noEvents === 1) info.noEvents = true
  if (row.isCalendar === 1) info.isCalendar = true
  if (row.madeBy !== null) info.madeBy = (await participantName(tx, row.madeBy)) ?? ''
  const given = await groupLinkOf(tx, row.n)
  if (given !== undefined) {
    info.group = (await membersByNumbers(tx, [given.memberGroup], now))[0]?.name ?? ''
    if (given.givenWith !== null) info.givenWith = (await accessLinkByNumber(tx, given.givenWith))?.id ?? ''
  }
  if (kind === 'selected') {
    const numbers = (await exposedDocuments(tx, row.n)).map(({ document }) => document)
    info.documents = (await blocksByNumbers(tx, numbers)).map((block) => String(block.id))
  }
  return info
}
