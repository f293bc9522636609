/** The members to choose from, as the value of a property or as who does a task. */

import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { membersIn } from '../collections/collection-values.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { MemberEntry, PropertyEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** Members that fit a query, and a field for another one if there are more than are listed. */
export interface OfferedMembers {
  items: readonly MemberEntry[]
  search: Html | false
}

/** @param field  the name of the field with the query */
export async function offerMembers(call: PageCall, field: string, label: string): Promise<OfferedMembers> {
  const query = (call.form.get(field) ?? '').trim().slice(0, PAGE_QUERY_LENGTH)
  const { items, more = 0 } = await call.run('members_list', query === '' ? {} : { query })
  const search =
    (more > 0 || query !== '') &&
    html`${items.length === 0 && html`<p class="empty">No member has this name.</p>`}
<div class="search"><input type="search" dir="auto" name="${field}" value="${query}" maxlength="${PAGE_QUERY_LENGTH}" aria-label="${label}: a name or handle" placeholder="${more > 0 ? text('{more} more: a name or handle', { more: call.formats.number(more) }) : text('A name or handle')}"><button name="do" value="search" formnovalidate>Find</button></div>`
  return { items, search }
}

/**
 * The name of a member that is chosen but not offered.
 *
 * @param name  as it stands in the value, for one that was removed since
 */
export async function chosenName(call: PageCall, memberId: string, name = memberId): Promise<string> {
  const { items } = await call.run('members_list', { memberId })
  return items[0]?.name ?? text('{name}, who left', { name })
}

/** The members whom the connection knows, those of the value first if they are not among those offered. */
export async function readMemberChoices(call: PageCall, { key, name }: PropertyEntry, value: unknown): Promise<Html> {
  const { items, search } = await offerMembers(call, `q.${key}`, name)
  const chosen = new Set(membersIn(value).map(({ memberId }) => memberId))
  const offered = new Set(items.map(({ id }) => id))
  const others: { id: string; name: string }[] = []
  for (const { memberId: id, name = id } of membersIn(value)) {
    if (!offered.has(id)) others.push({ id, name: await chosenName(call, id, name) })
  }
  return html`${[...others, ...items].map(
    ({ id, name }) =>
      html`<label class="choice"><input type="checkbox" name="v.${key}" value="${id}"${chosen.has(id) && html` checked`}><span>${name}</span></label>`,
  )}${search}`
}
