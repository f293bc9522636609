/**
 * Tests an item as it once was. The list of items tests those of now in the database (see `storage/item-query.ts`); both
 * give the same answer.
 */
import { type Field, type ItemCondition, isTextCondition, type TextCondition } from '../../../storage/item-query.ts'
import { rangeOfDates } from '../collections/schema/date-ranges.ts'
import { matchesText } from '../collections/views/select-items.ts'
import type { ItemState, ItemValue } from './item-states.ts'

/**
 * True if the item meets the condition.
 *
 * @param seen  a text as the connection may see it
 */
export function meetsCondition(item: ItemState, condition: ItemCondition, seen: (text: string) => string): boolean {
  return meets(item, condition, seen) !== (condition.not ?? false)
}

function meets(item: ItemState, condition: ItemCondition, seen: (text: string) => string): boolean {
  const { field } = condition
  const values = field.kind === 'title' ? [] : item.values.filter(({ property }) => property === field.property)
  const isText: boolean = isTextCondition(condition)
  if (isText) {
    const texts = field.kind === 'title' ? [item.title] : values.flatMap(({ text }) => text ?? [])
    return texts.some((text) => matchesText(condition as TextCondition, seen(text)))
  }
  switch (condition.test) {
    case 'present':
      return field.kind === 'title' ? item.title !== '' : values.length > 0
    case 'compares':
      return values.some((value) => compares(field.kind, value, condition))
    case 'anyOf':
      return countAmong(field.kind, values, condition.numbers) > 0
    case 'allOf':
      return countAmong(field.kind, values, condition.numbers) === condition.numbers.length
    case 'exactly': {
      const count = condition.numbers.length
      return values.length === count && countAmong(field.kind, values, condition.numbers) === count
    }
    case 'contains':
    case 'isReady':
    case 'isBlocked':
      throw new Error(`Expected a condition on the values of one item, found ${condition.test}.`)
  }
}

const countAmong = (kind: Field['kind'], values: readonly ItemValue[], numbers: readonly number[]): number =>
  values.filter((value) =>
    numbers.includes(value[kind === 'option' ? 'option' : kind === 'member' ? 'number' : 'target'] ?? NaN),
  ).length

type Comparison = Extract<ItemCondition, { test: 'compares' }>

function compares(kind: Field['kind'], { text, number }: ItemValue, { operator, value }: Comparison): boolean {
  if (kind === 'date') return comparesDates(text ?? '', operator, String(value))
  const found = typeof value === 'number' ? number : text
  return found !== null && COMPARE[operator](found, value)
}

const COMPARE: Record<Comparison['operator'], (one: string | number, other: string | number) => boolean> = {
  '=': (one, other) => one === other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
}

/** A range is before a day if all of it is, after a day if all of it is, and equal to each day that it contains. */
function comparesDates(stored: string, operator: Comparison['operator'], day: string): boolean {
  const { start, end } = rangeOfDates(stored)
  if (operator === '<') return end < day
  if (operator === '>') return start > day
  return start <= day && end >= day
}
