/** Validates elements from clients. Everything that Excalidraw produces is accepted, with any additional keys. */

import type { StoredElement } from '../../../storage/elements.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { isObject } from '../../base/is-object.ts'
import { ELEMENT_ID_LENGTH, ELEMENTS_PER_CALL } from '../../base/limits.ts'
import { describeUnsafeAddress, isUnsafeAddress } from '../../markdown/addresses.ts'
import { InputErrors } from '../model/input-errors.ts'
import { ELEMENT_TYPES, elementTypeNamed } from './element-types.ts'

/** An element, asset or app state as the client sent it. */
export type JsonObject = Record<string, unknown>

/** An element whose ID has been checked. */
export type ElementInput = JsonObject & { id: string }

/**
 * @param required  keys that each element must have, with a string that is not empty
 * @throws VALIDATION_ERROR with the path of every error, or for duplicate IDs
 */
export function validateElements(elements: readonly unknown[], required: readonly ('id' | 'type')[]): ElementInput[] {
  const errors = new InputErrors()
  for (const [index, element] of elements.entries()) {
    const path = `elements[${index}]`
    if (!isObject(element)) {
      errors.add(path, `Expected an element as an object, found ${formatValue(element)}.`)
      continue
    }
    for (const key of STRING_KEYS) {
      // In an update, a type is optional but must be valid.
      const isAsked = required.includes(key) || element[key] !== undefined
      if (isAsked && !isIdentifier(element[key])) errors.add(`${path}.${key}`, expectedStringMessage(element[key]))
    }
    if (required.includes('type') && isIdentifier(element.type)) validateType(element, path, errors)
    validateNumbers(element, path, errors)
    validateAddresses(element, path, errors)
    validateParts(element, path, errors)
  }
  errors.throwIfAny()
  const checked = (elements as readonly ElementInput[]).map(withKnownType)
  const [first, ...more] = findDuplicates(checked.map(({ id }) => id))
  if (first === undefined) return checked
  throw invalid(
    `Expected each element ID once, found more than once: ${[first, ...more].join(', ')}; give each one ID.`,
  )
}

/** Keys of skeletons whose values become separate elements. */
const PART_KEYS = ['label', 'start', 'end'] as const

function validateParts(element: JsonObject, path: string, errors: InputErrors): void {
  for (const key of PART_KEYS) {
    const part = element[key]
    if (!isObject(part)) continue
    if (part.id !== undefined && !isIdentifier(part.id)) errors.add(`${path}.${key}.id`, expectedStringMessage(part.id))
    validateAddresses(part, `${path}.${key}`, errors)
  }
  const { children } = element
  if (!Array.isArray(children) || children.length <= ELEMENTS_PER_CALL) return
  const found = formatNumber(children.length)
  errors.add(
    `${path}.children`,
    `Expected at most ${ELEMENTS_PER_CALL} elements in a frame, found ${found}; name fewer.`,
  )
}

const STRING_KEYS = ['id', 'type'] as const

function validateType({ type }: JsonObject, path: string, errors: InputErrors): void {
  if (elementTypeNamed(String(type)) === undefined) errors.add(`${path}.type`, unknownTypeMessage(type))
}

export const unknownTypeMessage = (type: unknown): string =>
  `Expected one of ${ELEMENT_TYPES.slice(0, DRAWN_TYPES).join(', ')}, found ${formatValue(type)}.`

/** The last two types only occur in old drawings and are not offered in messages. */
const DRAWN_TYPES = -2

/** Replaces other names for a type: `Circle` becomes `ellipse`. */
function withKnownType(element: ElementInput): ElementInput {
  if (element.type === undefined) return element
  const type = elementTypeNamed(String(element.type)) ?? element.type
  return type === element.type ? element : { ...element, type }
}

const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= ELEMENT_ID_LENGTH

function expectedStringMessage(value: unknown): string {
  if (value === undefined) return 'Expected a string, found none; give it.'
  const found = typeof value === 'string' ? formatNumber(value.length) : formatValue(value)
  return `Expected a string of 1 to ${ELEMENT_ID_LENGTH} characters, found ${found}.`
}

/** Rejects numbers that JSON can contain but JavaScript cannot represent, such as `1e999`. */
export function validateNumbers(value: unknown, path: string, errors: InputErrors): void {
  // Invalid numbers are rare, so paths are only built if there is one.
  if (errors.hasTooMany || hasFiniteNumbers(value)) return
  if (typeof value !== 'object' || value === null) {
    errors.add(path, 'Expected a number that can be kept, found one beyond 1.8e308; give a smaller one.')
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    validateNumbers(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, errors)
  }
}

/** Checks the link of an element, or the data URL of an asset. */
export function validateAddresses(value: unknown, path: string, errors: InputErrors): void {
  if (!isObject(value)) return
  const { link, dataURL } = value
  if (typeof link === 'string' && isUnsafeAddress(link)) errors.add(`${path}.link`, describeUnsafeAddress(link))
  if (typeof dataURL === 'string' && isUnsafeAddress(dataURL, true))
    errors.add(`${path}.dataURL`, describeUnsafeAddress(dataURL))
}

/** Recursion is safe here: the nesting depth of arguments is limited before. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(hasFiniteNumbers)
  for (const key in value) if (!hasFiniteNumbers((value as JsonObject)[key])) return false
  return true
}

const formatValue = (value: unknown): string => String(JSON.stringify(value)).slice(0, 60)

function findDuplicates(ids: readonly string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(ids.filter((id) => seen.size === seen.add(id).size))
}

export const toStoredElement = (element: ElementInput): StoredElement => ({
  id: element.id,
  json: JSON.stringify(element),
})
