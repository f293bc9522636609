/**
 * Access links and participants: who can access the space, and with which reach. For people, never for a link. People
 * who may not do everything see their own links.
 */

import { shownTitle } from '../../markdown/shown-title.ts'
import { type ByteCounts, sumOfBytes } from '../../space/model/quota.ts'
import { type Html, html } from '../html.ts'
import { accessLabel, reachLabel } from '../link-form.ts'
import { liveStates, memberName, readMembers, stateHtml } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { LinkEntry, WebhookEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { listensHtml } from './listening-links.ts'
import { peopleHtml } from './people-pages.ts'
import { stopHtml } from './stop-pages.ts'

export const linksPage: Page = {
  route: 'GET /links',
  isFor: ['operator', 'all', 'own'],
  async handle(call) {
    const { items } = await call.run('links_list')
    const titles = await documentTitles(call, items)
    const listened = call.request.isOperator ? (await call.run('webhooks_list')).items : []
    const webhooks = Map.groupBy(listened, ({ linkId }) => linkId)
    const { agentLimits, now } = call.request
    const uses = await agentLimits?.linkUses()
    const states = await readLinkStates(call)
    const stored = await call.request.caller.space.storedBytes()
    const isOver = ({ revokedAt, expiresAt }: LinkEntry) =>
      revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) <= now)
    const [over, active] = [items.filter(isOver), items.filter((link) => !isOver(link))]
    const row = (link: LinkEntry) =>
      linkHtml(call, link, titles, {
        ...{
          state: states.get(link.id),
          usedAt: uses?.get(link.id),
          wrote: stored.links.get(link.id),
          webhooks: webhooks.get(link.id) ?? [],
        },
      })
    const title = call.managesSpace ? text('Links and people') : text('Your links')
    const main = html`<div class="page"><h1>${title}</h1>
<p class="about">A link lets an agent or a person in, over a server that runs with <code>scriptorium serve</code>. Agents on this machine that start the program themselves need none.</p>
${!call.managesSpace && html`<p class="about">Links that you make here are yours: they can do no more than you can, and end when you leave.</p>`}
<div class="acts"><a class="button go" href="${call.href('/links/new')}">Make a link</a></div>
${active.length === 0 ? html`<p class="empty">Links show up here with what they reach, what they may do, and when they were used last.</p>` : html`<ul class="access">${active.map(row)}</ul>${liveStates(call, [...states.keys()])}`}
${over.length > 0 && html`<details class="over"><summary>Revoked and expired: ${over.length}</summary><ul class="access">${over.map(row)}</ul></details>`}
${call.managesSpace && (await peopleHtml(call))}</div>`
    return { title, main, current: '/links' }
  },
}

/** What the agents of links are doing, by the IDs of the links. */
async function readLinkStates(call: PageCall): Promise<ReadonlyMap<string, Html>> {
  const { items } = await readMembers(call)
  return new Map(
    items.flatMap(({ linkId, state }) => (linkId && state ? [[linkId, stateHtml(call, state, linkId)] as const] : [])),
  )
}

/** The titles of the documents that links expose. */
async function documentTitles(call: PageCall, links: readonly LinkEntry[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(links.flatMap(({ documents = [] }) => documents))]
  const titles = new Map<string, string>()
  for (let at = 0; at < ids.length; at += 500) {
    const documentIds = ids.slice(at, at + 500)
    const listed = await call.find('documents_list', { documentIds, limit: 500 })
    for (const { id, title } of listed?.items ?? []) titles.set(id, title)
  }
  return titles
}

interface LinkUse {
  state: Html | undefined
  usedAt: number | undefined
  wrote: ByteCounts | undefined
  webhooks: readonly WebhookEntry[]
}

function linkHtml(
  call: PageCall,
  link: LinkEntry,
  titles: ReadonlyMap<string, string>,
  { state, usedAt, wrote, webhooks }: LinkUse,
): Html {
  const { id, name, kind, documents = [], expiresAt, revokedAt, pausedAt, isSignIn, isBearer } = link
  const { formats } = call
  const isActive = revokedAt === undefined
  const isInUse = isActive && (expiresAt === undefined || Date.parse(expiresAt) > call.request.now)
  const exposed = documents.map((document) => ({ id: document, title: shownTitle(titles.get(document)) }))
  // Other people end their sign-ins themselves.
  const isManaged = !isSignIn || call.request.isOperator || link.participant === call.request.caller.link.author
  return html`<li id="link-${id}"><div>${memberName(link)} ${isSignIn && html`<span class="tag">sign-in</span> `}${isBearer && !isSignIn && html`<span class="tag">secret in a header</span> `}${state}
<p>${reachLabel(kind)}${
    exposed.length > 0 &&
    html`: ${exposed.slice(0, 5).map(({ id, title }, index) => html`${index > 0 && ', '}<a href="${call.links.block(id)}">${title}</a>`)}${exposed.length > 5 && text(' and {n} more', { n: exposed.length - 5 })}`
  }. ${accessLabel(link)}.</p>
<small>${ownerOf(link)} · ${madeBy(link)} · ${usedAt === undefined ? text('not used yet') : html`last used ${formats.time(new Date(usedAt).toISOString())}`}${
    expiresAt !== undefined &&
    html` · ${Date.parse(expiresAt) <= call.request.now ? text('expired') : text('until')} ${formats.time(expiresAt)}`
  }${wrote !== undefined && text(' · wrote {size}', { size: formats.bytes(sumOfBytes(wrote)) })}${revokedAt !== undefined && html` · revoked ${formats.time(revokedAt)}`} · ${id}</small>${listensHtml(call, webhooks, pausedAt)}</div>
${
  isActive &&
  isManaged &&
  html`<div class="acts">${isInUse && stopHtml(call, link)}${isInUse && !isSignIn && link.givenWith === undefined && html`<a class="button" href="${call.href(`/links/${id}`)}" aria-label="Change ${name}…">Change…</a>`}<details class="reject"><summary class="button plain">Revoke…</summary><form method="post" action="${call.href(`/links/${id}/revoke`)}">${call.tokenField()}<p>Its next request is refused, and it cannot be restored.</p><button>Revoke ${name}</button></form></details></div>`
}</li>
`
}

/** Who made it, if it is not a sign-in. */
const madeBy = ({ isSignIn, madeBy, participant }: LinkEntry): string =>
  isSignIn
    ? text('made by signing in')
    : madeBy === undefined
      ? text('made by the person who runs the space')
      : madeBy === participant
        ? text('made by themselves')
        : text('made by {madeBy}', { madeBy })

const ownerOf = ({ participant, group, givenWith }: LinkEntry): string =>
  group === undefined
    ? text('For {participant}', { participant })
    : givenWith === undefined
      ? text('For each person in the group {group}', { group })
      : text('For {participant}, as long as they are in the group {group}', { participant, group })
