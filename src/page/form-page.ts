/**
 * Forms that have a page of their own. Where scripts run, the page is shown in a dialog over the one that led to it;
 * either way the form says where to go back to.
 */
import { ScriptoriumError } from '../base/errors.ts'
import { barHtml, type Crumb } from './frame/bar.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { PageRedirect, ShownPage } from './page-declaration.ts'

export interface FormSettings {
  title: string
  /** Where it is sent: a path below the address of the pages. */
  action: string
  fields: Html | readonly Html[]
  /** The words of its button. */
  submit: string
  /** The page that it came from: a path. */
  back: string
  /** Why what was sent before was refused. */
  fault?: string | undefined
  crumbs?: readonly Crumb[]
  /** What stands below the form, such as other forms. */
  below?: Html | false
  current?: string
  documentId?: string | undefined
}

/** Enter presses the first button of a form: not one that looks for something. */
const DEFAULT_BUTTON = html`<button class="hidden" tabindex="-1" aria-hidden="true"></button>`

export function formPage(call: PageCall, settings: FormSettings): ShownPage {
  const { title, action, fields, submit, back, fault, crumbs = [], below = false, current, documentId } = settings
  const main = html`${crumbs.length > 0 && barHtml(crumbs)}
<div class="page"><h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<form class="edit" method="post" action="${call.href(action)}">${hiddenFields(call, back)}${DEFAULT_BUTTON}
${fields}
<div class="acts"><button class="go">${submit}</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form>
${below !== false && html`<div class="apart">${below}</div>`}</div>`
  return {
    title,
    main,
    ...(current !== undefined && { current }),
    ...(documentId !== undefined && { documentId }),
    ...(fault !== undefined && { status: 400 }),
  }
}

/** What every form carries: that it is of this session, and where to go back to. */
export const hiddenFields = (call: PageCall, back: string): Html =>
  html`${call.tokenField()}<input type="hidden" name="back" value="${back}">`

/** A form of one button. */
export const buttonForm = (
  call: PageCall,
  { action, words, back, fields = {}, look = 'plain' }: ButtonSettings,
): Html =>
  html`<form method="post" action="${call.href(action)}">${hiddenFields(call, back)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${look}">${words}</button></form>`

/** The button that deletes what a form is about, where the link may do that with this tool. */
export const deleteButton = (
  call: PageCall,
  tool: string,
  settings: Pick<ButtonSettings, 'action' | 'words' | 'back'>,
): Html | false => call.has(tool) && call.may('delete') && buttonForm(call, { ...settings, look: 'danger' })

interface ButtonSettings {
  action: string
  words: string
  back: string
  fields?: Readonly<Record<string, string>>
  look?: string
}

/** A link to the page of a form, which comes back to this one. */
export function formLink(
  call: PageCall,
  path: string,
  words: Html | string,
  { look = 'button', query = {}, key, label, back = addressOf(call) }: FormLinkSettings = {},
): Html {
  const href = call.href(path, { ...query, back })
  return html`<a class="${look}" href="${href}" data-panel${key !== undefined && html` data-key="${key}"`}${label !== undefined && html` aria-label="${label}"`}>${words}</a>`
}

interface FormLinkSettings {
  look?: string
  query?: Readonly<Record<string, string | undefined>>
  key?: string
  label?: string
  /** The page that is shown when absent. */
  back?: string | undefined
}

/** The page that is shown, without what only says what was just done. */
export const addressOf = (call: PageCall): string => withoutPassing(`${call.request.path}?${call.query}`)

function withoutPassing(address: string): string {
  const [before = '', fragment] = address.split('#')
  const [path = '', search] = before.split('?')
  const query = new URLSearchParams(search)
  for (const passing of ['notice', 'call', 'document', 'back']) query.delete(passing)
  return `${path}${query.size > 0 ? `?${query}` : ''}${fragment === undefined ? '' : `#${fragment}`}`
}

/** Paths of the pages, with a query and a fragment: nothing that leads to another server. */
const OWN_PATH = /^\/(?![/\\])[\w/?=&.%+:-]*(?:#[\w-]*)?$/

/** The page that a form came from, which is one of this space. */
export function backOf(call: PageCall, otherwise: string): string {
  const back = call.form.get('back') ?? call.query.get('back') ?? otherwise
  return OWN_PATH.test(back) ? withoutPassing(back) : otherwise
}

/** A page after something was done, with a sentence about it. @param path  with a query and a fragment, or without */
export function goTo(path: string, notice?: string, more: Readonly<Record<string, string>> = {}): PageRedirect {
  if (notice === undefined) return { redirect: path }
  const [before = '', fragment] = path.split('#')
  const query = new URLSearchParams({ notice, ...more })
  const joined = `${before}${before.includes('?') ? '&' : '?'}${query}`
  return { redirect: fragment === undefined ? joined : `${joined}#${fragment}` }
}

/** Whether a call waits until somebody approves it: there is nothing yet of what it would make. */
export const isProposed = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'proposal' in answer

/**
 * Carries out what a form asks.
 *
 * @param again  the form with what was typed, and why it was refused
 */
export async function submitForm<Answer>(
  work: () => Promise<Answer>,
  again: (fault: string) => Promise<ShownPage>,
): Promise<Answer | ShownPage> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptoriumError) || error.status >= 500) throw error
    return again(error.message)
  }
}

/** The words of a field, without spaces around them. */
export const fieldOf = (call: PageCall, name: string): string => (call.form.get(name) ?? '').trim()

export const textField = (label: string, name: string, value: string, more: Html | false = false): Html =>
  html`<label>${label} <input type="text" name="${name}" value="${value}" autocomplete="off"${more}></label>
`

export interface Choice {
  value: string
  words: string
}

export const selectField = (label: string, name: string, value: string, choices: readonly Choice[]): Html =>
  html`<label>${label} <select name="${name}">${choices.map(
    (one) => html`<option value="${one.value}"${one.value === value && html` selected`}>${one.words}</option>`,
  )}</select></label>
`
