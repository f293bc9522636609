/** People of a space: who takes part, how they sign in, inviting them, and the most that they may do. */
import { NAME_LENGTH } from '../../base/limits.ts'
import { ACCESS_LEVELS } from '../../space/model/space.ts'
import { chosenOf, fieldOf, formLink, formPage, goTo, selectField, submitForm, textField } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import { valuesToCopy } from '../link-addresses.ts'
import { ACCESS_LABELS, grantable } from '../link-form.ts'
import { memberName } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { PersonEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** The people, on the page of links. */
export async function peopleHtml(call: PageCall): Promise<Html> {
  const { items } = await call.run('participants_list')
  return html`<h2>People</h2>
<div class="acts">${formLink(call, '/people/new', text('Invite a person…'))}</div>
<ul class="access">${items.map((person) => personHtml(call, person))}</ul>`
}

function personHtml(call: PageCall, person: PersonEntry): Html {
  const { id, name, since, signsInAs = [], hasPassword, access } = person
  const ways = [
    ...(hasPassword ? [text('with a password here')] : []),
    ...signsInAs.map(({ issuer }) => text('at {issuer}', { issuer })),
  ]
  return html`<li><div>${memberName(person)}<p>${ways.length === 0 ? text('Does not sign in.') : text('Signs in {ways}.', { ways: ways.join(text(' and ')) })}${access !== undefined && html` At most: ${text(ACCESS_LABELS[access])}.`}</p><small>Since ${call.formats.moment(since)}</small></div>
${
  call.request.isOperator &&
  html`<div class="acts">${formLink(call, `/people/${id}`, text('Change…'), { label: text('Change {name}…', { name }) })}<details class="reject"><summary class="button plain" aria-label="Remove ${name}…">Remove…</summary><form method="post" action="${call.href(`/people/${id}/remove`)}">${call.tokenField()}<p>They can no longer sign in, and the links that they made end. What they wrote stays.</p><button>Remove ${name}</button></form></details></div>`
}</li>
`
}

const accessField = (call: PageCall, access: string): Html =>
  selectField(
    text('What this person may do at most'),
    'access',
    access,
    grantable(call).map((level) => ({ value: level, label: text(ACCESS_LABELS[level]) })),
  )

export const invitePage: Page = {
  route: 'GET /people/new',
  isFor: ['operator', 'all'],
  handle: async (call) => inviteForm(call, {}),
}

function inviteForm(call: PageCall, { fault }: { fault?: string }): ShownPage {
  const main = html`${barHtml([{ href: call.href('/links'), name: text('Links and people') }])}
<div class="page"><h1>Invite a person</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href('/people/new')}">${call.tokenField()}
${textField(text('Name'), 'name', fieldOf(call, 'name'), html` required maxlength="${NAME_LENGTH}"`)}
${accessField(call, fieldOf(call, 'access') || 'full')}
<p class="about">They sign in with this name and a password that you get once the form is sent. A server that runs with <code>scriptorium serve --oauth</code> asks for both.</p>
<div class="acts"><button class="go" name="do" value="invite">Invite</button> <a class="button plain" href="${call.href('/links')}" data-close>Cancel</a></div></form></div>`
  return { title: text('Invite a person'), main, current: '/links', ...(fault !== undefined && { status: 400, fault }) }
}

export const invitePerson: Page = {
  route: 'POST /people/new',
  isFor: ['operator', 'all'],
  handle: (call) =>
    submitForm(
      async () => {
        const access = chosenOf(call.form, 'access', ACCESS_LEVELS) ?? 'full'
        const { participant, password } = await call.run('participants_add', { name: fieldOf(call, 'name'), access })
        return await invited(call, participant, password)
      },
      async (fault) => inviteForm(call, { fault }),
    ),
}

/** The password of a person who was invited, which is shown only once. */
async function invited(call: PageCall, { name, access = 'full' }: PersonEntry, password: string): Promise<ShownPage> {
  const main = html`${barHtml([{ href: call.href('/links'), name: text('Links and people') }])}
<div class="page"><h1>${name}</h1>
<p>${ACCESS_LABELS[access]}.</p>
<div class="notice waits"><p>The password is shown only this once. The space keeps only a hash of it. Give it only to ${name}.</p></div>
${await valuesToCopy(call, [
  [text('Address'), `${call.request.origin}${call.request.base}/sign-in`],
  [text('Name'), name],
  [text('Password'), password],
])}
<p class="about">The address answers on a server that runs with <code>scriptorium serve --oauth</code>.</p>
<div class="acts"><a class="button" href="${call.href('/links')}">Links and people</a></div></div>`
  return { title: name, main, current: '/links' }
}

async function readPerson(call: PageCall): Promise<PersonEntry | undefined> {
  const { items } = await call.run('participants_list')
  return items.find(({ id }) => id === call.params.id)
}

export const changePersonPage: Page = {
  route: 'GET /people/:id',
  isOperatorOnly: true,
  handle: async (call) => personForm(call, await readPerson(call), undefined),
}

function personForm(call: PageCall, person: PersonEntry | undefined, fault: string | undefined): ShownPage {
  const { id = '', name = '', access = 'full' } = person ?? {}
  return formPage(call, {
    title: name,
    action: `/people/${id}`,
    fields: html`${accessField(call, access)}
<p class="about">This applies to everything they do from now on: when they sign in, over links that are theirs, and over links that they made for others.</p>`,
    submit: text('Save'),
    back: '/links',
    fault,
    current: '/links',
  })
}

export const changePerson: Page = {
  route: 'POST /people/:id',
  isOperatorOnly: true,
  handle: (call) =>
    submitForm(
      async () => {
        const access = chosenOf(call.form, 'access', ACCESS_LEVELS) ?? 'full'
        await call.run('participants_update', { participantId: call.params.id ?? '', access })
        return goTo('/links', 'person-changed')
      },
      async (fault) => personForm(call, await readPerson(call), fault),
    ),
}
