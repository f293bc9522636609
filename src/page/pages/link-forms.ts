/** Forms of access links: making one, and changing what one reaches and may do. Taking something away asks first. */
import { isWithinAccess } from '../../auth/access-links/link-managers.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { defaultButton, submitForm } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import { addressesAbout, hostForms, linkAddresses } from '../link-addresses.ts'
import {
  accessLabel,
  exposedBy,
  type LinkForm,
  linkFormHtml,
  linkFormOf,
  reachLabel,
  rightsHtml,
} from '../link-form.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageRedirect, ShownPage } from '../page-declaration.ts'
import type { LinkEntry } from '../page-tools.ts'
import { count, text } from '../texts/text.ts'

const PEOPLE = ['operator', 'all', 'own'] as const

const crumbs = (call: PageCall): Html => barHtml([{ href: call.href('/links'), name: listName(call) }])

const listName = (call: PageCall): string => (call.managesSpace ? text('Links and people') : text('Your links'))

const faultHtml = (fault: string | undefined): Html | false =>
  fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`

/** With `document` in the address, that document is chosen. */
export const newLinkPage: Page = {
  route: 'GET /links/new',
  isFor: PEOPLE,
  handle: (call) => newLink(call, linkFormOf(call.query), {}),
}

async function newLink(call: PageCall, form: LinkForm, { fault }: { fault?: string }): Promise<ShownPage> {
  // Where one manages only own links, a link is for oneself.
  const people = call.managesSpace ? (await call.run('participants_list')).items.map(({ name }) => name) : []
  const main = html`${crumbs(call)}
<div class="page"><h1>Make a link</h1>
${faultHtml(fault)}
<form class="edit" method="post" action="${call.href('/links/new')}">${call.tokenField()}${defaultButton('make')}
${await linkFormHtml(call, form, people)}
<div class="acts"><button class="go" name="do" value="make">Make the link</button> <a class="button plain" href="${call.href('/links')}">Cancel</a></div></form></div>`
  return { title: text('Make a link'), main, current: '/links', ...(fault !== undefined && { status: 400, fault }) }
}

export const makeLink: Page = {
  route: 'POST /links/new',
  isFor: PEOPLE,
  async handle(call) {
    const form = linkFormOf(call.form)
    if (call.form.get('do') !== 'make') return newLink(call, form, {})
    return submitForm(
      async () => {
        const { kind, access, isCalendar, expires, participant, name } = form
        const documents = await exposedBy(call, form)
        const { link, secret } = await call.run('links_add', {
          ...{ kind, access, isCalendar, documents },
          name: name !== '' ? name : nameByReach(kind, documents),
          ...(participant !== '' && { participant }),
          ...(expires > 0 && { expiresInDays: expires }),
        })
        return await madeLink(call, link, secret)
      },
      (fault) => newLink(call, form, { fault }),
    )
  },
}

/**
 * A link that was given no name is called by how much it reaches; undefined for links that reach more than documents. A
 * title would show in everything that the link writes, also to those who do not reach its document.
 */
const nameByReach = (kind: LinkEntry['kind'], { length }: readonly string[]): string | undefined =>
  kind === 'selected' && length > 0
    ? count(length, { one: 'Link to {n} document', other: 'Link to {n} documents' })
    : undefined

/** The addresses of a new link, which are shown only once. */
async function madeLink(call: PageCall, link: LinkEntry, secret: string): Promise<ShownPage> {
  const main = html`${crumbs(call)}
<div class="page"><h1>${link.name}</h1>
<p>${reachLabel(link.kind)}. ${accessLabel(link)}.</p>
<div class="notice waits"><p>The link is shown only this once. The space keeps only a hash of its secret, and anyone with one of these addresses can use it.</p></div>
${await linkAddresses(call, secret, link.isCalendar)}
${call.request.isOperator && addressesAbout(call)}
${!link.isCalendar && (await hostForms(call, secret))}
<div class="acts"><a class="button" href="${call.href('/links')}">${listName(call)}</a></div></div>`
  return { title: text('The link'), main, current: '/links' }
}

export const changeLinkPage: Page = {
  route: 'GET /links/:id',
  isFor: PEOPLE,
  handle: async (call) => changeForm(call, await readLink(call), undefined, {}),
}

async function readLink(call: PageCall): Promise<LinkEntry> {
  const { items } = await call.run('links_list')
  const link = items.find((one) => one.id === call.params.id)
  if (link === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such link.')
  return link
}

async function changeForm(
  call: PageCall,
  link: LinkEntry,
  chosen: LinkForm | undefined,
  { fault }: { fault?: string },
): Promise<ShownPage> {
  const { id, name, kind, access, documents = [] } = link
  const form = chosen ?? { ...linkFormOf(new URLSearchParams()), kind, access, documents }
  const main = html`${crumbs(call)}
<div class="page"><h1>${name}</h1>
${faultHtml(fault)}
<form class="edit" method="post" action="${call.href(`/links/${id}`)}">${call.tokenField()}${defaultButton('save')}
${await rightsHtml(call, form)}
<div class="acts"><button class="go" name="do" value="save">Save</button> <a class="button plain" href="${call.href('/links')}">Cancel</a></div></form></div>`
  return { title: name, main, current: '/links', ...(fault !== undefined && { status: 400, fault }) }
}

export const changeLink: Page = {
  route: 'POST /links/:id',
  isFor: PEOPLE,
  async handle(call) {
    const link = await readLink(call)
    const form = linkFormOf(call.form)
    const way = call.form.get('do')
    if (way !== 'save' && way !== 'take') return changeForm(call, link, form, {})
    return submitForm(
      async (): Promise<PageRedirect | ShownPage> => {
        const { kind, access } = form
        const documents = await exposedBy(call, form)
        if (way === 'save' && takesAway(link, { kind, access, documents }))
          return askToTake(call, link, form, documents)
        await call.run('links_update', { linkId: link.id, kind, access, documents })
        return { redirect: '/links?notice=link-changed' }
      },
      (fault) => changeForm(call, link, form, { fault }),
    )
  },
}

/** True if a link reaches less, or may do less, than it did. */
function takesAway(
  { kind, access, documents = [] }: Pick<LinkEntry, 'kind' | 'access' | 'documents'>,
  next: { kind: LinkEntry['kind']; access: LinkEntry['access']; documents: readonly string[] },
): boolean {
  if (!isWithinAccess(access, next.access)) return true
  if (kind !== next.kind) return next.kind !== 'full'
  return documents.some((id) => !next.documents.includes(id))
}

/** Shows what a link would lose, with a button that takes it away. */
async function askToTake(
  call: PageCall,
  link: LinkEntry,
  form: LinkForm,
  documents: readonly string[],
): Promise<ShownPage> {
  const { id, name } = link
  const { kind, access } = form
  const lost = (link.documents ?? []).filter((document) => kind === 'selected' && !documents.includes(document))
  const titles = new Map<string, string>()
  if (lost.length > 0) {
    const { items } = await call.run('documents_list', { documentIds: lost.slice(0, 500), limit: 500 })
    for (const { id, title } of items) titles.set(id, title)
  }
  const main = html`${crumbs(call)}
<div class="page"><h1>Take this away from ${name}?</h1>
<dl class="addresses"><div><dt>Now</dt><dd>${reachLabel(link.kind)}. ${accessLabel(link)}.</dd></div><div><dt>Then</dt><dd>${reachLabel(kind)}. ${accessLabel({ access, isCalendar: link.isCalendar })}.</dd></div></dl>
${lost.length > 0 && html`<p>It no longer reaches ${lost.slice(0, 20).map((one, index) => html`${index > 0 && ', '}<b>${shownTitle(titles.get(one))}</b>`)}${lost.length > 20 && text(' and {n} more', { n: lost.length - 20 })}.</p>`}
<p class="about">This applies from its next call on.</p>
<form class="edit" method="post" action="${call.href(`/links/${id}`)}">${call.tokenField()}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="access" value="${access}">${documents.map((document) => html`<input type="hidden" name="document" value="${document}">`)}
<div class="acts"><button class="danger" name="do" value="take">Take it away</button> <a class="button plain" href="${call.href('/links')}">Cancel</a></div></form></div>`
  return { title: text('Take this away from {name}?', { name }), main, current: '/links' }
}
