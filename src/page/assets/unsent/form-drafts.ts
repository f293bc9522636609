/**
 * Keeps what is typed into the forms of pages in this browser until the server or the queue has it, and shows it when the
 * form is opened again. Each tab keeps its own, so that no tab overwrites what was typed in another one. Scripts that show and
 * send forms dispatch events on them: `formshown`, and `formdone` once the form was saved or discarded. Passwords are not
 * kept. Signing out deletes everything.
 */

import { text } from '../page-text.ts'
import { tab } from '../this-session.ts'
import { type FormDraft, mergeDrafts } from './draft-merge.ts'

const { base = '', owner = '' } = document.body.dataset

/** The start of the keys of this session; undefined after signing out in another tab. See session-name.ts. */
function prefix(): string | undefined {
  const random = localStorage.getItem(`scriptorium ${base} session ${owner}`)
  return random === null ? undefined : `scriptorium ${base} ${owner}-${random} form `
}

/** Hidden fields that distinguish forms with the same action. */
const IDENTITY = ['block', 'key', 'part', 'comment', 'words', 'start']

/** The key of the drafts of a form, to which each tab adds its name. */
function keyOf(form: HTMLFormElement): string | undefined {
  const start = prefix()
  if (start === undefined) return undefined
  const hiddenValue = (name: string) =>
    form.querySelector(`[type="hidden"][name="${name}"]`)?.getAttribute('value') ?? undefined
  return `${start}${[form.getAttribute('action')?.slice(base.length), ...IDENTITY.map(hiddenValue)].join(' ').trim()}`
}

const tabKey = (key: string): string => `${key} @${tab}`

/** The stored drafts of a form, by key. Those from before tabs had names have none. */
function storedDrafts(key: string): Map<string, string> {
  const keys = Object.keys(localStorage).filter((one) => one === key || one.startsWith(`${key} @`))
  return new Map(keys.sort().map((one) => [one, localStorage.getItem(one) ?? '{}']))
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function isKept(element: Element): element is Field {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return element.name !== ''
  if (!(element instanceof HTMLInputElement) || element.name === '' || element.readOnly) return false
  if (/password|one-time-code/.test(element.autocomplete)) return false
  return !/^(?:hidden|password|file|submit|button|reset|image|search)$/.test(element.type)
}

/** The fields of a form, each with its name and its place among those with this name. */
function fieldsOf(form: HTMLFormElement): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (const field of [...form.elements].filter(isKept)) {
    let place = 0
    while (fields.has(`${field.name} ${place}`)) place++
    fields.set(`${field.name} ${place}`, field)
  }
  return fields
}

const isTicked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)

const isText = (field: Field | undefined): boolean =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement && /^(?:text|url|email|tel)$/.test(field.type))

function readField(field: Field): string {
  if (isTicked(field)) return field.checked ? 'on' : ''
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value).join('\n')
  return field.value
}

/** @returns false if the field no longer offers the value */
function writeField(field: Field, value: string): boolean {
  if (isTicked(field)) field.checked = value !== ''
  else if (field instanceof HTMLSelectElement) {
    const chosen = value.split('\n')
    for (const option of field.options) option.selected = chosen.includes(option.value)
  } else field.value = field instanceof HTMLInputElement ? value.replaceAll('\n', ' ') : value
  return isText(field) || readField(field) === value
}

/** The values that each form had when the server rendered it. */
const rendered = new WeakMap<HTMLFormElement, Map<string, string>>()
/** The drafts that each form contains: those that it showed, and its own, by key. */
const contained = new WeakMap<HTMLFormElement, Map<string, string>>()

function keep(form: HTMLFormElement): void {
  const key = keyOf(form)
  if (key === undefined) return
  const draft: FormDraft = {}
  for (const [name, field] of fieldsOf(form)) {
    const before = rendered.get(form)?.get(name) ?? ''
    const value = readField(field)
    if (value !== before) draft[name] = { before, value }
  }
  if (Object.keys(draft).length === 0) {
    discard(form)
    return
  }
  const stored = JSON.stringify(draft)
  try {
    localStorage.setItem(tabKey(key), stored)
  } catch {
    showMessage(form, text('This browser cannot keep what you type here. Save it before you leave.'))
    return
  }
  const { [tabKey(key)]: _own, ...shown } = Object.fromEntries(contained.get(form) ?? [])
  remove(Object.entries(shown))
  contained.set(form, new Map([[tabKey(key), stored]]))
}

function discard(form: HTMLFormElement): void {
  remove(contained.get(form) ?? [])
  contained.delete(form)
  form.querySelector('.kept')?.remove()
}

/** Removes drafts, but for what another tab has kept meanwhile. */
function remove(drafts: Iterable<[key: string, text: string]>): void {
  for (const [key, text] of drafts) if (localStorage.getItem(key) === text) localStorage.removeItem(key)
}

function show(form: HTMLFormElement): void {
  const fields = fieldsOf(form)
  const values = new Map([...fields].map(([name, field]) => [name, readField(field)]))
  rendered.set(form, values)
  const key = keyOf(form)
  const drafts = key === undefined ? new Map<string, string>() : storedDrafts(key)
  if (drafts.size === 0) return
  contained.set(form, drafts)
  const lines: string[] = []
  let isDifferent = false
  const read = [...drafts.values()].map((draft) => JSON.parse(draft) as FormDraft)
  for (const [name, { before, value }] of Object.entries(mergeDrafts(read, (name) => isText(fields.get(name))))) {
    const field = fields.get(name)
    const current = values.get(name)
    if (field === undefined || current === undefined) continue
    // After a refusal, the form comes back as it was sent.
    if (current === value) {
      values.set(name, before)
      continue
    }
    isDifferent = true
    if (!writeField(field, value)) lines.push(text('“{value}” can no longer be chosen.', { value }))
    else if (current !== before) lines.push(text('It was changed since, to “{current}”.', { current }))
  }
  // What a refused form says is why, above it: this was typed just now. Drafts of other tabs were not.
  const isRefused = form.parentElement?.querySelector(':scope > [role=alert]') && drafts.size === 1
  if (isDifferent && !isRefused)
    showMessage(form, [text('What you typed before was not saved. Here it is again.'), ...lines].join(' '), true)
}

function showMessage(form: HTMLFormElement, sentence: string, isDraft = false): void {
  form.querySelector('.kept')?.remove()
  const note = document.createElement('p')
  note.className = 'kept'
  note.setAttribute('role', 'status')
  note.append(sentence)
  if (isDraft) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'plain', textContent: text('Discard') })
    button.addEventListener('click', () => {
      for (const [name, field] of fieldsOf(form)) writeField(field, rendered.get(form)?.get(name) ?? '')
      discard(form)
    })
    note.append(' ', button)
  }
  form.prepend(note)
}

/** The form of this space that an event is about. */
function formOf(target: EventTarget | null): HTMLFormElement | undefined {
  const form = target instanceof Element ? target.closest('form') : null
  return form?.method === 'post' && form.getAttribute('action')?.startsWith(base) ? form : undefined
}

/** Begins to keep what is typed. */
export function startFormDrafts(): void {
  const on = (type: string, act: (form: HTMLFormElement) => void) => {
    document.addEventListener(type, ({ target }) => {
      const form = formOf(target)
      if (form !== undefined) act(form)
    })
  }
  // The field with the focus changes once more when a form that is done closes.
  const done = new WeakSet<HTMLFormElement>()
  on('input', (form) => {
    done.delete(form)
    keep(form)
  })
  on('change', (form) => {
    if (!done.has(form)) keep(form)
  })
  on('formshown', show)
  on('formdone', (form) => {
    done.add(form)
    discard(form)
  })
  document.addEventListener('click', ({ target }) => {
    const form = formOf(target instanceof Element ? target.closest('[data-close]') : null)
    if (form !== undefined) discard(form)
  })
  // Forms that are part of the page, or that htmx put there.
  const showNew = () => {
    for (const form of document.querySelectorAll('form')) {
      if (!rendered.has(form) && formOf(form) !== undefined) show(form)
    }
  }
  showNew()
  document.addEventListener('htmx:after:swap', showNew)
  // The next session begins with nothing that was typed in this one. Capturing, since signing out first waits for calls.
  document.addEventListener('submit', askBeforeLeaving, true)
}

function askBeforeLeaving(event: SubmitEvent): void {
  if (!(event.target instanceof HTMLFormElement) || !event.target.matches('.leave')) return
  const start = prefix()
  const drafts = start === undefined ? [] : Object.keys(localStorage).filter((key) => key.startsWith(start))
  const question = text('What you typed into a form was not saved. Sign out and delete it?')
  if (drafts.length > 0 && !confirm(question)) {
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  for (const key of drafts) localStorage.removeItem(key)
}
