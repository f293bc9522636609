/** The settings of the space, its backups, and what it stores. For people who may do everything, never for a link. */
import { isDatabaseAddress } from '../../../storage/postgres/address.ts'
import type { Remaining } from '../../call/rate-limiter.ts'
import { WEEK_STARTS } from '../../space/model/weekdays.ts'
import { formLink, goTo, selectField, submitForm } from '../form-page.ts'
import { storageHtml } from '../frame/storage-notice.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { ToolAnswer } from '../page-tools.ts'
import { chosenLanguage, LANGUAGES as PAGE_LANGUAGES, pageLocale } from '../texts/language.ts'
import { count, text } from '../texts/text.ts'
import { AS_BROWSER, LANGUAGE_PATH } from './language-page.ts'
import { PASSWORD_PATH } from './password-page.ts'

// 2024-01-01 was a Monday.
const weekdayName = (index: number): string =>
  new Intl.DateTimeFormat([...pageLocale().locales], { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, index + 1, 12),
  )

const PEOPLE = ['operator', 'all'] as const

export const settingsPage: Page = {
  route: 'GET /settings',
  isFor: PEOPLE,
  handle: (call) => shownSettings(call, undefined),
}

async function shownSettings(call: PageCall, fault: string | undefined): Promise<ShownPage> {
  const stored = await call.request.caller.space.storedBytes()
  const main = html`<div class="page"><h1>Settings</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${settingsForm(call, await call.run('settings_get'))}
${
  call.request.changePassword !== undefined &&
  html`<h2>Your password</h2>
<div class="acts">${formLink(call, PASSWORD_PATH, text('Change your password…'))}</div>`
}
<h2>Language of the pages</h2>
${languageForm(call)}
<h2>Backups</h2>
${backupsHtml(call)}
<h2>Storage</h2>
${storageHtml(call, stored.space)}
<h2>Limits</h2>
${limitsHtml(call, (await call.request.agentLimits?.remaining()) ?? {})}</div>`
  return { title: text('Settings'), main, current: '/settings', ...(fault !== undefined && { status: 400, fault }) }
}

/** Languages that are offered. Others are set on the command line. */
const LANGUAGES = [
  'en-US',
  'en-GB',
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt-BR',
  'pt-PT',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-CN',
]

type Settings = ToolAnswer<'settings_get'>

/** What the form showed is sent with it, so that it does not overwrite what others changed meanwhile. */
function settingsForm(call: PageCall, settings: Settings): Html {
  const { name, timezone, weekStart, dateLanguage } = settings
  // Some runtimes leave out names that they accept, such as UTC.
  const zones = [...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
  const languages = [...new Set([...(dateLanguage === '' ? [] : [dateLanguage]), ...LANGUAGES])]
  const names = new Intl.DisplayNames([...pageLocale().locales], { type: 'language' })
  return html`<p class="about">The time zone decides when a day begins: for daily notes, for dates of tasks, and for today. Stored dates and times of reminders stay as they are.</p>
<form class="edit" method="post" action="${call.href('/settings')}">${call.tokenField()}${Object.entries(settings).map(
    ([key, value]) => html`<input type="hidden" name="seen.${key}" value="${value}">`,
  )}
<label>Name of the space <input type="text" dir="auto" name="name" value="${name}" required></label>
<label>Time zone <select name="timezone">${zones.map((zone) => html`<option${zone === timezone && html` selected`}>${zone}</option>`)}</select></label>
${selectField(
  text('Weeks begin on'),
  'weekStart',
  weekStart,
  WEEK_STARTS.map((day) => ({
    value: day,
    label: day === 'language' ? text('the day of each reader’s language') : weekdayName(WEEK_STARTS.indexOf(day)),
  })),
)}${selectField(text('Dates and numbers are written as in'), 'dateLanguage', dateLanguage, [
  { value: '', label: text('the language of each reader') },
  ...languages.map((language) => ({ value: language, label: names.of(language) ?? language })),
])}
<div class="acts"><button class="go" name="do" value="save">Save settings</button></div></form>`
}

/** The language of this browser: that of the space is that of its dates alone. */
function languageForm(call: PageCall): Html {
  const chosen = chosenLanguage(call.request.request.headers)
  return html`<p class="about">In this browser alone. The fields in which the browser lets dates be picked are in its own language.</p>
<form class="edit" method="post" action="${call.href(LANGUAGE_PATH)}">${call.tokenField()}${selectField(
    text('Language'),
    'language',
    chosen ?? AS_BROWSER,
    [
      { value: AS_BROWSER, label: text('As the browser says') },
      ...Object.entries(PAGE_LANGUAGES).map(([value, label]) => ({ value, label })),
    ],
  )}
<div class="acts"><button>Save the language</button></div></form>`
}

/** When the last backup was made, where the server makes them, or how to have some. */
function backupsHtml(call: PageCall): Html {
  const { space } = call.request.caller
  if (isDatabaseAddress(space.file)) {
    return html`<p class="about">The space is in a database, which is backed up as databases are, with its files.</p>`
  }
  const backups = call.request.backupsOf?.(space.file)
  if (backups === undefined) {
    return html`<p class="about">This server makes no backups. <code>scriptorium serve --backup-to FOLDER --every 24h --keep 7</code> makes them by itself, and <code>scriptorium backup --to FOLDER</code> makes one now.</p>`
  }
  const { everyMs, last, failedAt } = backups
  const hours = Math.round(everyMs / 3_600_000)
  const often =
    hours >= 1 ? count(hours, { one: 'every hour', other: 'every {n} hours' }) : text('more than once an hour')
  return html`${failedAt !== undefined && html`<p class="notice" role="alert">The last attempt failed ${call.formats.moment(new Date(failedAt).toISOString())}. The log of the server says why. It tries again.</p>`}
<p class="about">${
    last === undefined
      ? html`There is no backup yet. The server makes one ${often}.`
      : html`The last backup is from <b>${call.formats.moment(new Date(last.at).toISOString())}</b> (${call.formats.bytes(last.bytes)}, without the bytes of files). The server makes one ${often}.`
  } <code>scriptorium restore</code> brings one back.</p>`
}

function limitsHtml(call: PageCall, { requests, blocks }: Remaining): Html {
  const { number } = call.formats
  const format = number.bind(call.formats)
  if (requests === undefined && blocks === undefined) return html`<p class="about">Nothing is limited.</p>`
  return html`<p class="about">All agents together have ${[
    requests !== undefined && html`<b>${format(requests.remaining)}</b> of ${format(requests.limit)} calls`,
    requests !== undefined && blocks !== undefined && text(' and '),
    blocks !== undefined && html`<b>${format(blocks.remaining)}</b> of ${format(blocks.limit)} blocks`,
  ]} left this minute. These pages count for themselves.</p>`
}

export const saveSettings: Page = {
  route: 'POST /settings',
  isFor: PEOPLE,
  handle: (call) =>
    submitForm(
      async () => {
        const [given, seen] = [settingsIn(call, ''), settingsIn(call, 'seen.')]
        // What was not changed is left out, so that others may change it meanwhile.
        const change = Object.fromEntries(
          Object.entries(given).filter(([key, value]) => value !== undefined && value !== seen[key as keyof Settings]),
        )
        if (Object.keys(change).length > 0) await call.run('settings_update', { ...change, seen })
        return goTo('/settings', 'saved')
      },
      (fault) => shownSettings(call, fault),
    ),
}

/** The settings in a form. @param before  the start of the names of fields */
const settingsIn = ({ form }: PageCall, before: string) => ({
  name: form.get(`${before}name`) ?? undefined,
  timezone: form.get(`${before}timezone`) ?? undefined,
  weekStart: WEEK_STARTS.find((day) => day === form.get(`${before}weekStart`)),
  dateLanguage: form.get(`${before}dateLanguage`) ?? undefined,
})
