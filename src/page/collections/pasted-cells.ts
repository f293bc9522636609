/** Reads texts that are pasted into cells as values of their columns. */

import { ScriptoriumError } from '../../base/errors.ts'
import { resolveDate, validateDate } from '../../space/model/dates.ts'
import { refused } from '../page-refusal.ts'
import type { CollectionSchema, PropertyEntry } from '../page-tools.ts'
import { pageLocale } from '../texts/language.ts'
import { text } from '../texts/text.ts'
import { typeLabel } from './column-types.ts'
import { convertValue } from './convert-values.ts'

/** A row of cells: the title, if it is pasted, and values by key. `null` clears. */
export interface PastedRow {
  title?: string
  properties: Record<string, unknown>
}

type Calendar = Parameters<typeof resolveDate>[1]

/**
 * @param keys  of the columns, from left to right; `title` is that of the titles
 * @param texts  a text for each column
 * @throws VALIDATION_ERROR for a text that is no value of its column, and for an unknown column
 */
export function readPastedRow(
  { properties }: CollectionSchema,
  keys: readonly string[],
  texts: readonly string[],
  calendar: Calendar,
): PastedRow {
  const row: PastedRow = { properties: Object.create(null) }
  for (const [index, key] of keys.entries()) {
    const text = texts[index]?.trim()
    if (text === undefined) continue
    const property = properties.find((one) => one.key === key)
    if (key === 'title') row.title = text.replace(/\s+/g, ' ')
    else if (property === undefined) throw noColumn(key)
    else row.properties[key] = cellValue(property, text, calendar)
  }
  return row
}

function cellValue(property: PropertyEntry, text: string, calendar: Calendar): unknown {
  if (text === '') return property.type === 'boolean' ? false : null
  const value = property.type === 'date' ? dateOf(text, calendar) : convertValue(plain(property, text), property)
  if (value !== undefined) return value
  const found = text.length > 60 ? `${text.slice(0, 60)}…` : text
  throw unfit(property, found)
}

const noColumn = (key: string) =>
  refused(text('Expected a column of this collection, found {key}; load the page again.', { key }))

function unfit({ name, type }: PropertyEntry, found: string) {
  const label = typeLabel(type)
  return refused(
    text('Expected {type} for {name}, found “{found}”; correct it, and paste again. Nothing was changed.', {
      type: pageLocale().language === 'en' ? label.toLowerCase() : label,
      ...{ name, found },
    }),
  )
}

/** Numbers of spreadsheets have signs of currencies. */
const plain = ({ type }: PropertyEntry, text: string): string =>
  type === 'number' ? text.replace(/^[\p{Sc}\s]+|[\p{Sc}\s]+$/gu, '') : text

/** A day in digits or words, or two with a dash between them. */
function dateOf(text: string, calendar: Calendar): unknown {
  const [start = '', end] = text.split(/\s+[–—-]\s+/)
  const [first, last] = [dayOf(start, calendar), end === undefined ? undefined : dayOf(end, calendar)]
  if (end === undefined || first === undefined) return first
  return last === undefined ? undefined : { start: first, end: last }
}

function dayOf(text: string, calendar: Calendar): string | undefined {
  try {
    return validateDate(resolveDate(text, calendar))
  } catch (error) {
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}
