/** Groups of members: forms for the person who runs the program. *Members* lists the groups. */
import { ScriptoriumError } from '../../base/errors.ts'
import { HANDLE_LENGTH, NAME_LENGTH, PICTURE_LENGTH } from '../../base/limits.ts'
import { backOf, defaultButton, fieldOf, goTo, hiddenFields, submitForm, textField } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import { addressesAbout, linkAddresses } from '../link-addresses.ts'
import { chosenName, offerMembers } from '../members/member-choices.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import type { MemberGroup, ToolAnswer } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** What the form holds. */
interface GroupFields {
  name: string
  handle: string
  picture: string
  /** The IDs of those who are in it. */
  members: readonly string[]
}

const NEW: GroupFields = { name: '', handle: '', picture: '', members: [] }

const fieldsOf = ({ name, handle = '', picture = '', members }: MemberGroup): GroupFields => ({
  ...{ name, handle, picture },
  members: members.map(({ id }) => id),
})

const givenFields = (call: PageCall): GroupFields => ({
  ...{ name: fieldOf(call, 'name'), handle: fieldOf(call, 'handle'), picture: fieldOf(call, 'picture') },
  members: call.form.getAll('member'),
})

async function readGroup(call: PageCall): Promise<MemberGroup> {
  const { items } = await call.run('groups_list')
  const group = items.find(({ id }) => id === call.params.id)
  if (group === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such group.')
  return group
}

export const newGroupPage: Page = {
  route: 'GET /groups/new',
  isOperatorOnly: true,
  handle: (call) => groupForm(call, undefined, NEW),
}

export const makeGroup: Page = {
  route: 'POST /groups/new',
  isOperatorOnly: true,
  handle(call) {
    const fields = givenFields(call)
    if (call.form.get('do') === 'search') return groupForm(call, undefined, fields)
    return submitForm(
      async (): Promise<PageAnswer> => {
        const { name, handle, picture, members } = fields
        await call.run('groups_add', {
          name,
          ...(handle !== '' && { handle }),
          ...(picture !== '' && { picture }),
          add: [...members],
        })
        return goTo(backOf(call, '/members'), 'saved')
      },
      (fault) => groupForm(call, undefined, fields, fault),
    )
  },
}

export const editGroupPage: Page = {
  route: 'GET /groups/:id',
  isOperatorOnly: true,
  async handle(call) {
    const group = await readGroup(call)
    return groupForm(call, group, fieldsOf(group))
  },
}

export const changeGroup: Page = {
  route: 'POST /groups/:id',
  isOperatorOnly: true,
  async handle(call) {
    const group = await readGroup(call)
    const fields = givenFields(call)
    if (call.form.get('do') === 'search') return groupForm(call, group, fields)
    return submitForm(
      async (): Promise<PageAnswer> => {
        const { links } = await call.run('groups_update', { groupId: group.id, ...changesOf(call, group, fields) })
        return links.length > 0 ? newAddresses(call, links) : goTo(backOf(call, '/members'), 'saved')
      },
      (fault) => groupForm(call, group, fields, fault),
    )
  },
}

/** What was not changed is left out, so that others may change it meanwhile. */
function changesOf(call: PageCall, group: MemberGroup, { name, handle, picture, members }: GroupFields) {
  const shown = call.form.getAll('was')
  const present = new Set(group.members.map(({ id }) => id))
  return {
    ...(name !== '' && name !== group.name && { name }),
    ...(handle !== (group.handle ?? '') && { handle: handle === '' ? null : handle }),
    ...(picture !== (group.picture ?? '') && { picture: picture === '' ? null : picture }),
    add: members.filter((id) => !shown.includes(id)),
    // Somebody else may have taken them out already.
    remove: shown.filter((id) => !members.includes(id) && present.has(id)),
  }
}

export const removeGroup: Page = {
  route: 'POST /groups/:id/remove',
  isOperatorOnly: true,
  async handle(call) {
    await call.run('groups_remove', { groupId: call.params.id ?? '' })
    return goTo('/members', 'group-removed')
  },
}

async function groupForm(
  call: PageCall,
  group: MemberGroup | undefined,
  fields: GroupFields,
  fault?: string,
): Promise<ShownPage> {
  const title = group === undefined ? text('New group') : text('Edit {name}', { name: group.name })
  const back = backOf(call, '/members')
  const was = call.form.has('back') ? call.form.getAll('was') : fields.members
  const main = html`${barHtml([{ href: call.href('/members'), name: text('Members') }])}
<div class="page"><h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href(group === undefined ? '/groups/new' : `/groups/${group.id}`)}">${hiddenFields(call, back)}${defaultButton('save')}
${was.map((id) => html`<input type="hidden" name="was" value="${id}">`)}
${textField(text('Name'), 'name', fields.name, html` required maxlength="${NAME_LENGTH}"`)}
${textField(text('Handle'), 'handle', fields.handle, html` maxlength="${HANDLE_LENGTH + 1}" autocapitalize="none" spellcheck="false" placeholder="reviewers, for @reviewers"`)}
${textField(text('Picture'), 'picture', fields.picture, html` maxlength="${PICTURE_LENGTH}" placeholder="An emoji, or up to three letters"`)}
<fieldset><legend>Who is in it</legend>${await memberChoices(call, group, fields.members)}</fieldset>
<p class="about">A mention of the group reaches each of them, and what is given to it is given to all.</p>
<div class="acts"><button class="go" name="do" value="save">${group === undefined ? text('Make the group') : text('Save')}</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form>
${group !== undefined && removalHtml(call, group)}</div>`
  return { title, main, current: '/members', ...(fault !== undefined && { status: 400, fault }) }
}

/** People and agents, those in the group first. A group is not in another. */
async function memberChoices(call: PageCall, group: MemberGroup | undefined, chosen: readonly string[]): Promise<Html> {
  const { items, search } = await offerMembers(call, 'q', text('Who is in it'))
  const offered = new Map(items.filter(({ kind }) => kind !== 'group').map(({ id, name }) => [id, name]))
  const known = new Map(group?.members.map(({ id, name }) => [id, name]))
  const others: [id: string, name: string][] = []
  for (const id of chosen) if (!offered.has(id)) others.push([id, known.get(id) ?? (await chosenName(call, id))])
  const isChosen = new Set(chosen)
  const choices = [...others, ...offered].toSorted(([one], [other]) => +isChosen.has(other) - +isChosen.has(one))
  return html`${choices.map(
    ([id, name]) =>
      html`<label class="choice"><input type="checkbox" name="member" value="${id}"${isChosen.has(id) && html` checked`}><span>${name}</span></label>`,
  )}${search}`
}

const removalHtml = (call: PageCall, { id, name }: MemberGroup): Html =>
  html`<div class="apart"><details class="reject"><summary class="button plain">Remove the group…</summary><form method="post" action="${call.href(`/groups/${id}/remove`)}">${call.tokenField()}<p>What its members reach by it ends. Texts and tasks keep its name.</p><button>Remove ${name}</button></form></details></div>`

/** The addresses of those who joined a group that has links. */
async function newAddresses(call: PageCall, links: ToolAnswer<'groups_update'>['links']): Promise<ShownPage> {
  const shown = await Promise.all(links.map(({ secret }) => linkAddresses(call, secret)))
  const main = html`${barHtml([{ href: call.href('/members'), name: text('Members') }])}
<div class="page"><h1>New addresses</h1>
<div class="notice waits"><p>People who joined the group reach what it reaches, each by an address of their own. It is shown only this once. Anyone who has it can use it.</p></div>
${links.map(({ participant }, index) => html`<h2>${participant}</h2>${shown[index]}`)}
${addressesAbout(call)}
<div class="acts"><a class="button" href="${call.href('/members')}">Members</a></div></div>`
  return { title: text('New addresses'), main, current: '/members' }
}
