/** Connections to one space, and what its history says of their calls. */
import type { AccessLink } from '../../src/space/model/space.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf } from '../document.ts'

/** Connects to the same space with a separate name. */
export async function connectAs(author: string, to: Connected): Promise<Connected> {
  const link: AccessLink = { ...(await to.space.createAccessLink('full', [], author)), connection: author }
  return connect('full', { to, caller: { link } })
}

export const callsOf = async ({ call }: Connected, args: object = {}): Promise<Answer[]> =>
  (await call('history_list', { format: 'json', ...args })).items

export const lastCall = async (connected: Connected): Promise<string> =>
  (await callsOf(connected, { limit: 1 }))[0].callId

export const textsOf = async (connected: Connected, document: string): Promise<string[]> =>
  (await contentOf(connected, document)).map(({ markdown }: Answer) => markdown)
