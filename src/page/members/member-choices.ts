/** The members to choose from as the value of a property. */

import { membersIn } from '../collections/collection-values.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry } from '../page-tools.ts'

/** All members whom the connection knows, up to the maximum of an answer, with those of the value chosen. */
export async function readMemberChoices(call: PageCall, { key }: PropertyEntry, value: unknown): Promise<Html> {
  const { members } = await call.run('connection_get')
  const chosen = new Set(membersIn(value).map(({ memberId }) => memberId))
  const listed = new Set(members.map(({ id }) => id))
  // Those who were removed stay a value until somebody takes them out.
  const others = membersIn(value)
    .filter(({ memberId }) => !listed.has(memberId))
    .map(({ memberId: id, name = id }) => ({ id, name: `${name}, who left` }))
  return html`${[...members, ...others].map(
    ({ id, name }) =>
      html`<label class="choice"><input type="checkbox" name="v.${key}" value="${id}"${chosen.has(id) && html` checked`}><span>${name}</span></label>`,
  )}`
}
