/** Activity: what waits and what happens, as the panel of a page, or as a page without scripts. */

import { activityParts, panelHtml, readActivity } from '../frame/activity.ts'
import { html } from '../html.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

export const activityPage: Page = {
  route: 'GET /activity',
  async handle(call) {
    const parts = await activityParts(call, await readActivity(call), {})
    if (call.request.request.headers.has('hx-request')) return { fragment: panelHtml(call, parts) }
    const main = html`<div class="page"><h1>Activity</h1>${parts}</div>`
    return {
      title: text('Activity'),
      main,
      current: '/activity',
      showsCalls: true,
      showsWaiting: true,
      styles: ['activity.css'],
    }
  },
}
