/** Members on the pages: their names, and what agents are doing. */
import { shownTitle } from '../../markdown/shown-title.ts'
import { type Html, html } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import type { PageCall } from '../page-call.ts'
import type { MemberEntry, ToolAnswer, ToolInput } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'

type MemberState = NonNullable<MemberEntry['state']>

/** After each change, and from time to time: agents also just read. */
export const AGAIN = 'spacechange from:body, every 15s [!document.hidden]'

/** Attributes of an element that is loaded again. */
export const loadedAgain = (call: PageCall, id: string): Html =>
  html` id="${id}" hx-get="${call.request.base}${call.request.path}${call.request.url.search}" hx-select="#${id}" hx-trigger="${AGAIN}" hx-swap="outerMorph"`

/** Loads the states of agents again that a page shows, and nothing else of it: what is opened in it stays. */
export const liveStates = (call: PageCall, linkIds: readonly string[]): Html | false =>
  linkIds.length > 0 &&
  html`<div hidden hx-get="${call.href('/members')}" hx-trigger="${AGAIN}" hx-swap="none" hx-select-oob="${linkIds.map((id) => `#state-${id}:outerMorph`).join(',')}"></div>`

/** Members, with what agents are doing as far as this server and the others of the space know. */
export async function readMembers(
  call: PageCall,
  input: Omit<ToolInput<'members_list'>, 'states'> = {},
): Promise<ToolAnswer<'members_list'>> {
  const { agentLimits, caller } = call.request
  for (const [link, at] of (await agentLimits?.linkUses()) ?? []) caller.space.activity.noteUse(link, at)
  return call.run('members_list', { ...input, states: true })
}

/** The picture, the name and the handle of a member. */
export const memberName = ({ name, handle, picture }: Pick<MemberEntry, 'name' | 'handle' | 'picture'>): Html =>
  html`${pictureHtml(picture)}<b>${shownText(name)}</b>${handle !== undefined && html` <span class="handle">@${shownText(handle)}</span>`}`

/** What an agent is doing, in words. @param linkId  of an agent whose state is loaded again by {@link liveStates} */
export function stateHtml(call: PageCall, { state, at, document }: MemberState, linkId?: string): Html {
  const { formats, links } = call
  const place = document && html`<a href="${links.block(document.documentId)}">${shownTitle(document.title)}</a>`
  const since = at !== undefined && formats.time(at)
  const words: Record<MemberState['state'], Html> = {
    working: html`working${place && html` on ${place}`}, ${since}`,
    waiting: html`waits for you${place && html` in ${place}`}, since ${since}`,
    gone: html`gone: its claim${place && html` in ${place}`} ran out ${since}`,
    stopped: html`stopped ${since}`,
    idle: html`idle`,
  }
  return html`<span class="state ${state}"${linkId !== undefined && html` id="state-${linkId}"`}>${words[state]}</span>`
}
