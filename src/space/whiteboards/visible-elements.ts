/**
 * Returns whiteboard content as a connection may see it. Masks the links of elements, and the addresses of blocks in
 * all texts.
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

/**
 * Parses stored assets and masks what the connection may not see. A placeholder replaces an unsafe data URL. Images are
 * not searched for addresses.
 */
export async function visibleAssets(space: Space, stored: readonly string[]): Promise<unknown[]> {
  const assets = stored.map((json): unknown => JSON.parse(json))
  const visibleText = await visiblePlainText(
    space,
    assets.flatMap(stringsIn).filter((text) => !IMAGE.test(text)),
  )
  const shown = (text: string, key: string) => {
    if (key === 'dataURL' && isUnsafeAddress(text, true)) return INVALID_UNSAFE
    return IMAGE.test(text) ? text : visibleText.text(text)
  }
  return assets.map((asset) => mapStrings(asset, shown))
}

const IMAGE = /^data:/i
