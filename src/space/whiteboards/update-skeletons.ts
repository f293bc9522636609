/** What short forms of elements mean of those that are on a board already. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../base/errors.ts'
import type { ElementInput, JsonObject } from './element-input.ts'
import { isShape } from './element-types.ts'
import { newElementId } from './expand-skeletons.ts'
import { bindLabel, type PlacedElement } from './skeleton-labels.ts'

/** Keys that change what an arrow or a frame holds together. */
const GROUPING_KEYS = ['start', 'end', 'children'] as const

/**
 * The label that an update gives a shape or arrow.
 *
 * @throws VALIDATION_ERROR for other keys of short forms that say something new
 */
export function newLabelOf(given: ElementInput, old: ElementInput): JsonObject | undefined {
  for (const key of GROUPING_KEYS) {
    const isObject = typeof given[key] === 'object' && given[key] !== null
    if (isObject && !isDeepStrictEqual(given[key], old[key])) throw groupingError(given.id, key)
  }
  const label = given.label as JsonObject | null | undefined
  const isLabelled = isShape(old.type) || old.type === 'arrow'
  if (!isLabelled || typeof label?.text !== 'string' || isDeepStrictEqual(label, old.label)) return undefined
  return label
}

/**
 * Gives a shape or arrow another text.
 *
 * @param text  the one that stands in it
 * @returns both as they are then
 */
export function relabel(
  container: ElementInput,
  text: ElementInput | undefined,
  label: JsonObject,
): { container: ElementInput; text: ElementInput } {
  const { label: _, ...rest } = structuredClone(container) as PlacedElement & { label?: unknown }
  const id = text?.id ?? newElementId(container.id, 'label', new Set([container.id]))
  // Its size follows from its new text.
  const { width: _width, height: _height, ...kept } = (text ?? {}) as JsonObject
  const bound = bindLabel(rest as PlacedElement, { ...kept, ...label }, id)
  return { container: rest as ElementInput, text: bound }
}

const groupingError = (id: string, key: string) =>
  invalid(
    `Expected \`${key}\` of ${id} only when it is added, found it in an update; delete ${id} with elements_delete, and add it again with elements_add and \`${key}\`. Nothing was written.`,
  )
