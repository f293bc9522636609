/** Checks elements as clients give them. What Excalidraw makes passes, whatever further keys it has. */
import type { Kept } from '../../../storage/elements.ts'
import { type Fault, faultsFound, invalid } from '../../errors.ts'
import { ELEMENT_ID_LENGTH } from '../../limits.ts'

/** An element, asset or state as it was given. */
export type Json = Record<string, unknown>

/** An element whose ID was checked. */
export type Element = Json & { id: string }

/**
 * @param required  what each element must say, a string that is not empty
 * @throws VALIDATION_ERROR with the path of every fault, and for IDs that come twice
 */
export function checkElements(elements: readonly Json[], required: readonly ('id' | 'type')[]): Element[] {
  const faults: Fault[] = []
  for (const [index, element] of elements.entries()) {
    for (const key of required) {
      if (!isWord(element[key])) faults.push({ path: `elements[${index}].${key}`, message: wordExpected(element[key]) })
    }
    // What an update says of the type must be one as well.
    if (!required.includes('type') && element.type !== undefined && !isWord(element.type)) {
      faults.push({ path: `elements[${index}].type`, message: wordExpected(element.type) })
    }
    checkNumbers(element, `elements[${index}]`, faults)
  }
  if (faults.length > 0) throw faultsFound(faults)
  const checked = elements as readonly Element[]
  const [first, ...more] = repeated(checked.map(({ id }) => id))
  if (first === undefined) return [...checked]
  throw invalid(
    `Expected each element ID once, found more than once: ${[first, ...more].join(', ')}; give each one ID.`,
  )
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= ELEMENT_ID_LENGTH

function wordExpected(value: unknown): string {
  if (value === undefined) return 'Expected a string, found none; give it.'
  const found = typeof value === 'string' ? value.length.toLocaleString('en-US') : String(JSON.stringify(value))
  return `Expected a string of 1 to ${ELEMENT_ID_LENGTH} characters, found ${found.slice(0, 60)}.`
}

/** JSON can be written with numbers that are none: `1e999`. */
export function checkNumbers(given: unknown, path: string, faults: Fault[]): void {
  if (typeof given === 'number' && !Number.isFinite(given)) {
    faults.push({ path, message: 'Expected a number that can be kept, found one beyond 1.8e308; give a smaller one.' })
  }
  if (typeof given !== 'object' || given === null) return
  if (Array.isArray(given)) {
    for (let index = 0; index < given.length; index++) {
      // Thousands of points: their path is made only when it is needed.
      const inner: unknown = given[index]
      if (typeof inner === 'object' || !Number.isFinite(inner)) checkNumbers(inner, `${path}[${index}]`, faults)
    }
    return
  }
  for (const key in given) {
    const inner = (given as Json)[key]
    if (typeof inner === 'object' || typeof inner === 'number') checkNumbers(inner, `${path}.${key}`, faults)
  }
}

function repeated(ids: readonly string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(ids.filter((id) => seen.size === seen.add(id).size))
}

export const toKept = (element: Element): Kept => ({ id: element.id, json: JSON.stringify(element) })
