/**
 * Access links and participants: who can access the space, and with which reach. Only for the person who runs the
 * program.
 */

import { formatBytes } from '../../base/byte-sizes.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Remaining } from '../../call/rate-limiter.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { type ByteCounts, sumOfBytes } from '../../space/model/quota.ts'
import { barHtml } from '../frame/bar.ts'
import { storageHtml } from '../frame/storage-notice.ts'
import { type Html, html } from '../html.ts'
import { addressesAbout, linkAddresses } from '../link-addresses.ts'
import { accessLabel, documentChoiceHtml, type LinkForm, linkFormHtml, linkFormOf, reachLabel } from '../link-form.ts'
import { liveStates, memberName, readMembers, stateHtml } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { LinkEntry, PersonEntry, WebhookEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { listensHtml } from './listening-links.ts'
import { settingsHtml } from './settings-pages.ts'
import { stopHtml } from './stop-pages.ts'

export const linksPage: Page = {
  route: 'GET /links',
  isOperatorOnly: true,
  async handle(call) {
    const { items } = await call.run('links_list')
    const people = (await call.run('participants_list')).items
    const titles = await documentTitles(call, items)
    const webhooks = Map.groupBy((await call.run('webhooks_list')).items, ({ linkId }) => linkId)
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
    const main = html`<div class="page"><h1>Links and people</h1>
<p class="about">A link lets an agent or a person in, over a server that runs with <code>scriptorium serve</code>. Agents on this machine that start the program themselves need none.</p>
<div class="acts"><a class="button go" href="${call.href('/links/new')}">Make a link</a></div>
${active.length === 0 ? html`<p class="empty">Links show up here with what they reach, what they may do, and when they were used last.</p>` : html`<ul class="access">${active.map(row)}</ul>${liveStates(call, [...states.keys()])}`}
${over.length > 0 && html`<details class="over"><summary>Revoked and expired: ${over.length}</summary><ul class="access">${over.map(row)}</ul></details>`}
<h2>People</h2>
<ul class="access">${people.map((person) => personHtml(call, person))}</ul>
<h2>Limits</h2>
${limitsHtml(call, (await agentLimits?.remaining()) ?? {})}
<h2>Storage</h2>
${storageHtml(call, stored.space)}
<h2>Settings</h2>
${await settingsHtml(call)}</div>`
    return { title: text('Links and people'), main, current: '/links' }
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
  return html`<li id="link-${id}"><div>${memberName(link)} ${isSignIn && html`<span class="tag">sign-in</span> `}${isBearer && !isSignIn && html`<span class="tag">secret in a header</span> `}${state}
<p>${reachLabel(kind)}${
    exposed.length > 0 &&
    html`: ${exposed.slice(0, 5).map(({ id, title }, index) => html`${index > 0 && ', '}<a href="${call.links.block(id)}">${title}</a>`)}${exposed.length > 5 && text(' and {n} more', { n: exposed.length - 5 })}`
  }. ${accessLabel(link)}.</p>
<small>${ownerOf(link)} · ${usedAt === undefined ? text('not used yet') : html`last used ${formats.time(new Date(usedAt).toISOString())}`}${
    expiresAt !== undefined &&
    html` · ${Date.parse(expiresAt) <= call.request.now ? text('expired') : text('until')} ${formats.time(expiresAt)}`
  }${wrote !== undefined && text(' · wrote {formatBytes}', { formatBytes: formatBytes(sumOfBytes(wrote)) })}${revokedAt !== undefined && html` · revoked ${formats.time(revokedAt)}`} · ${id}</small>${listensHtml(call, webhooks, pausedAt)}</div>
${
  isActive &&
  html`<div class="acts">${isInUse && stopHtml(call, link)}${kind === 'selected' && !isSignIn && link.givenWith === undefined && html`<a class="button" href="${call.href(`/links/${id}`)}">Documents…</a>`}<details class="reject"><summary class="button plain">Revoke…</summary><form method="post" action="${call.href(`/links/${id}/revoke`)}">${call.tokenField()}<p>Its next request is refused, and it cannot be had back.</p><button>Revoke ${name}</button></form></details></div>`
}</li>
`
}

const ownerOf = ({ participant, group, givenWith }: LinkEntry): string =>
  group === undefined
    ? text('For {participant}', { participant })
    : givenWith === undefined
      ? text('For each person in the group {group}', { group })
      : text('For {participant}, as long as they are in the group {group}', { participant, group })

function personHtml(call: PageCall, person: PersonEntry): Html {
  const { id, name, since, signsInAs = [], hasPassword } = person
  const ways = [
    ...(hasPassword ? [text('with a password here')] : []),
    ...signsInAs.map(({ issuer }) => text('at {issuer}', { issuer })),
  ]
  return html`<li><div>${memberName(person)}<p>${ways.length === 0 ? text('Does not sign in.') : text('Signs in {ways}.', { ways: ways.join(text(' and ')) })}</p><small>Since ${call.formats.time(since)}</small></div>
<div class="acts"><details class="reject"><summary class="button plain" aria-label="Remove ${name}…">Remove…</summary><form method="post" action="${call.href(`/people/${id}/remove`)}">${call.tokenField()}<p>They can sign in no more. What they wrote stays.</p><button>Remove ${name}</button></form></details></div></li>
`
}

function limitsHtml(call: PageCall, { requests, blocks }: Remaining): Html {
  const { number } = call.formats
  const format = number.bind(call.formats)
  if (requests === undefined && blocks === undefined) return html`<p class="about">Nothing is limited.</p>`
  return html`<p class="about">All agents together have ${[
    requests !== undefined && html`<b>${format(requests.remaining)}</b> of ${format(requests.limit)} calls`,
    requests !== undefined && blocks !== undefined && text(' and '),
    blocks !== undefined && html`<b>${format(blocks.remaining)}</b> of ${format(blocks.limit)} blocks`,
  ]} left this minute. These pages count for themselves.</p>`
}

const crumbs = (call: PageCall): Html => barHtml([{ href: call.href('/links'), name: text('Links and people') }])

export const newLinkPage: Page = {
  route: 'GET /links/new',
  isOperatorOnly: true,
  handle: (call) => newLink(call, linkFormOf(new URLSearchParams()), {}),
}

async function newLink(call: PageCall, form: LinkForm, { fault }: { fault?: string }): Promise<ShownPage> {
  const people = (await call.run('participants_list')).items.map(({ name }) => name)
  const main = html`${crumbs(call)}
<div class="page"><h1>Make a link</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href('/links/new')}">${call.tokenField()}
${await linkFormHtml(call, form, people)}
<div class="acts"><button class="go" name="do" value="make">Make the link</button> <a class="button plain" href="${call.href('/links')}">Cancel</a></div></form></div>`
  return { title: text('Make a link'), main, current: '/links', ...(fault !== undefined && { status: 400 }) }
}

export const makeLink: Page = {
  route: 'POST /links/new',
  isOperatorOnly: true,
  async handle(call) {
    const form = linkFormOf(call.form)
    if (call.form.get('do') !== 'make') return newLink(call, form, {})
    try {
      const { query: _, expires, participant, name, ...input } = form
      const { link, secret } = await call.run('links_add', {
        ...input,
        documents: form.kind === 'selected' ? form.documents : [],
        ...(name !== '' && { name }),
        ...(participant !== '' && { participant }),
        ...(expires > 0 && { expiresInDays: expires }),
      })
      return madeLink(call, link, secret)
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
      return newLink(call, form, { fault: error.message })
    }
  },
}

/** The addresses of a new link, which are shown only once. */
function madeLink(call: PageCall, link: LinkEntry, secret: string): ShownPage {
  const main = html`${crumbs(call)}
<div class="page"><h1>${link.name}</h1>
<p>${reachLabel(link.kind)}. ${accessLabel(link)}.</p>
<div class="notice waits"><p>The link is shown this once. The space keeps only a hash of its secret, and anyone with one of these addresses can use it.</p></div>
${linkAddresses(call, secret, link.isCalendar)}
${addressesAbout(call)}
<div class="acts"><a class="button" href="${call.href('/links')}">Links and people</a></div></div>`
  return { title: text('The link'), main, current: '/links' }
}

export const linkDocumentsPage: Page = {
  route: 'GET /links/:id',
  isOperatorOnly: true,
  handle: (call) => linkDocuments(call, undefined, {}),
}

async function linkDocuments(
  call: PageCall,
  chosen: LinkForm | undefined,
  { fault }: { fault?: string },
): Promise<ShownPage> {
  const id = call.params.id ?? ''
  const { items } = await call.run('links_list')
  const link = items.find((one) => one.id === id)
  if (link === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such link.')
  const form = chosen ?? { ...linkFormOf(new URLSearchParams()), documents: link.documents ?? [] }
  const main = html`${crumbs(call)}
<div class="page"><h1>Documents of ${link.name}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href(`/links/${id}`)}">${call.tokenField()}
${await documentChoiceHtml(call, form)}
<div class="acts"><button class="go" name="do" value="expose">Expose these</button> <a class="button plain" href="${call.href('/links')}">Cancel</a></div></form></div>`
  return {
    title: text('Documents of {name}', { name: link.name }),
    main,
    current: '/links',
    ...(fault !== undefined && { status: 400 }),
  }
}

export const exposeLink: Page = {
  route: 'POST /links/:id',
  isOperatorOnly: true,
  async handle(call) {
    const form = linkFormOf(call.form)
    if (call.form.get('do') !== 'expose') return linkDocuments(call, form, {})
    try {
      await call.run('links_expose', { linkId: call.params.id ?? '', documents: form.documents })
      return { redirect: '/links?notice=link-exposed' }
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
      return linkDocuments(call, form, { fault: error.message })
    }
  },
}
