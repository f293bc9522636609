/** Who else is in a document: people who have it open, and agents that have recently written in it. */
import { invalid } from '../../base/errors.ts'
import { PAGE_CLIENT } from '../../space/model/space.ts'
import { callerName } from '../calls/call-text.ts'
import { readDocumentCalls } from '../documents/document-calls.ts'
import { Presence } from '../documents/presence.ts'
import { type Html, html } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import { readMembers } from '../members/member-html.ts'
import type { Page } from '../page-declaration.ts'
import type { MemberEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** Milliseconds after a write during which an agent counts as present. */
const AT_WORK_MS = 5 * 60_000

const presence = new Presence()

/** Polled by open pages: `GET /d/:id/people?page=…`, and with `left=yes` on closing. */
export const documentPeoplePage: Page = {
  route: 'GET /d/:id/people',
  async handle(call) {
    const { caller, now } = call.request
    const page = call.query.get('page') ?? ''
    if (!/^\w{8,40}$/.test(page)) throw invalid('Expected the name of a page in page, found none; open the page again.')
    const { id } = await call.run('blocks_get', { id: call.params.id, maxDepth: 0 })
    const document = `${caller.space.info.id} ${id}`
    if (call.query.get('left') === 'yes') {
      presence.leave(document, page)
      return { fragment: html`` }
    }
    const people = presence.meet(document, page, caller.link.author, now)
    const { items } = await readDocumentCalls(call, id)
    const atWork = items.filter(
      ({ at, client }) => client && client !== PAGE_CLIENT && now - Date.parse(at) < AT_WORK_MS,
    )
    const { items: agents } = await readMembers(call, { documentId: id })
    const named = new Set(agents.map(({ name }) => name))
    const programs = new Set(atWork.filter(({ author }) => !named.has(author)).map(callerName))
    return {
      fragment: html`${people.map((name) => html`<li>${name}</li>`)}${agents.map((agent) => agentHtml(agent))}${[...programs].map((name) => html`<li class="program">${name}</li>`)}`,
    }
  },
}

/** An agent who works in the document, also by reading, or waits for a person there. */
function agentHtml({ name, picture, state }: MemberEntry): Html {
  const isWorking = state?.state === 'working'
  return html`<li class="program ${state?.state}" title="${isWorking ? text('Read or wrote here in the last minute') : text('Asks or proposes something here')}">${pictureHtml(picture)}${name}${!isWorking && text(' waits for you')}</li>`
}
