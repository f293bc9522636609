/** Form fields for the repetition of a task. */

import { WEEKDAYS } from '../space/model/weekdays.ts'
import { type Choice, fieldOf, selectField } from './form-page.ts'
import { choicesStyle } from './frame/choices.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import { text, textKey } from './texts/text.ts'

/** The repetition of a task. Parts without a form field are kept. */
export interface RepeatRule {
  type?: string
  frequency?: string
  interval?: number
  weekly?: { days?: string[] }
  [more: string]: unknown
}

const FREQUENCIES: readonly Choice[] = [
  { value: '', label: textKey('never') },
  { value: 'daily', label: textKey('daily') },
  { value: 'weekly', label: textKey('weekly') },
  { value: 'monthly', label: textKey('monthly') },
  { value: 'yearly', label: textKey('yearly') },
]
const TYPES: readonly Choice[] = [
  { value: 'fixed', label: textKey('on its dates') },
  { value: 'flexible', label: textKey('after it is done') },
]

export function repeatFields(call: PageCall, rule: RepeatRule | undefined): Html {
  const { frequency = '', interval = 1, type = 'fixed', weekly } = rule ?? {}
  const days = new Set(weekly?.days)
  return html`${choicesStyle(call)}<fieldset class="repeat"><legend>Repeats</legend><div class="row">
${selectField(text('How often'), 'frequency', frequency, FREQUENCIES)}
<label>Interval <input type="number" name="interval" value="${interval}" min="1" max="1000" step="1"></label>
${selectField(text('Counted'), 'repeatType', type, TYPES)}</div>
<div class="weekdays" role="group" aria-label="Days of the week">${call.formats.weekdays().map(({ name, number }) => {
    const day = WEEKDAYS[number - 1] ?? ''
    return html`<label class="choice"><input type="checkbox" name="weekday" value="${day}"${days.has(day) && html` checked`}><span>${name}</span></label>`
  })}</div></fieldset>`
}

/** @returns the submitted rule; null for none; undefined if unchanged */
export function repeatOf(call: PageCall, old: RepeatRule | undefined): RepeatRule | null | undefined {
  const frequency = fieldOf(call, 'frequency')
  if (frequency === '') return old === undefined ? undefined : null
  const interval = Number(fieldOf(call, 'interval') || '1')
  const type = fieldOf(call, 'repeatType') || 'fixed'
  const days = call.form.getAll('weekday')
  const own: RepeatRule = {
    type,
    frequency,
    interval,
    ...(frequency === 'weekly' && days.length > 0 && { weekly: { days } }),
    // Only yearly rules have months.
    ...(frequency === 'yearly' && { yearly: old?.yearly ?? { months: [Number(call.formats.today.slice(5, 7))] } }),
  }
  if (old === undefined) return own
  const isSame =
    old.frequency === frequency &&
    (old.interval ?? 1) === interval &&
    (old.type ?? 'fixed') === type &&
    (frequency !== 'weekly' || String(old.weekly?.days ?? []) === String(days))
  if (isSame) return undefined
  return old.frequency === frequency ? { ...old, ...own } : own
}
