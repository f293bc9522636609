/** `scriptorium participants`: manages the participants of a space. */

import { spaceKey } from '../../auth/access-links/access-links.ts'
import { endParticipant, logGivenWork } from '../../auth/access-links/ended-members.ts'
import type { MemberChange } from '../../space/members/update-member.ts'
import { logOccurrence } from '../../space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { WorkDecision } from '../../space/open-work/give-work.ts'
import {
  addParticipant,
  type Identity,
  listParticipants,
  type Participant,
  removeParticipant,
} from '../../space/participants/participants.ts'
import { hashPassword } from '../../space/participants/passwords.ts'
import type { CommandResult } from '../printing.ts'

const participantFields = ({ id, name, since, signsInAs = [], hasPassword, access }: Participant): string[] => [
  name,
  id,
  `since ${since}`,
  ...(access === undefined ? [] : [`may at most ${access}`]),
  ...(hasPassword ? ['signs in with a password'] : []),
  ...signsInAs.map(({ issuer, subject }) => `signs in as ${subject} of ${issuer}`),
]

function participantRow({ id, name, since, signsInAs = [], hasPassword, access }: Participant): string[] {
  const identities = signsInAs.map(({ issuer, subject }) => `as ${subject} of ${issuer}`)
  return [name, id, since, access ?? '', [...(hasPassword ? ['with a password'] : []), ...identities].join(', ')]
}

/** How a participant signs in: with an external identity, or with a password here. */
export interface ParticipantChange extends Pick<MemberChange, 'handle' | 'picture'> {
  identity?: Identity | undefined
  /** When adding a participant: their password. */
  password?: string | undefined
  /** When removing a participant: what becomes of their open work. */
  decision?: WorkDecision
  /** When removing a participant: true to remove only their password. */
  onlyPassword?: boolean
  /** When adding a participant: the address of the server. */
  base?: string
}

interface Changed {
  participant: Participant
  /** What became of their open work. */
  note?: string | undefined
}

export async function runParticipants(
  space: OpenSpace,
  action: 'add' | 'list' | 'remove',
  nameOrId: string,
  { identity, password, onlyPassword = false, handle, picture, decision = {}, base = '' }: ParticipantChange = {},
): Promise<CommandResult> {
  if (action === 'list') {
    const participants = await space.read(OPERATOR_LINK, listParticipants)
    const rows = participants.map(participantRow)
    const table = { columns: ['Name', 'ID', 'Since', 'May at most', 'Signs in'], rows }
    return { value: participants, lines: participants.map(participantFields), table }
  }
  const isAdding = action === 'add'
  // Hashed before the transaction, since hashing is slow.
  const hash = password === undefined ? undefined : await hashPassword(password)
  const { participant, note } = await space.write(OPERATOR_LINK, async (view): Promise<Changed> => {
    if (isAdding) {
      const participant = await addParticipant(view, nameOrId, { identity, password: hash, handle, picture })
      const ways = { identity, ...(hash !== undefined && { password: 'set' }) }
      await logOccurrence(view, 'participants_add', {
        ids: [participant.id],
        about: { name: participant.name, ...ways },
      })
      return { participant }
    }
    if (identity !== undefined || onlyPassword) {
      const participant = await removeParticipant(view, nameOrId, { identity, password: onlyPassword })
      const ways = { identity, ...(onlyPassword && { password: 'removed' }) }
      await logOccurrence(view, 'participants_remove', { ids: [participant.id], about: ways })
      return { participant }
    }
    const { ended, given } = await endParticipant(view, nameOrId, decision)
    const { giveTo, keepsWork } = decision
    return {
      participant: ended,
      note: await logGivenWork(view, 'participants_remove', ended.id, given, { giveTo, keepsWork }),
    }
  })
  const { name, id } = participant
  const key = spaceKey(space.info.id)
  const spacePath = `/spaces/${key}`
  const mcpPath = `${spacePath}/mcp`
  const restPath = `${spacePath}/api/v1`
  // People open the pages, and hosts connect: each has an address of its own.
  const [mcpUrl, pageUrl] = [`${base}${mcpPath}`, `${base}/view/${key}`]
  const value = { ...participant, mcpPath, restPath, ...(isAdding && { mcpUrl, pageUrl }) }
  if (identity !== undefined) {
    const phrase = isAdding ? `signs in at ${mcpUrl} as` : 'no longer signs in as'
    return { value, lines: [[`${name} ${phrase} ${identity.subject} of ${identity.issuer}`, id]] }
  }
  if (password !== undefined) {
    return {
      value,
      lines: [[`${name} signs in with that password: in a browser at ${pageUrl}, in a host at ${mcpUrl}`, id]],
    }
  }
  if (onlyPassword) return { value, lines: [[`${name} no longer signs in with a password`, id]] }
  const lines = [[`${isAdding ? 'Added' : 'Removed'} ${name}`, id], ...(note === undefined ? [] : [[note]])]
  return { value: participant, lines }
}
