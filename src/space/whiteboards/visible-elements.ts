/**
 * Returns whiteboard content as a connection may see it. Masks the links of elements and the addresses of blocks in
 * their texts. Assets only contain images.
 */
import type { StoredElement } from '../../../storage/elements.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { INVALID_UNSAFE, isUnsafeAddress } from '../../markdown/addresses.ts'
import { mapStrings, stringsIn } from '../content/visible-fields.ts'
import { type VisiblePlainText, visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import type { JsonObject } from './element-input.ts'

/** Matches JSON that may contain something to hide. */
const MAY_NEED_MASKING = /block:|scriptorium:|\/d\/|"link":"/i

/** Parses stored elements or a stored app state and masks what the connection may not see. */
export async function visibleJson(space: Space, stored: readonly string[]): Promise<JsonObject[]> {
  // Parsing everything as one array is twice as fast as parsing each text separately.
  const values = JSON.parse(`[${stored.join(',')}]`) as JsonObject[]
  const toMask = stored.flatMap((json, index) => (MAY_NEED_MASKING.test(json) ? [index] : []))
  if (toMask.length === 0) return values
  const visibleText = await visiblePlainText(
    space,
    toMask.flatMap((index) => stringsIn(values[index])),
  )
  for (const index of toMask) {
    values[index] = maskJson(values[index], visibleText)
    await yieldToEventLoop()
  }
  return values
}

export const visibleElements = (space: Space, stored: readonly StoredElement[]): Promise<JsonObject[]> =>
  visibleJson(
    space,
    stored.map(({ json }) => json),
  )

const maskJson = (value: unknown, visibleText: VisiblePlainText): JsonObject =>
  mapStrings(value, (text, key) => visibleText.text(key === 'link' ? visibleText.address(text) : text)) as JsonObject

/** Returns a stored asset. If its data URL is unsafe, a placeholder replaces it. */
export function visibleAsset(asset: unknown): unknown {
  const { dataURL } = (asset ?? {}) as { dataURL?: unknown }
  return typeof dataURL === 'string' && isUnsafeAddress(dataURL, true)
    ? { ...(asset as JsonObject), dataURL: INVALID_UNSAFE }
    : asset
}
