/** Members: people, agents and groups, what agents are doing, and forms for handles and pictures. */
import { ScriptoriumError } from '../../base/errors.ts'
import { HANDLE_LENGTH, NAME_LENGTH, PAGE_QUERY_LENGTH, PICTURE_LENGTH } from '../../base/limits.ts'
import { backOf, fieldOf, formLink, formPage, goTo, submitForm, textField } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { loadedAgain, memberName, readMembers, stateHtml } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { MemberEntry, MemberGroup } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

export const membersPage: Page = {
  route: 'GET /members',
  async handle(call) {
    const query = (call.query.get('q') ?? '').trim().slice(0, PAGE_QUERY_LENGTH)
    const { items, more = 0 } = await readMembers(call, query === '' ? {} : { query })
    const groups = await readGroups(call)
    const main = html`<div class="page"><h1>Members</h1>
<p class="about">People and agents who can be given work, named with <b>@</b> and asked.${call.kind !== 'full' && text(' You see those who take part in what this link reaches.')}</p>
<form class="search" role="search" method="get" action="${call.href('/members')}"><input type="search" dir="auto" name="q" value="${query}" maxlength="${PAGE_QUERY_LENGTH}" aria-label="Name or handle" placeholder="Name or handle"><button>Find</button></form>
${call.request.isOperator && html`<div class="acts">${formLink(call, '/groups/new', text('New group…'))}</div>`}
<div${loadedAgain(call, 'members')}>${
      items.length === 0
        ? html`<p class="empty" role="status">${query === '' ? text('Members show up here once they write, comment or are given work.') : text('No member has this name.')}</p>`
        : html`<ul class="access members">${items.map((member) => memberHtml(call, member, groups.get(member.id)))}</ul>`
    }${more > 0 && html`<p class="about">And ${call.formats.number(more)} more: find them by their names.</p>`}</div></div>`
    return { title: text('Members'), main, current: '/members' }
  },
}

const KINDS: Readonly<Record<MemberEntry['kind'], TextKey>> = {
  person: textKey('Person'),
  agent: textKey('Agent'),
  group: textKey('Group'),
}

/** The groups by their IDs. Only the person who runs the program sees who is in them. */
async function readGroups(call: PageCall): Promise<ReadonlyMap<string, MemberGroup>> {
  const { items } = call.request.isOperator ? await call.run('groups_list') : { items: [] }
  return new Map(items.map((group) => [group.id, group]))
}

/** How many members of a group are named in the list. */
const SHOWN_NAMES = 8

function membersOf(call: PageCall, { members }: MemberGroup): string {
  if (members.length === 0) return text('no one is in it')
  const names = members.slice(0, SHOWN_NAMES).map(({ name }) => name)
  const more = members.length - names.length
  return [...names, ...(more > 0 ? [text('and {more} more', { more: call.formats.number(more) })] : [])].join(', ')
}

/** @param group  who is in it, if it is a group */
function memberHtml(call: PageCall, member: MemberEntry, group?: MemberGroup): Html {
  const { id, kind, name, isOwn, state, linkId } = member
  const form = group === undefined ? `/members/${id}/edit` : `/groups/${id}`
  return html`<li id="member-${id}"><div>${memberName(member)}${isOwn && html` <span class="tag">you</span>`}
<small>${KINDS[kind]}${state && html` · ${stateHtml(call, state, linkId)}`}${group !== undefined && html` · ${shownText(membersOf(call, group))}`}</small></div>
${mayChange(call, member) && html`<div class="acts">${formLink(call, form, text('Edit…'), { label: text('Edit {name}', { name }) })}</div>`}</li>
`
}

/** The person who runs the program changes all members, and people who signed in their own. */
const mayChange = ({ request }: PageCall, { isOwn }: MemberEntry): boolean =>
  request.isOperator || (isOwn === true && request.caller.link.isSignedIn === true)

async function readMember(call: PageCall): Promise<MemberEntry> {
  const { id } = call.params
  const { items } = await call.run('members_list', { memberId: id ?? '' })
  const [member] = items
  if (member === undefined || !mayChange(call, member)) {
    throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such member.')
  }
  return member
}

export const editMemberPage: Page = {
  route: 'GET /members/:id/edit',
  async handle(call) {
    const member = await readMember(call)
    return memberForm(call, member, member)
  },
}

type MemberFields = Pick<MemberEntry, 'name' | 'handle' | 'picture'>

function memberForm(call: PageCall, { id, name }: MemberEntry, fields: MemberFields, fault?: string): ShownPage {
  const { handle = '', picture = '' } = fields
  return formPage(call, {
    title: text('Edit {name}', { name }),
    action: `/members/${id}/edit`,
    fields: html`${call.request.isOperator && textField(text('Name'), 'name', fields.name, html` required maxlength="${NAME_LENGTH}"`)}
${textField(text('Handle'), 'handle', handle, html` maxlength="${HANDLE_LENGTH + 1}" autocapitalize="none" spellcheck="false" placeholder="anna, for @anna"`)}
${textField(text('Picture'), 'picture', picture, html` maxlength="${PICTURE_LENGTH}" placeholder="An emoji, or up to three letters"`)}
${call.request.isOperator && html`<p class="about">What was written under another name keeps that name.</p>`}`,
    submit: text('Save'),
    back: backOf(call, '/members'),
    fault,
    current: '/members',
  })
}

export const changeMember: Page = {
  route: 'POST /members/:id/edit',
  async handle(call) {
    const member = await readMember(call)
    const [name, handle, picture] = [fieldOf(call, 'name'), fieldOf(call, 'handle'), fieldOf(call, 'picture')]
    return submitForm(
      async () => {
        await call.run('members_update', {
          memberId: member.id,
          ...(name !== '' && name !== member.name && { name }),
          // What was not changed is left out, so that others may change it meanwhile.
          ...(handle !== (member.handle ?? '') && { handle: handle === '' ? null : handle }),
          ...(picture !== (member.picture ?? '') && { picture: picture === '' ? null : picture }),
        })
        return goTo(backOf(call, '/members'), 'saved')
      },
      async (fault) => memberForm(call, member, { name: name || member.name, handle, picture }, fault),
    )
  },
}
