/** Applies skeleton keys in updates of existing elements. */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../base/errors.ts'
import type { ElementInput, JsonObject } from './element-input.ts'
import { isShape } from './element-types.ts'
import { newElementId } from './expand-skeletons.ts'
import { bindLabel, type PlacedElement } from './skeleton-labels.ts'

/** Keys that change the bindings of an arrow or the content of a frame. */
const GROUPING_KEYS = ['start', 'end', 'children'] as const

/**
 * Returns the new label that an update gives a shape or arrow, if any.
 *
 * @throws VALIDATION_ERROR if other skeleton keys contain something new
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
 * Changes the text of a shape or arrow.
 *
 * @param text  its current text, if any
 * @returns both elements after the change
 */
export function relabel(
  container: ElementInput,
  text: ElementInput | undefined,
  label: JsonObject,
): { container: ElementInput; text: ElementInput } {
  const { label: _, ...rest } = structuredClone(container) as PlacedElement & { label?: unknown }
  const id = text?.id ?? newElementId(container.id, 'label', new Set([container.id]))
  // The size is computed again for the new text.
  const { width: _width, height: _height, ...kept } = (text ?? {}) as JsonObject
  const bound = bindLabel(rest as PlacedElement, { ...kept, ...label }, id)
  return { container: rest as ElementInput, text: bound }
}

const groupingError = (id: string, key: string) =>
  invalid(
    `Expected \`${key}\` of ${id} only when it is added, found it in an update; delete ${id} with elements_delete, and add it again with elements_add and \`${key}\`. Nothing was written.`,
  )
