/** Checks elements as clients give them. What Excalidraw makes passes, whatever further keys it has. */
import type { Kept } from '../../../storage/elements.ts'
import { invalid } from '../../errors.ts'
import { ELEMENT_ID_LENGTH } from '../../limits.ts'
import { isUnsafe, unsafeAddress } from '../../markdown/addresses.ts'
import { Faults } from '../faults.ts'

/** An element, asset or state as it was given. */
export type Json = Record<string, unknown>

/** An element whose ID was checked. */
export type Element = Json & { id: string }

/**
 * @param required  what each element must say, a string that is not empty
 * @throws VALIDATION_ERROR with the path of every fault, and for IDs that come twice
 */
export function checkElements(elements: readonly unknown[], required: readonly ('id' | 'type')[]): Element[] {
  const faults = new Faults()
  for (const [index, element] of elements.entries()) {
    const path = `elements[${index}]`
    if (!isObject(element)) {
      faults.add(path, `Expected an element as an object, found ${shown(element)}.`)
      continue
    }
    for (const key of WORDS) {
      // What an update says of the type must be one as well.
      const isAsked = required.includes(key) || element[key] !== undefined
      if (isAsked && !isWord(element[key])) faults.add(`${path}.${key}`, wordExpected(element[key]))
    }
    checkNumbers(element, path, faults)
    checkAddress(element, path, faults)
  }
  faults.refuse()
  const checked = elements as readonly Element[]
  const [first, ...more] = repeated(checked.map(({ id }) => id))
  if (first === undefined) return [...checked]
  throw invalid(
    `Expected each element ID once, found more than once: ${[first, ...more].join(', ')}; give each one ID.`,
  )
}

const WORDS = ['id', 'type'] as const

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isWord = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= ELEMENT_ID_LENGTH

function wordExpected(value: unknown): string {
  if (value === undefined) return 'Expected a string, found none; give it.'
  const found = typeof value === 'string' ? value.length.toLocaleString('en-US') : shown(value)
  return `Expected a string of 1 to ${ELEMENT_ID_LENGTH} characters, found ${found}.`
}

/** JSON can be written with numbers that are none: `1e999`. */
export function checkNumbers(given: unknown, path: string, faults: Faults): void {
  // There hardly ever is one: paths are made only when there is.
  if (faults.areMany || isKeepable(given)) return
  if (typeof given !== 'object' || given === null) {
    faults.add(path, 'Expected a number that can be kept, found one beyond 1.8e308; give a smaller one.')
    return
  }
  for (const [key, inner] of Object.entries(given)) {
    checkNumbers(inner, Array.isArray(given) ? `${path}[${key}]` : `${path}.${key}`, faults)
  }
}

/** Of an element its link, of an asset its data. */
export function checkAddress(given: unknown, path: string, faults: Faults): void {
  if (!isObject(given)) return
  const { link, dataURL } = given
  if (typeof link === 'string' && isUnsafe(link)) faults.add(`${path}.link`, unsafeAddress(link))
  if (typeof dataURL === 'string' && isUnsafe(dataURL, true)) faults.add(`${path}.dataURL`, unsafeAddress(dataURL))
}

/** As deep as the frame lets arguments be. */
function isKeepable(given: unknown): boolean {
  if (typeof given === 'number') return Number.isFinite(given)
  if (typeof given !== 'object' || given === null) return true
  if (Array.isArray(given)) return given.every(isKeepable)
  for (const key in given) if (!isKeepable((given as Json)[key])) return false
  return true
}

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 60)

function repeated(ids: readonly string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(ids.filter((id) => seen.size === seen.add(id).size))
}

export const toKept = (element: Element): Kept => ({ id: element.id, json: JSON.stringify(element) })
