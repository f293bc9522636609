/** Shows forms that waited for the server, and that it then refused, for copying. */
import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import { changeOf } from './left-behind.ts'
import { noticeElement } from './left-behind-notice.ts'
import { FORMS, onUnseenRefusal } from './sent-forms.ts'

const about = (count: string) =>
  text('{count} of yours could not be saved. Copy what you need, and make it again.', { count })

export function showRefusedForms(): void {
  let shown: HTMLElement | undefined
  const show = async () => {
    const refused = await calls.refused(FORMS)
    if (refused.length === 0) return
    const changes = refused.map((call) => ({ ...changeOf(call, false), reason: call.error.message }))
    const fresh = noticeElement(changes, { about, isFolded: false }, async () => {
      for (const { order } of refused) await calls.forgetRefused(order)
    })
    if (shown?.isConnected) shown.replaceWith(fresh)
    else document.getElementById('main')?.prepend(fresh)
    shown = fresh
  }
  onUnseenRefusal(calls, () => inBackground(show))
  inBackground(show)
}
