/** The types of columns, as named for people. */
import type { Choice } from '../form-page.ts'

export const COLUMN_TYPES: readonly Choice[] = [
  { value: 'text', words: 'Text' },
  { value: 'number', words: 'Number' },
  { value: 'singleSelect', words: 'One of several options' },
  { value: 'multiSelect', words: 'Several options' },
  { value: 'date', words: 'Date' },
  { value: 'boolean', words: 'Box to tick' },
  { value: 'url', words: 'Web address' },
  { value: 'email', words: 'Email address' },
  { value: 'phone', words: 'Phone number' },
  { value: 'relation', words: 'Rows of a collection' },
  { value: 'blockLink', words: 'Document' },
]

export const typeWords = (type: string): string => COLUMN_TYPES.find(({ value }) => value === type)?.words ?? type

export const NUMBER_FORMATS: readonly Choice[] = [
  { value: '', words: 'plain' },
  { value: 'percentage', words: 'percent' },
  { value: 'currency', words: 'money' },
]
