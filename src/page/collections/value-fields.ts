/** Converts item values to form fields by the type of their property, and form input back to values. */

import { TITLE_LENGTH } from '../../base/limits.ts'
import { type Html, html, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry } from '../page-tools.ts'
import { targetsOf } from './collection-values.ts'
import { readTargetChoices } from './target-choices.ts'

/** Values by key, in the format of `items_update`. Null means no value. */
export type ItemValues = Readonly<Record<string, unknown>>

/** Converts a value from `items_list` to the format that {@link readValue} returns. */
export function normalizeValue({ type }: Pick<PropertyEntry, 'type'>, value: unknown): unknown {
  if (value === undefined || value === null) return type === 'boolean' ? false : null
  switch (type) {
    case 'multiSelect':
      return Array.isArray(value) && value.length > 0 ? value : null
    case 'relation': {
      const relations = targetsOf(value).map(({ blockId }) => ({ blockId }))
      return relations.length > 0 ? { relations } : null
    }
    case 'blockLink': {
      const [target] = targetsOf(value)
      return target === undefined ? null : { blockId: target.blockId }
    }
    default:
      return value
  }
}

const isTarget = ({ type }: PropertyEntry): boolean => type === 'relation' || type === 'blockLink'

/** @param value  normalized @param isFirst  true to give it the focus */
export async function valueField(
  call: PageCall,
  property: PropertyEntry,
  value: unknown,
  isFirst: boolean,
): Promise<Html> {
  const { key, name } = property
  const focus = isFirst && html` autofocus`
  const has = html`<input type="hidden" name="has" value="${key}">`
  if (property.type === 'boolean') {
    return html`${has}<label class="choice"><input type="checkbox" name="v.${key}"${value === true && html` checked`}${focus}><span>${name}</span></label>
`
  }
  if (property.type === 'multiSelect' || isTarget(property)) {
    const choices =
      property.type === 'multiSelect' ? optionChoices(property, value) : await readTargetChoices(call, property, value)
    return html`<fieldset class="values">${has}<legend>${name}</legend>${choices}</fieldset>
`
  }
  return html`<div class="value">${has}${plainField(property, value, focus)}</div>
`
}

const TEXT_TYPES: ReadonlyMap<string, string> = new Map(Object.entries({ url: 'url', email: 'email', phone: 'tel' }))

function plainField(property: PropertyEntry, value: unknown, focus: Html | false): Html {
  const { key, name, type } = property
  switch (type) {
    case 'number':
      return html`<label>${name} <input type="number" name="v.${key}" value="${numberText(value)}" step="any"${focus}></label>`
    case 'date': {
      const { start = '', end = '' } = typeof value === 'string' ? { start: value } : ((value ?? {}) as DateRange)
      return html`<div class="row"><label>${name} <input type="date" name="v.${key}" value="${start}"${focus}></label><label>Until <input type="date" name="v.${key}.end" value="${end}"></label></div>`
    }
    case 'singleSelect':
      return html`<div class="row"><label>${name} <select name="v.${key}"${focus}><option value=""></option>${optionsOf(
        property,
        value,
      ).map(
        (one) => html`<option${one === value && html` selected`}>${one}</option>`,
      )}</select></label>${newOptionField(key)}</div>`
    default: {
      const text = typeof value === 'string' ? value : ''
      const kind = TEXT_TYPES.get(type)
      return kind === undefined
        ? html`<label>${name} <textarea dir="auto" name="v.${key}" rows="${Math.min(12, text.split('\n').length)}"${focus}>${text}</textarea></label>`
        : html`<label>${name} <input type="${kind}" name="v.${key}" value="${text}" autocomplete="off"${focus}></label>`
    }
  }
}

interface DateRange {
  start?: string
  end?: string
}

const numberText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? `${value}` : ''

const newOptionField = (key: string): Html =>
  html`<label>New option <input type="text" dir="auto" name="v.${key}.new" autocomplete="off" maxlength="${TITLE_LENGTH}"></label>`

/** The options, and further options of the value, such as one that the form is about to add. */
function optionsOf({ options = [] }: PropertyEntry, value: unknown): string[] {
  const names = options.map(({ name }) => name)
  const own = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  return [...names, ...own.filter((one) => !names.includes(one))]
}

function optionChoices(property: PropertyEntry, value: unknown): Html {
  const chosen = new Set(Array.isArray(value) ? value : [])
  return html`${optionsOf(property, value).map(
    (one) =>
      html`<label class="choice"><input type="checkbox" name="v.${property.key}" value="${one}"${chosen.has(one) && html` checked`}><span>${one}</span></label>`,
  )}${newOptionField(property.key)}`
}

/** Hidden fields with the original values, so that only changed values are written. */
export const oldValue = (key: string, value: unknown): Html =>
  value === undefined ? NOTHING : html`<input type="hidden" name="old.${key}" value="${JSON.stringify(value)}">`

/** The submitted value of a property; undefined if the form had no field for it. */
export function readValue(form: URLSearchParams, { key, type }: Pick<PropertyEntry, 'key' | 'type'>): unknown {
  if (!form.getAll('has').includes(key)) return undefined
  const text = (form.get(`v.${key}`) ?? '').trim()
  const created = (form.get(`v.${key}.new`) ?? '').trim()
  switch (type) {
    case 'boolean':
      return text !== ''
    case 'number': {
      const number = Number(text)
      return text === '' ? null : Number.isNaN(number) ? text : number
    }
    case 'date': {
      const end = form.get(`v.${key}.end`) ?? ''
      return text === '' ? null : end === '' ? text : { start: text, end }
    }
    case 'singleSelect':
      return created || text || null
    case 'multiSelect': {
      const names = new Set([...form.getAll(`v.${key}`), created].filter((one) => one !== ''))
      return names.size === 0 ? null : [...names]
    }
    case 'relation': {
      const ids = [...new Set(form.getAll(`v.${key}`))].filter((one) => one !== '')
      return ids.length === 0 ? null : { relations: ids.map((blockId) => ({ blockId })) }
    }
    case 'blockLink':
      return text === '' ? null : { blockId: text }
    default:
      // Browsers send line breaks of a text field as CRLF.
      return text.replace(/\r\n/g, '\n') || null
  }
}

/** The values that were changed in the form. */
export function changedValues(form: URLSearchParams, properties: readonly PropertyEntry[]): ItemValues {
  const changed: Record<string, unknown> = Object.create(null)
  for (const property of properties) {
    const value = readValue(form, property)
    const old = form.get(`old.${property.key}`) ?? JSON.stringify(normalizeValue(property, undefined))
    if (value !== undefined && JSON.stringify(value) !== old) changed[property.key] = value
  }
  return changed
}
