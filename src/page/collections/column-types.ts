/** The types of columns, as named for people. */

import { RATING_MAXIMA } from '../../base/ratings.ts'
import type { Choice } from '../form-page.ts'
import type { PropertyType } from '../page-tools.ts'

/** In the order in which they are offered. */
const TYPE_LABELS: Readonly<Record<PropertyType, string>> = {
  text: 'Text',
  number: 'Number',
  singleSelect: 'One of several options',
  multiSelect: 'Several options',
  date: 'Date',
  boolean: 'Box to tick',
  rating: 'Rating in stars',
  url: 'Web address',
  email: 'Email address',
  phone: 'Phone number',
  person: 'People and agents',
  relation: 'Rows of a collection',
  blockLink: 'Document',
}

export const COLUMN_TYPES: readonly Choice[] = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }))

export const typeLabel = (type: string): string => COLUMN_TYPES.find(({ value }) => value === type)?.label ?? type

export const STAR_CHOICES: readonly Choice[] = RATING_MAXIMA.map((max) => ({ value: `${max}`, label: `${max} stars` }))

export const NUMBER_FORMATS: readonly Choice[] = [
  { value: '', label: 'plain' },
  { value: 'percentage', label: 'percent' },
  { value: 'currency', label: 'money' },
]
