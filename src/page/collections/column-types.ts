/** The types of columns, as named for people. */

import { RATING_MAXIMA } from '../../base/ratings.ts'
import type { Choice } from '../form-page.ts'
import type { PropertyType } from '../page-tools.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

/** In the order in which they are offered. */
const TYPE_LABELS: Readonly<Record<PropertyType, TextKey>> = {
  text: textKey('Text'),
  number: textKey('Number'),
  singleSelect: textKey('One of several options'),
  multiSelect: textKey('Several options'),
  date: textKey('Date'),
  boolean: textKey('Box to tick'),
  rating: textKey('Rating in stars'),
  url: textKey('Web address'),
  email: textKey('Email address'),
  phone: textKey('Phone number'),
  person: textKey('People and agents'),
  relation: textKey('Rows of a collection'),
  blockLink: textKey('Document'),
}

export const COLUMN_TYPES: readonly Choice[] = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }))

export const typeLabel = (type: string): string => `${COLUMN_TYPES.find(({ value }) => value === type)?.label ?? type}`

export const starChoices = (): Choice[] =>
  RATING_MAXIMA.map((max) => ({
    value: `${max}`,
    label: text('{max} stars', { max }),
  }))

export const NUMBER_FORMATS: readonly Choice[] = [
  { value: '', label: textKey('plain') },
  { value: 'percentage', label: textKey('percent') },
  { value: 'currency', label: textKey('money') },
]
