/** Checks the fields that depend on the type of a property. */

import { RATING_MAXIMA } from '../../../base/ratings.ts'
import type { GivenId } from '../../model/ids.ts'
import type { InputErrors } from '../../model/input-errors.ts'
import type { Property } from './find-collection.ts'
import type { TargetCollection } from './schema-answer.ts'
import type { DependsOnInput, PropertyInput } from './schema-input.ts'

/** The fields that only some types have. */
const FIELDS_BY_TYPE: Record<Property['type'], readonly (keyof PropertyInput)[]> = {
  text: [],
  number: ['config'],
  boolean: [],
  date: [],
  url: [],
  email: [],
  phone: [],
  singleSelect: ['options'],
  multiSelect: ['options'],
  relation: ['config', 'targetCollectionId', 'isBackReference'],
  blockLink: [],
  person: [],
  rating: ['config'],
}
const TYPE_SPECIFIC_FIELDS = ['config', 'options', 'targetCollectionId', 'isBackReference'] as const

/** The part of a planned property that depends on its type. */
export interface PlannedFields {
  type: Property['type']
  config: string | null
  /** Undefined if it stays as it was. What it names is found once the whole schema is written. */
  dependsOn: DependsOnInput | undefined
  /** For new relations. If it is left out, the relation targets its own collection. */
  targetCollectionId: GivenId | undefined
}

/** Plans the type-specific fields of a property. The type and target of an existing property never change. */
export function planFields(
  input: PropertyInput,
  existing: Property | undefined,
  targets: ReadonlyMap<number, TargetCollection>,
  path: string,
  errors: InputErrors,
): PlannedFields {
  const { type } = input
  for (const field of TYPE_SPECIFIC_FIELDS) {
    if (input[field] === undefined || FIELDS_BY_TYPE[type].includes(field)) continue
    const owners = Object.entries(FIELDS_BY_TYPE).flatMap(([owner, fields]) => (fields.includes(field) ? owner : []))
    const message = `Expected ${field} on a ${owners.join(' or ')} property alone, found it on one of type ${type}; leave it out.`
    errors.add(`${path}.${field}`, message)
  }
  if (existing !== undefined && existing.type !== type) {
    const message = `Expected type ${existing.type} of the property ${existing.key}, found ${type}; a property keeps its type. Leave its key out to put a new one in its place, which drops its values.`
    errors.add(`${path}.type`, message)
  }
  const target = type === 'relation' ? findTargetError(input, existing, targets) : undefined
  if (target !== undefined) errors.add(`${path}.${target[0]}`, target[1])
  const { targetCollectionId, config: { dependsOn } = {} } = input
  return { type, config: planConfig(input, existing, path, errors), dependsOn, targetCollectionId }
}

function findTargetError(
  { targetCollectionId, isBackReference }: PropertyInput,
  existing: Property | undefined,
  targets: ReadonlyMap<number, TargetCollection>,
): readonly [field: string, message: string] | undefined {
  if (existing === undefined) {
    if (isBackReference !== true) return undefined
    return [
      'isBackReference',
      'Expected isBackReference on a property that there is, found it on a new one; leave this property out: the other side of a relation is made with it.',
    ]
  }
  const known = existing.target === null ? undefined : targets.get(existing.target)
  if (targetCollectionId === undefined || targetCollectionId.number === known?.id) return undefined
  return [
    'targetCollectionId',
    `Expected the targetCollectionId that the relation ${existing.key} has, found ${targetCollectionId}; a relation keeps its target. Leave its key out and give it another name to add a new one.`,
  ]
}

/** The settings that a type has in its `config`. */
const SETTINGS: { [type in Property['type']]?: readonly (keyof NonNullable<PropertyInput['config']>)[] } = {
  number: ['format', 'currency'],
  rating: ['max'],
  relation: ['dependsOn'],
}

/** A config that is left out stays as it was, and so does the maximum of a rating: a smaller one would drop values. */
function planConfig(
  input: PropertyInput,
  existing: Property | undefined,
  path: string,
  errors: InputErrors,
): string | null {
  const { config, type } = input
  const settings = SETTINGS[type]
  const before = existing?.type === type ? existing.config : null
  if (config === undefined || settings === undefined) return before
  for (const setting of ['format', 'currency', 'max', 'dependsOn'] as const) {
    if (config[setting] === undefined || settings.includes(setting)) continue
    const message = `Expected ${settings.join(' or ')} in the config of a ${type} property, found ${setting}; leave it out.`
    errors.add(`${path}.config.${setting}`, message)
  }
  if (type === 'relation') return before
  return type === 'rating' ? planRating(config, before, path, errors) : planNumber(config, path, errors)
}

type Config = NonNullable<PropertyInput['config']>

function planRating({ max }: Config, before: string | null, path: string, errors: InputErrors): string | null {
  if (max === undefined) return before
  if (!RATING_MAXIMA.includes(max)) {
    errors.add(`${path}.config.max`, `Expected ${RATING_MAXIMA.join(' or ')} stars at most, found ${max}.`)
  }
  return JSON.stringify({ max })
}

function planNumber({ format, currency }: Config, path: string, errors: InputErrors): string | null {
  if (currency !== undefined && !Intl.supportedValuesOf('currency').includes(currency)) {
    const message = `Expected a currency by its three letters of ISO 4217 such as EUR, found ${JSON.stringify(currency)}.`
    errors.add(`${path}.config.currency`, message)
  }
  if (currency !== undefined && format !== 'currency') {
    const message = `Expected a currency with format currency alone, found it with format ${format ?? 'none'}; give the format, or leave it out.`
    errors.add(`${path}.config.currency`, message)
  }
  return format === undefined ? null : JSON.stringify(currency === undefined ? { format } : { format, currency })
}
