/**
 * What another app shares to this one: a page shows it as it would be added to the note of today, and asks. Opening the
 * page changes nothing.
 */

import { ScriptoriumError } from '../../base/errors.ts'
import { SHARED_LENGTH } from '../../base/limits.ts'
import { fieldOf, formPage, goTo, isProposed, submitForm } from '../form-page.ts'
import { html } from '../html.ts'
import { SHARE_PATH } from '../manifest.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { ToolInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** Of a link that has daily notes. */
type Position = NonNullable<ToolInput<'blocks_add'>['position']>

export const sharePage: Page = {
  route: `GET ${SHARE_PATH}`,
  needs: ['blocks_add'],
  effect: 'add',
  async handle(call) {
    const shared = sharedText(call.query)
    // Characters of two code units stay whole.
    const shown =
      shared.length > SHARED_LENGTH ? shared.slice(0, SHARED_LENGTH).replace(/[\uD800-\uDBFF]$/, '') : shared
    return shareForm(call, { shown, missing: shared.length - shown.length })
  },
}

export const addShared: Page = {
  route: `POST ${SHARE_PATH}`,
  needs: ['blocks_add'],
  async handle(call) {
    assertHasNotes(call)
    const shared = fieldOf(call, 'text')
    return submitForm(
      async () => {
        if (shared.length > SHARED_LENGTH)
          throw refused(
            text('That is too long: it has {count} characters, and {most} are possible. Leave some out.', {
              count: call.formats.number(shared.length),
              most: call.formats.number(SHARED_LENGTH),
            }),
          )
        const markdown = markdownOf(shared)
        const answer = await call.run('blocks_add', {
          markdown,
          position: { position: 'end', date: call.formats.today } as Position,
        })
        return goTo('/days/today', isProposed(answer) ? 'proposed' : 'saved')
      },
      (fault) => shareForm(call, { shown: shared, fault }),
    )
  },
}

function assertHasNotes({ kind }: PageCall): void {
  if (kind === 'selected') throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
}

interface Shared {
  shown: string
  /** The number of characters at the end that are not shown. */
  missing?: number
  fault?: string
}

async function shareForm(call: PageCall, { shown, missing = 0, fault }: Shared): Promise<ShownPage> {
  assertHasNotes(call)
  const { formats } = call
  return formPage(call, {
    title: text('Add to today’s note'),
    action: SHARE_PATH,
    fields: html`<p class="about">This would stand at the end of the note of ${formats.longDay(formats.today)}, each line as a block.</p>
${missing > 0 && html`<p class="notice" role="note">${text('The end of what was shared is missing here, since it is too much at once. Missing characters: {length}.', { length: formats.number(missing) })}</p>`}
<label>Text <textarea name="text" dir="auto" rows="8" maxlength="${SHARED_LENGTH}" required autofocus>${shown}</textarea></label>`,
    submit: text('Add it'),
    back: '/days/today',
    fault,
  })
}

/** Apps put an address into either of two fields, and the title often into the text as well. */
function sharedText(query: URLSearchParams): string {
  const [title = '', words = '', url = ''] = ['title', 'text', 'url'].map((name) => (query.get(name) ?? '').trim())
  const lines = [words.includes(title) ? '' : title, words, words.includes(url) ? '' : url]
  return lines.filter((line) => line !== '').join('\n')
}

const ADDRESS = /^https?:\/\/[^\s<>"\\]+$/
/** Backslashes make text of all signs of Markdown. */
const plain = (line: string): string => line.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Each line as a block of plain text. An address that has a line of its own is a link. */
const markdownOf = (shared: string): string =>
  shared
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (ADDRESS.test(line) ? `[${plain(line)}](<${line}>)` : plain(line)))
    .join('\n\n')
