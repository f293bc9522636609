/** Begins the note of a day that has none. */

import { ScriptoriumError } from '../../base/errors.ts'
import { SHARED_LENGTH } from '../../base/limits.ts'
import { isDay } from '../collections/month-weeks.ts'
import { daysAroundHtml } from '../documents/document-bar.ts'
import { fieldOf, goTo, hiddenFields, isProposed, submitForm } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { ToolInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** A day without a note has the place for its first words. */
export function noNote(call: PageCall, date: string, typed = '', fault?: string): ShownPage {
  const title = call.formats.longDay(date)
  const main = html`${barHtml([{ href: call.href('/days'), name: text('Daily notes') }], daysAroundHtml(call, date))}
<div class="page"><h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<p class="empty">No note for this day. It begins with the first words that are written into it.</p>
${
  call.has('blocks_add') &&
  call.may('add') &&
  html`<form class="edit" method="post" action="${call.href(`/days/${date}`)}">${hiddenFields(call, `/days/${date}`)}
<label>First words <textarea name="text" dir="auto" rows="3" maxlength="${SHARED_LENGTH}" required autofocus>${typed}</textarea></label>
<div class="acts"><button class="go">Begin the note</button></div></form>`
}</div>`
  return { title, main, ...(fault !== undefined && { status: 400, fault }) }
}

export const beginNote: Page = {
  route: 'POST /days/:date',
  needs: ['blocks_add'],
  async handle(call) {
    const date = call.params.date ?? ''
    if (!isDay(date) || call.kind === 'selected') throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such day.')
    const words = fieldOf(call, 'text')
    return submitForm(
      async () => {
        if (words.length > SHARED_LENGTH)
          throw refused(
            text('That is too long: it has {count} characters, and {most} are possible. Leave some out.', {
              count: call.formats.number(words.length),
              most: call.formats.number(SHARED_LENGTH),
            }),
          )
        const position = { position: 'end', date } as NonNullable<ToolInput<'blocks_add'>['position']>
        const answer = await call.run('blocks_add', { markdown: words, position })
        // The caret goes below the words. See edit.ts.
        return isProposed(answer) ? goTo(`/days/${date}`, 'proposed') : goTo(`/days/${date}#write`)
      },
      async (fault) => noNote(call, date, words, fault),
    )
  },
}
