/** Plans the options of select properties by comparing a schema from a client with the existing options. */

import type { InputErrors } from '../../model/input-errors.ts'
import { hasOptions } from '../../model/property-traits.ts'
import type { SeenSchema } from '../../model/seen-schemas.ts'
import type { Option, Property } from './find-collection.ts'
import { OPTION_COLORS, type OptionInput, type PropertyInput } from './schema-input.ts'
import { restoreName } from './visible-names.ts'

export interface PlannedOption {
  /** The existing option that this one continues. Undefined for a new option. */
  existing: Option | undefined
  /** As it is to be stored. */
  name: string
  color: string
}

/** The color of a new option at this position if the client gives none. */
export const defaultOptionColor = (position: number): string => OPTION_COLORS[position % OPTION_COLORS.length] ?? 'gray'

/** If no options are given, an existing select keeps its options. */
export function planOptions(
  input: PropertyInput,
  existing: Property | undefined,
  path: string,
  errors: InputErrors,
): PlannedOption[] {
  if (!hasOptions(input)) return []
  const { options } = input
  const before = existing?.options ?? []
  if (options === undefined) return before.map(asPlanned)
  const seen = new Set<string>()
  const renamed = new Set(options.map(({ renamedFrom }) => renamedFrom))
  const taken = new Set<Option>()
  return options.map((option, index): PlannedOption => {
    const at = `${path}.options[${index}]`
    const name = option.name.trim()
    if (name === '') errors.add(`${at}.name`, 'Expected a name, found none; give it.')
    if (seen.has(name)) {
      const message = `Expected each option once, found ${JSON.stringify(name)} twice; leave one of them out.`
      errors.add(`${at}.name`, message)
    }
    seen.add(name)
    const found = findExistingOption(option, name, before, renamed, at, errors)
    if (found !== undefined && taken.has(found)) {
      const message = `Expected each option renamed once, found ${JSON.stringify(found.name)} twice; leave renamedFrom out on one of them.`
      errors.add(`${at}.renamedFrom`, message)
    }
    if (found !== undefined) taken.add(found)
    return {
      existing: found,
      name: restoreName(name, found),
      color: option.color ?? found?.color ?? defaultOptionColor(index),
    }
  })
}

/** An existing option as it is. */
export const asPlanned = (option: Option): PlannedOption => ({
  ...{ existing: option, name: option.storedName, color: option.color },
})

/** The options of a property that the plan leaves out and that the connection has not seen. */
export function unseenOptions(
  planned: readonly PlannedOption[],
  property: Property | undefined,
  { options }: SeenSchema,
): Option[] {
  if (property === undefined) return []
  const kept = new Set(planned.map(({ existing }) => existing))
  return property.options.filter((option) => !kept.has(option) && !options.has(option.n))
}

function findExistingOption(
  { renamedFrom }: OptionInput,
  name: string,
  before: readonly Option[],
  renamed: ReadonlySet<string | undefined>,
  path: string,
  errors: InputErrors,
): Option | undefined {
  // A name from which another option is renamed is free for a new option.
  if (renamedFrom === undefined) return renamed.has(name) ? undefined : before.find((option) => option.name === name)
  const found = before.find((option) => option.name === renamedFrom)
  if (found === undefined) {
    const known = before.map((option) => option.name).join(', ') || 'it has none yet'
    const message = `Expected an option that the property has (${known}), found ${JSON.stringify(renamedFrom)}; leave renamedFrom out for a new option.`
    errors.add(`${path}.renamedFrom`, message)
  }
  return found
}
