/** Checks a drawing and expands its skeletons, so that only rows are left to write. */

import type { StoredElement } from '../../../storage/elements.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_ELEMENTS, IMPORT_ELEMENTS_LENGTH } from '../../base/limits.ts'
import { InputErrors } from '../model/input-errors.ts'
import { toStoredElement, validateAddresses, validateElements, validateNumbers } from '../whiteboards/element-input.ts'
import { expandSkeletons } from '../whiteboards/expand-skeletons.ts'
import type { ImportDrawing } from './imported-content.ts'

/** The content of a drawing in Excalidraw's format. Elements may be skeletons. */
export interface RawDrawing {
  elements: readonly object[]
  assets?: Record<string, unknown>
  appState?: Record<string, unknown>
}

/** @throws VALIDATION_ERROR for invalid elements or addresses, and for more elements than an import takes */
export function prepareDrawing({ elements, assets = {}, appState }: RawDrawing): ImportDrawing {
  if (elements.length > IMPORT_ELEMENTS) throw tooManyElements(elements.length)
  const errors = new InputErrors()
  validateNumbers(assets, 'assets', errors)
  validateNumbers(appState, 'appState', errors)
  for (const [id, asset] of Object.entries(assets)) validateAddresses(asset, `assets.${id}`, errors)
  errors.throwIfAny()
  const { added } = expandSkeletons(validateElements(elements, ['id', 'type']), [])
  const stored = added.map(toStoredElement)
  const length = stored.reduce((sum, { json }) => sum + json.length, 0)
  if (length > IMPORT_ELEMENTS_LENGTH) throw elementsTooLong(length)
  const hasState = appState !== undefined && Object.keys(appState).length > 0
  return {
    elements: stored,
    assets: Object.entries(assets).map(([id, asset]): StoredElement => ({ id, json: JSON.stringify(asset) })),
    ...(hasState && { appState: JSON.stringify(appState) }),
  }
}

const tooManyElements = (count: number) =>
  invalid(
    `Expected at most ${formatNumber(IMPORT_ELEMENTS)} elements in a drawing, found ${formatNumber(count)}; make several drawings of it.`,
  )

const elementsTooLong = (length: number) =>
  invalid(
    `Expected elements of at most ${formatNumber(IMPORT_ELEMENTS_LENGTH)} characters as JSON in a drawing, found ${formatNumber(length)}; make several drawings of it.`,
  )
