/** The settings of the space, on the page of links and people. Only for the person who runs the program. */
import { ScriptoriumError } from '../../base/errors.ts'
import { WEEK_STARTS } from '../../space/model/weekdays.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { pageLocale } from '../texts/language.ts'
import { text } from '../texts/text.ts'

// 2024-01-01 was a Monday.
const weekdayName = (index: number): string =>
  new Intl.DateTimeFormat([...pageLocale().locales], { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, index + 1, 12),
  )

/** The form for the name, the time zone, and when weeks begin. */
export async function settingsHtml(call: PageCall): Promise<Html> {
  const { name, timezone, weekStart } = await call.run('settings_get')
  // Some runtimes leave out names that they accept, such as UTC.
  const zones = [...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
  return html`<p class="about">The time zone decides when a day begins: for daily notes, for dates of tasks, and for today. Stored dates and times of reminders stay as they are.</p>
<form class="edit" method="post" action="${call.href('/settings')}">${call.tokenField()}
<label>Name of the space <input type="text" name="name" value="${name}" required></label>
<label>Time zone <select name="timezone">${zones.map((zone) => html`<option${zone === timezone && html` selected`}>${zone}</option>`)}</select></label>
<label>Weeks begin on <select name="weekStart">${WEEK_STARTS.map((day) => html`<option value="${day}"${day === weekStart && html` selected`}>${day === 'language' ? text('the day of each reader’s language') : weekdayName(WEEK_STARTS.indexOf(day))}</option>`)}</select></label>
<div class="acts"><button>Save settings</button></div></form>`
}

export const saveSettings: Page = {
  route: 'POST /settings',
  isOperatorOnly: true,
  async handle(call) {
    const [name, timezone] = [call.form.get('name') ?? undefined, call.form.get('timezone') ?? undefined]
    const weekStart = WEEK_STARTS.find((day) => day === call.form.get('weekStart'))
    try {
      await call.run('settings_update', { name, timezone, weekStart })
      return { redirect: '/links' }
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.status >= 500) throw error
      const main = html`<div class="page"><h1>Settings</h1><p class="notice" role="alert">${error.message}</p><div class="acts"><a class="button" href="${call.href('/links')}">Back</a></div></div>`
      return { title: text('Settings'), main, current: '/links', status: 400, fault: error.message }
    }
  },
}
