/** Converts item values to form fields by the type of their property, and form input back to values. */

import { TITLE_LENGTH } from '../../base/limits.ts'
import { dayInput } from '../date-fields.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { readMemberChoices } from '../members/member-choices.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry, PropertyType } from '../page-tools.ts'
import { maxStars, membersIn, starsHtml, targetsOf } from './collection-values.ts'
import { readTargetChoices } from './target-choices.ts'

/** Values by key, in the format of `items_update`. Null means no value. */
export type ItemValues = Readonly<Record<string, unknown>>

/** A value in a form: how it gets there, and how it is read back. */
interface ValueKind {
  /** Converts a value from `items_list` to the format that `read` returns. Default: as it is. */
  normalize?(value: unknown): unknown
  /** The field, with the focus if `focus` is there. @param value  normalized */
  field(call: PageCall, property: PropertyEntry, value: unknown, focus: Html | false): Html | Promise<Html>
  /** @param text  of the main field, trimmed @returns null for no value */
  read(text: string, form: URLSearchParams, key: string): unknown
}

const VALUE_KINDS: Readonly<Record<PropertyType, ValueKind>> = {
  text: {
    field: (_, { key, name }, value, focus) => {
      const text = textOf(value)
      return valueHtml(
        html`<label>${name} <textarea dir="auto" name="v.${key}" rows="${Math.min(12, text.split('\n').length)}"${focus}>${text}</textarea></label>`,
      )
    },
    read: readText,
  },
  url: lineKind('url'),
  email: lineKind('email'),
  phone: lineKind('tel'),
  number: {
    field: (_, { key, name }, value, focus) =>
      valueHtml(
        html`<label>${name} <input type="number" name="v.${key}" value="${numberText(value)}" step="any"${focus}></label>`,
      ),
    read: readNumber,
  },
  rating: {
    field: (_, property, value, focus) =>
      html`<fieldset class="values"><legend>${property.name}</legend>${starChoices(property, value, focus)}</fieldset>
`,
    read: readNumber,
  },
  boolean: {
    field: (_, { key, name }, value, focus) =>
      html`<label class="choice"><input type="checkbox" name="v.${key}"${value === true && html` checked`}${focus}><span>${name}</span></label>
`,
    read: (text) => text !== '',
  },
  date: {
    field: (_, { key, name }, value, focus) => {
      const { start = '', end = '' } = typeof value === 'string' ? { start: value } : ((value ?? {}) as DateRange)
      return valueHtml(
        html`<div class="row"><label>${name} ${dayInput(`v.${key}`, start, focus)}</label><label>Until ${dayInput(`v.${key}.end`, end)}</label></div>`,
      )
    },
    read(text, form, key) {
      const end = form.get(`v.${key}.end`) ?? ''
      return text === '' ? null : end === '' ? text : { start: text, end }
    },
  },
  singleSelect: {
    field: (_, property, value, focus) =>
      valueHtml(
        html`<div class="row"><label>${property.name} <select name="v.${property.key}"${focus}><option value=""></option>${optionsOf(
          property,
          value,
        ).map(
          (one) => html`<option${one === value && html` selected`}>${one}</option>`,
        )}</select></label>${newOptionField(property.key)}</div>`,
      ),
    read: (text, form, key) => newOption(form, key) || text || null,
  },
  multiSelect: {
    normalize: (value) => (Array.isArray(value) && value.length > 0 ? value : null),
    field: (_, property, value) => choicesHtml(property, optionChoices(property, value)),
    read(_, form, key) {
      const names = new Set([...form.getAll(`v.${key}`), newOption(form, key)].filter((one) => one !== ''))
      return names.size === 0 ? null : [...names]
    },
  },
  relation: {
    normalize(value) {
      const relations = targetsOf(value).map(({ blockId }) => ({ blockId }))
      return relations.length > 0 ? { relations } : null
    },
    field: async (call, property, value) => choicesHtml(property, await readTargetChoices(call, property, value)),
    read(_, form, key) {
      const ids = [...new Set(form.getAll(`v.${key}`))].filter((one) => one !== '')
      return ids.length === 0 ? null : { relations: ids.map((blockId) => ({ blockId })) }
    },
  },
  person: {
    normalize(value) {
      const members = membersIn(value).map(({ memberId }) => ({ memberId }))
      return members.length > 0 ? members : null
    },
    field: async (call, property, value) => choicesHtml(property, await readMemberChoices(call, property, value)),
    read(_, form, key) {
      const ids = [...new Set(form.getAll(`v.${key}`))].filter((one) => one !== '')
      return ids.length === 0 ? null : ids.map((memberId) => ({ memberId }))
    },
  },
  blockLink: {
    normalize(value) {
      const [target] = targetsOf(value)
      return target === undefined ? null : { blockId: target.blockId }
    },
    field: async (call, property, value) => choicesHtml(property, await readTargetChoices(call, property, value)),
    read: (text) => (text === '' ? null : { blockId: text }),
  },
}

/** Converts a value from `items_list` to the format that {@link readValue} returns. */
export function normalizeValue({ type }: Pick<PropertyEntry, 'type'>, value: unknown): unknown {
  if (value === undefined || value === null) return type === 'boolean' ? false : null
  const { normalize } = VALUE_KINDS[type]
  return normalize === undefined ? value : normalize(value)
}

/** @param value  normalized @param isFirst  true to give it the focus */
export async function valueField(
  call: PageCall,
  property: PropertyEntry,
  value: unknown,
  isFirst: boolean,
): Promise<Html> {
  const has = html`<input type="hidden" name="has" value="${property.key}">`
  return html`${has}${await VALUE_KINDS[property.type].field(call, property, value, isFirst && html` autofocus`)}`
}

/** The submitted value of a property; undefined if the form had no field for it. */
export function readValue(form: URLSearchParams, { key, type }: Pick<PropertyEntry, 'key' | 'type'>): unknown {
  if (!form.getAll('has').includes(key)) return undefined
  return VALUE_KINDS[type].read((form.get(`v.${key}`) ?? '').trim(), form, key)
}

function lineKind(kind: 'url' | 'email' | 'tel'): ValueKind {
  return {
    field: (_, { key, name }, value, focus) =>
      valueHtml(
        html`<label>${name} <input type="${kind}" name="v.${key}" value="${textOf(value)}" autocomplete="off"${focus}></label>`,
      ),
    read: readText,
  }
}

function valueHtml(field: Html): Html {
  return html`<div class="value">${field}</div>
`
}

function choicesHtml({ name }: PropertyEntry, choices: Html): Html {
  return html`<fieldset class="values"><legend>${name}</legend>${choices}</fieldset>
`
}

/** A choice for each number of stars, and one for none. */
function starChoices(property: PropertyEntry, value: unknown, focus: Html | false): Html {
  const choice = (count: number, text: Html) => {
    const isChosen = count === (value ?? 0)
    return html`<label class="choice"><input type="radio" name="v.${property.key}" value="${count || ''}"${isChosen && html` checked`}${isChosen && focus}><span>${text}</span></label>`
  }
  const counts = Array.from({ length: maxStars(property) }, (_, index) => index + 1)
  return html`${choice(0, html`none`)}${counts.map((count) => choice(count, starsHtml(property, count)))}`
}

function readText(text: string): unknown {
  // Browsers send line breaks of a text field as CRLF.
  return text.replace(/\r\n/g, '\n') || null
}

function readNumber(text: string): unknown {
  const number = Number(text)
  return text === '' ? null : Number.isNaN(number) ? text : number
}

const newOption = (form: URLSearchParams, key: string): string => (form.get(`v.${key}.new`) ?? '').trim()

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

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
