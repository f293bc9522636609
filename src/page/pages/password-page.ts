/** People who sign in with a password change it themselves. */
import { ScriptoriumError } from '../../base/errors.ts'
import { PASSWORD_LENGTH } from '../../base/limits.ts'
import { backOf, goTo, hiddenFields, submitForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageRedirect, ShownPage } from '../page-declaration.ts'
import { count, text } from '../texts/text.ts'

export const PASSWORD_PATH = '/password'

export const passwordPage: Page = {
  route: `GET ${PASSWORD_PATH}`,
  async handle(call) {
    changeOf(call)
    return passwordForm(call)
  },
}

/** @throws NOT_FOUND_ERROR for callers without a password */
function changeOf({ request: { changePassword } }: PageCall): NonNullable<typeof changePassword> {
  if (changePassword === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
  return changePassword
}

/** Its button has a name, so that what was typed is sent at once, and never waits in the browser. */
function passwordForm(call: PageCall, refused?: { fault: string; status: number }): ShownPage {
  const back = backOf(call, '/')
  const { least } = PASSWORD_LENGTH
  const main = html`<div class="page"><h1>Change your password</h1>
${refused !== undefined && html`<p class="notice" role="alert">${refused.fault}</p>`}
<form class="edit" method="post" action="${call.href(PASSWORD_PATH)}">${hiddenFields(call, back)}
<input type="text" value="${call.request.caller.link.author}" autocomplete="username" readonly hidden>
${passwordField(text('Current password'), 'old', html` autocomplete="current-password" autofocus`)}
${passwordField(text('New password'), 'new', html` autocomplete="new-password" minlength="${least}" aria-describedby="password-about"`)}
${passwordField(text('New password again'), 'again', html` autocomplete="new-password"`)}
<p class="about" id="password-about">At least ${least} characters. You stay signed in here. All other browsers in which you signed in are signed out, and programs and links go on.</p>
<div class="acts"><button class="go" name="do" value="change">Change password</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form></div>`
  return { title: text('Change your password'), main, current: PASSWORD_PATH, ...refused }
}

const passwordField = (label: string, name: string, more: Html): Html =>
  html`<label>${label} <input type="password" name="${name}" required${more}></label>`

export const changePassword: Page = {
  route: `POST ${PASSWORD_PATH}`,
  async handle(call) {
    const run = changeOf(call)
    return submitForm(
      () => change(call, run),
      async (fault) => passwordForm(call, { fault, status: 400 }),
    )
  },
}

async function change(call: PageCall, run: ReturnType<typeof changeOf>): Promise<PageRedirect | ShownPage> {
  // Not trimmed: spaces belong to passwords.
  const [old, next, again] = ['old', 'new', 'again'].map((name) => call.form.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  if (next !== again) {
    return passwordForm(call, { fault: text('The two new passwords differ. Type both again.'), status: 400 })
  }
  const answer = await run(old, next)
  if ('setCookie' in answer) {
    return { ...goTo(backOf(call, '/'), 'password-changed'), setCookie: answer.setCookie }
  }
  const { status, retryAfter = 1 } = answer
  return passwordForm(call, { fault: refusal(status, retryAfter), status: status === 401 ? 400 : status })
}

function refusal(status: 401 | 429 | 503, seconds: number): string {
  if (status === 401) return text('That is not your current password. Nothing was changed.')
  if (status === 503) {
    return count(seconds, {
      one: 'Too many passwords are checked at once. Try again in a second.',
      other: 'Too many passwords are checked at once. Try again in {n} seconds.',
    })
  }
  return count(Math.max(1, Math.ceil(seconds / 60)), {
    one: 'Too many wrong passwords. Try again in a minute.',
    other: 'Too many wrong passwords. Try again in {n} minutes.',
  })
}
