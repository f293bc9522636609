/** `scriptorium participants`: who takes part in a space. */
import type { OpenSpace } from './space/open.ts'
import { addParticipant, listParticipants, type Participant, removeParticipant } from './space/participants.ts'
import { OWN_LINK } from './space/space.ts'

/** What a command did, as a value and in words. */
export interface Done {
  value: unknown
  words: string
}

const line = ({ id, name, since }: Participant): string => `${name}\t${id}\tsince ${since}`

export async function runParticipants(
  space: OpenSpace,
  action: 'add' | 'list' | 'remove',
  named: string,
): Promise<Done> {
  if (action === 'list') {
    const participants = await space.read(OWN_LINK, listParticipants)
    return { value: participants, words: participants.map(line).join('\n') }
  }
  const change = action === 'add' ? addParticipant : removeParticipant
  const participant = await space.write(OWN_LINK, (view) => change(view, named))
  const words = action === 'add' ? `${participant.name} takes part now` : `${participant.name} takes part no more`
  return { value: participant, words: `${words}\t${participant.id}` }
}
