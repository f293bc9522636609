/** Options as callers name them. */
import type { PropertyType } from '../../../../storage/schema.ts'

/** The name of the option that a word means: in another letter case if only one has it. Undefined for none. */
export function optionNamed(options: readonly { name: string }[], word: string): string | undefined {
  if (options.some(({ name }) => name === word)) return word
  const same = options.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase())
  return same.length === 1 ? same[0]?.name : undefined
}

/** The names that a text lists, if it is no name itself and all that it lists are options: `a, b`. */
export function optionsListed(options: readonly { name: string }[], text: string): string[] | undefined {
  if (!text.includes(',') || optionNamed(options, text) !== undefined) return undefined
  const parts = text.split(',').map((part) => optionNamed(options, part))
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** The options of a filter by name: a list, except for filters that compare with the one value of a single select. */
export function filteredOptions(
  { type, options }: { type: PropertyType | 'title'; options: readonly { n: number; name: string }[] },
  filterType: string,
  numbers: readonly number[],
): string | string[] {
  const names = numbers.map((number) => options.find(({ n }) => n === number)?.name ?? '')
  const [first] = names
  return type === 'singleSelect' && !filterType.startsWith('select_') && first !== undefined ? first : names
}
