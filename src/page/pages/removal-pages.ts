/** Revokes links and removes people, and asks what becomes of the work that they have open. */

import { UNDECIDED } from '../../auth/access-links/ended-members.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { formPage, goTo, selectField } from '../form-page.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageRedirect, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

/** What becomes of open work; empty before the person was asked. */
interface Decision {
  giveTo?: string
  keepsWork?: true
}

interface Removal {
  /** The path of its form, below the base address. */
  action: string
  /** The label of the button. */
  submit: string
  notice: string
  /** The name of the one who is removed. */
  name(): Promise<string | undefined>
  run(decision: Decision): Promise<unknown>
}

export const revokeLink: Page = {
  route: 'POST /links/:id/revoke',
  isFor: ['operator', 'all', 'own'],
  handle(call) {
    const { id = '' } = call.params
    return remove(call, {
      ...{ action: `/links/${id}/revoke`, submit: text('Revoke the link'), notice: 'link-revoked' },
      name: async () => (await call.run('links_list')).items.find((link) => link.id === id)?.name,
      run: (decision) => call.run('links_revoke', { linkId: id, ...decision }),
    })
  },
}

export const removePerson: Page = {
  route: 'POST /people/:id/remove',
  isOperatorOnly: true,
  handle(call) {
    const { id = '' } = call.params
    return remove(call, {
      ...{ action: `/people/${id}/remove`, submit: text('Remove them'), notice: 'person-removed' },
      name: async () => (await call.run('participants_list')).items.find((person) => person.id === id)?.name,
      run: (decision) => call.run('participants_remove', { participantId: id, ...decision }),
    })
  },
}

async function remove(call: PageCall, removal: Removal): Promise<PageRedirect | ShownPage> {
  const giveTo = call.form.get('giveTo')
  try {
    await removal.run(giveTo === null ? {} : giveTo === '' ? { keepsWork: true } : { giveTo })
    return goTo('/links', removal.notice)
  } catch (error) {
    const undecided = error instanceof ScriptoriumError && error.details.find(({ path }) => path === UNDECIDED)
    if (!undecided) throw error
    return askForDecision(call, removal, undecided.message)
  }
}

/** @param work  such as `3 open tasks and 1 claim` */
async function askForDecision(call: PageCall, removal: Removal, work: string): Promise<ShownPage> {
  const { members } = await call.run('connection_get')
  const choices = members.map(({ id, name, handle }) => ({
    value: id,
    label: handle === undefined ? name : `${name} @${handle}`,
  }))
  return formPage(call, {
    title: text('What becomes of the work of {name}?', { name: (await removal.name()) ?? '' }),
    action: removal.action,
    fields: html`<p>There is still ${work}.</p>
${selectField(text('Give it to'), 'giveTo', '', [{ value: '', label: text('no one: it stays with the name') }, ...choices])}
<p class="about">The one who gets it is notified. Claims end, and a comment under each mention names who is to answer. History has it as one call, which can be undone.</p>`,
    submit: removal.submit,
    back: '/links',
    current: '/links',
  })
}
