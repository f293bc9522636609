/** The field of a relation that says when the items that others wait for are done. */
import { isDeepStrictEqual } from 'node:util'
import { shownTitle } from '../../markdown/shown-title.ts'
import { selectField } from '../form-page.ts'
import type { Html } from '../html.ts'
import type { CollectionSchema, PropertyEntry, PropertyInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** The most choices that the field has. */
const CHOICES = 200

/** The choice of a relation that no item waits for, and that of one whose rule stays as it is. */
const NONE = ''
const AS_BEFORE = 'as-before'

interface DependencyChoice {
  value: string
  label: string
  dependsOn: { done: { property: string; filterType: string; filterValue: unknown } }
}

/** A choice for each checkbox, and for each option of a select. */
function choicesOf({ properties }: Pick<CollectionSchema, 'properties'>): DependencyChoice[] {
  const all = properties.flatMap(({ key, name, type, options = [] }): DependencyChoice[] => {
    const shown = shownTitle(name)
    if (type === 'boolean') {
      const done = { property: key, filterType: 'equals', filterValue: true }
      return [{ value: key, label: text('until {shown} is ticked', { shown }), dependsOn: { done } }]
    }
    if (type !== 'singleSelect') return []
    return options.map((option) => {
      const done = { property: key, filterType: 'select_isAnyOf', filterValue: [option.name] }
      return {
        value: `${key}=${option.name}`,
        label: text('until {shown} is {name}', { shown, name: shownTitle(option.name) }),
        dependsOn: { done },
      }
    })
  })
  return all.slice(0, CHOICES)
}

/** The choice that a relation has now. */
export function dependencyOf(schema: Pick<CollectionSchema, 'properties'>, column: PropertyEntry | undefined): string {
  const { dependsOn } = column?.config ?? {}
  if (dependsOn === undefined) return NONE
  return choicesOf(schema).find((choice) => isDeepStrictEqual(choice.dependsOn, dependsOn))?.value ?? AS_BEFORE
}

/** The field. @param chosen  the choice that is shown */
export const dependencyField = (schema: CollectionSchema, chosen: string): Html =>
  selectField(text('Items wait for these'), 'dependsOn', chosen, [
    { value: NONE, label: text('no') },
    ...(chosen === AS_BEFORE ? [{ value: AS_BEFORE, label: text('as before') }] : []),
    ...choicesOf(schema),
  ])

/** The config that a choice becomes; none if it is as before. */
export function dependencyConfig(
  schema: Pick<CollectionSchema, 'properties'>,
  chosen: string,
  before: PropertyEntry | undefined,
): Pick<PropertyInput, 'config'> {
  if (chosen === dependencyOf(schema, before)) return {}
  const dependsOn = chosen === NONE ? false : choicesOf(schema).find(({ value }) => value === chosen)?.dependsOn
  return dependsOn === undefined ? {} : ({ config: { dependsOn } } as Pick<PropertyInput, 'config'>)
}
