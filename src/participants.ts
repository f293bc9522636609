/** `scriptorium participants`: who takes part in a space. */
import type { OpenSpace } from './space/open.ts'
import { addParticipant, listParticipants, type Participant, removeParticipant } from './space/participants.ts'

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
  const link = await space.link('full', [], 'scriptorium')
  if (action === 'list') {
    const participants = await space.read(link, listParticipants)
    return { value: participants, words: participants.map(line).join('\n') }
  }
  const change = action === 'add' ? addParticipant : removeParticipant
  const participant = await space.write(link, (view) => change(view, named))
  const words = action === 'add' ? `${participant.name} takes part now` : `${participant.name} takes part no more`
  return { value: participant, words: `${words}\t${participant.id}` }
}
