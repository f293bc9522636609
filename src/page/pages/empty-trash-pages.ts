/** Emptying the trash for good, after typing a word. For people who may do everything, never for a link. */

import { countRequest } from '../../call/run.ts'
import { logAdministration } from '../../space/model/audit-log.ts'
import { emptyTrash } from '../../space/trash.ts'
import { fieldOf, goTo, submitForm } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import { text } from '../texts/text.ts'

const PEOPLE = ['operator', 'all'] as const

/** What has to be typed. */
const WORD = 'empty'

export const emptyTrashPage: Page = {
  route: 'GET /trash/empty',
  isFor: PEOPLE,
  handle: (call) => emptyForm(call, undefined),
}

async function emptyForm(call: PageCall, fault: string | undefined): Promise<ShownPage> {
  const { items, pagination } = await call.run('documents_list', { location: 'trash', limit: 1 })
  const count = items.length + (pagination?.remaining ?? 0)
  const what =
    count === 1
      ? html`This deletes the document in the trash for good, with all that it holds, its history, and proposals for it. No undo brings it back.`
      : html`This deletes all ${call.formats.number(count)} documents in the trash for good, with all that they hold, their history, and proposals for them. No undo brings them back.`
  const main = html`${barHtml([{ href: call.href('/trash'), name: text('Trash') }])}
<div class="page"><h1>Empty the trash?</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${
  count === 0
    ? html`<p class="empty">There is nothing in the trash.</p>
<div class="acts"><a class="button" href="${call.href('/trash')}">Trash</a></div>`
    : html`<p>${what}</p>
<p class="about">What is moved to the trash from now on stays. Backups still have what was deleted, and the file of the space does until <code>scriptorium compact</code> overwrites it.</p>
<form class="edit" method="post" action="${call.href('/trash/empty')}">${call.tokenField()}<input type="hidden" name="before" value="${call.request.now + 1}">
<label>Type “${WORD}” to go on <input type="text" name="word" value="" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
<div class="acts"><button class="danger" name="do" value="empty">Empty the trash</button> <a class="button plain" href="${call.href('/trash')}">Cancel</a></div></form>`
}</div>`
  return {
    title: text('Empty the trash?'),
    main,
    current: '/trash',
    ...(fault !== undefined && { status: 400, fault }),
  }
}

export const emptyTrashNow: Page = {
  route: 'POST /trash/empty',
  isFor: PEOPLE,
  handle: (call) =>
    submitForm(
      async () => {
        const word = fieldOf(call, 'word').toLowerCase()
        if (word !== WORD) {
          throw refused(
            text('Expected the word {word}, found {found}; nothing was deleted.', {
              word: WORD,
              found: JSON.stringify(word.slice(0, 40)),
            }),
          )
        }
        // Only what the form was about. A form without its time is about nothing.
        const before = Math.min(Number(call.form.get('before') ?? 0), call.request.now + 1)
        if (!(before > 0)) throw refused(text('Expected a time, found none; open the page again.'))
        await countRequest(call.request.caller)
        const { space, link } = call.request.caller
        const { documents } = await emptyTrash(
          space,
          before,
          (view, ids) => logAdministration(view, 'trash_empty', ids, { before: new Date(before).toISOString() }),
          link,
        )
        await space.deleteUnusedFiles()
        return goTo('/trash', documents.length > 0 ? 'trash-emptied' : 'trash-was-empty')
      },
      (fault) => emptyForm(call, fault),
    ),
}
