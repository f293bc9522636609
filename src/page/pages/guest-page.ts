/** The name of a guest: somebody who opens the pages with a link that only comments, and is no participant. */

import { ScriptoriumError } from '../../base/errors.ts'
import { NAME_LENGTH } from '../../base/limits.ts'
import { backOf, formPage, textField } from '../form-page.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

/** The server answers forms that are sent here, since the name is in the cookie of the session. */
export const GUEST_PATH = '/name'

/** True for a guest who has to give a name before commenting. */
export const awaitsName = ({ request: { caller } }: PageCall): boolean =>
  caller.link.isGuest === true && !isNamed(caller.link)

const isNamed = ({ access }: PageCall['request']['caller']['link']): boolean => access === 'comment'

export const guestPage: Page = {
  route: `GET ${GUEST_PATH}`,
  async handle(call) {
    const { link } = call.request.caller
    if (!link.isGuest) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
    return formPage(call, {
      title: text('Your name'),
      action: GUEST_PATH,
      fields: html`<p class="about">It stands beside what you comment, with the word "guest".</p>
${textField(text('Name'), 'name', isNamed(link) ? link.author.replace(/ \(guest\)$/, '') : '', html` maxlength="${NAME_LENGTH}" required autofocus`)}`,
      submit: text('Save'),
      back: backOf(call, '/'),
    })
  },
}
