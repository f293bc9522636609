/** `scriptorium participants`: who takes part in a space. */
import { spaceKey } from './server/links.ts'
import type { OpenSpace } from './space/open.ts'
import {
  addParticipant,
  type Identity,
  listParticipants,
  type Participant,
  removeParticipant,
} from './space/participants.ts'
import { OWN_LINK } from './space/space.ts'

/** What a command did, as a value and in words. */
export interface Done {
  value: unknown
  words: string
}

const line = ({ id, name, since, signsInAs = [] }: Participant): string =>
  [name, id, `since ${since}`, ...signsInAs.map(({ issuer, subject }) => `signs in as ${subject} of ${issuer}`)].join(
    '\t',
  )

export async function runParticipants(
  space: OpenSpace,
  action: 'add' | 'list' | 'remove',
  named: string,
  identity?: Identity,
): Promise<Done> {
  if (action === 'list') {
    const participants = await space.read(OWN_LINK, listParticipants)
    return { value: participants, words: participants.map(line).join('\n') }
  }
  const change = action === 'add' ? addParticipant : removeParticipant
  const participant = await space.write(OWN_LINK, (view) => change(view, named, identity))
  const words = action === 'add' ? `${participant.name} takes part now` : `${participant.name} takes part no more`
  if (identity !== undefined) {
    const { subject, issuer } = identity
    const place = `/spaces/${spaceKey(space.info.id)}`
    const mcpPath = `${place}/mcp`
    const how = action === 'add' ? `signs in at ${mcpPath} as` : 'signs in no more as'
    const value = { ...participant, mcpPath, restPath: `${place}/api/v1` }
    return { value, words: `${participant.name} ${how} ${subject} of ${issuer}\t${participant.id}` }
  }
  return { value: participant, words: `${words}\t${participant.id}` }
}
