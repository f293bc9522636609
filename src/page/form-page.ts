/**
 * Forms with their own page. With scripts, the page is shown in a dialog over the previous page. In both cases, the
 * form contains the address to return to.
 */

import { ScriptoriumError } from '../base/errors.ts'
import { barHtml, type Crumb } from './frame/bar.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { PageRedirect, ShownPage } from './page-declaration.ts'
import { refused } from './page-refusal.ts'
import type { PageTool } from './page-tools.ts'
import { refusalText } from './refusal-text.ts'
import { type TextKey, text } from './texts/text.ts'

export interface FormSettings {
  title: string
  /** The path that it submits to, below the base address. */
  action: string
  fields: Html | readonly Html[]
  /** The label of its button. */
  submit: string
  /** The path of the page that it came from. */
  back: string
  /** The reason why the previous submission was refused. */
  fault?: string | undefined
  crumbs?: readonly Crumb[]
  /** Content above and below the form, such as other forms. */
  above?: Html | false
  below?: Html | false
  current?: string
  documentId?: string | undefined
}

/**
 * Enter presses the first button of a form, which must not be that of a search field.
 *
 * @param value  of the button that it stands for, where that has one
 */
export const defaultButton = (value?: string): Html =>
  html`<button class="hidden"${value !== undefined && html` name="do" value="${value}"`} tabindex="-1" aria-hidden="true"></button>`

export function formPage(call: PageCall, settings: FormSettings): ShownPage {
  const {
    title,
    action,
    fields,
    submit,
    back,
    fault,
    crumbs = [],
    above = false,
    below = false,
    current,
    documentId,
  } = settings
  const main = html`${crumbs.length > 0 && barHtml(crumbs)}
<div class="page"><h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${above}<form class="edit" method="post" action="${call.href(action)}">${hiddenFields(call, back)}${defaultButton()}
${fields}
<div class="acts"><button class="go">${submit}</button> <a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></form>
${below !== false && html`<div class="apart">${below}</div>`}</div>`
  return {
    title,
    main,
    ...(current !== undefined && { current }),
    ...(documentId !== undefined && { documentId }),
    ...(fault !== undefined && { status: 400, fault }),
  }
}

/** The hidden fields of every form: the form token, and the page to return to. */
export const hiddenFields = (call: PageCall, back: string): Html =>
  html`${call.tokenField()}<input type="hidden" name="back" value="${back}">`

/** A form that consists of one button. */
export const buttonForm = (
  call: PageCall,
  { action, label, back, fields = {}, variant = 'plain' }: ButtonSettings,
): Html =>
  html`<form method="post" action="${call.href(action)}">${hiddenFields(call, back)}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${variant}">${label}</button></form>`

/** A button that deletes something with this tool, if the link allows it. */
export const deleteButton = (
  call: PageCall,
  tool: PageTool,
  settings: Pick<ButtonSettings, 'action' | 'label' | 'back'>,
): Html | false => call.has(tool) && call.may('delete') && buttonForm(call, { ...settings, variant: 'danger' })

interface ButtonSettings {
  action: string
  label: Html | string
  back: string
  fields?: Readonly<Record<string, string>>
  variant?: string
}

/** A link to the page of a form, which returns to the current page. */
export function formLink(
  call: PageCall,
  path: string,
  text: Html | string,
  { variant = 'button', query = {}, key, label, inPlace, back = addressOf(call) }: FormLinkSettings = {},
): Html {
  const href = call.href(path, { ...query, back })
  return html`<a class="${variant}" href="${href}" data-panel${key !== undefined && html` data-key="${key}"`}${inPlace !== undefined && html` data-in-place="${inPlace}"`}${label !== undefined && html` aria-label="${label}"`}>${text}</a>`
}

interface FormLinkSettings {
  variant?: string
  query?: Readonly<Record<string, string | undefined>>
  key?: string
  label?: string | undefined
  /** The label of the field that a script has in place of the form. */
  inPlace?: string
  /** The page to return to; the current page by default. */
  back?: string | undefined
}

/** The address of the current page, without its notice. */
export const addressOf = (call: PageCall): string => withoutPassing(`${call.request.path}?${call.query}`)

function withoutPassing(address: string): string {
  const [before = '', fragment] = address.split('#')
  const [path = '', search] = before.split('?')
  const query = new URLSearchParams(search)
  for (const passing of ['notice', 'call', 'document', 'row', 'back']) query.delete(passing)
  return `${path}${query.size > 0 ? `?${query}` : ''}${fragment === undefined ? '' : `#${fragment}`}`
}

/** Matches paths of pages, with an optional query and fragment, but no address on another server. */
const OWN_PATH = /^\/(?![/\\])[\w/?=&.%+:-]*(?:#[\w-]*)?$/

/** The page that a form came from. It must belong to this space. */
export function backOf(call: PageCall, otherwise: string): string {
  const back = call.form.get('back') ?? call.query.get('back') ?? otherwise
  return OWN_PATH.test(back) ? withoutPassing(back) : otherwise
}

/**
 * The page that a form is on: the one that it names, or the one that the browser names, since forms of the panel are the
 * same on each page.
 */
export function cameFrom(call: PageCall, otherwise: string): string {
  const { request, base } = call.request
  const [, place] = (request.headers.get('referer') ?? '').split(`${base}/`, 2)
  const shown = place === undefined || !OWN_PATH.test(`/${place}`) ? otherwise : withoutPassing(`/${place}`)
  return backOf(call, shown)
}

/** The day on which a form was filled in: today, unless it waited in the browser for a connection. */
export const dayOf = (call: PageCall): string => call.formats.dateOf(filledInAt(call))

/** When a form was filled in, in milliseconds since 1970. */
export function filledInAt({ form, request: { now } }: PageCall): number {
  const waited = Number(form.get('waited') ?? 0)
  return waited > 0 && waited < now ? now - waited : now
}

/** Redirects to a page after an action, with a notice. @param path  with or without a query and a fragment */
export function goTo(path: string, notice?: string, more: Readonly<Record<string, string>> = {}): PageRedirect {
  if (notice === undefined) return { redirect: path }
  const [before = '', fragment] = path.split('#')
  const query = new URLSearchParams({ notice, ...more })
  const joined = `${before}${before.includes('?') ? '&' : '?'}${query}`
  return { redirect: fragment === undefined ? joined : `${joined}#${fragment}` }
}

/**
 * Redirects after a call that changed something, with a notice that offers to take it back.
 *
 * @param before  earlier calls of the form, which are taken back with it
 */
export const changedTo = (
  call: PageCall,
  path: string,
  notice: string,
  answer: { proposal?: object },
  more: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): PageRedirect =>
  isProposed(answer)
    ? goTo(path, 'proposed')
    : goTo(path, notice, {
        ...more,
        ...(call.lastChange !== undefined && { call: [...before, call.lastChange].join() }),
      })

/** A value of a form as an input of a tool. The tool checks it, and its error is shown with the form. */
export const unchecked = <Value extends string>(value: string): Value => value as Value

/** True if a call waits for approval, so that nothing has been created yet. */
export const isProposed = ({ proposal }: { proposal?: object }): boolean => proposal !== undefined

/**
 * Carries out a submitted form.
 *
 * @param again  renders the form again with the submitted input and an error message
 */
export async function submitForm<Answer>(
  work: () => Promise<Answer>,
  again: (fault: string) => Promise<ShownPage>,
): Promise<Answer | ShownPage> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
    return again(refusalText(error))
  }
}

/** The trimmed text of a field. */
export const fieldOf = (call: PageCall, name: string): string => (call.form.get(name) ?? '').trim()

/** Which of these values a field has; undefined if it is empty. @throws VALIDATION_ERROR for any other */
export function chosenOf<Value extends string>(
  form: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = (form.get(name) ?? '').trim()
  const found = values.find((value) => value === given)
  if (found === undefined && given !== '') {
    throw refused(
      text('Expected one of {values} as {name}, found {given}; choose one of them.', {
        values: values.join(', '),
        name,
        given: given.slice(0, 100),
      }),
    )
  }
  return found
}

/** Whether a box is ticked. @throws VALIDATION_ERROR for what no box sends */
export const isTicked = (form: URLSearchParams, name: string): boolean => chosenOf(form, name, ['true']) === 'true'

export const textField = (label: string, name: string, value: string, more: Html | false = false): Html =>
  html`<label>${label} <input type="text" dir="auto" name="${name}" value="${value}" autocomplete="off"${more}></label>
`

export interface Choice {
  value: string
  label: string | TextKey
}

export const selectField = (label: string, name: string, value: string, choices: readonly Choice[]): Html =>
  html`<label>${label} <select name="${name}">${choices.map(
    (one) => html`<option value="${one.value}"${one.value === value && html` selected`}>${one.label}</option>`,
  )}</select></label>
`
