/**
 * What is drawn on a board as a connection may see it: the links of elements, and the addresses of blocks in their texts.
 * Assets hold pictures alone.
 */
import type { Kept } from '../../../storage/elements.ts'
import { breathe } from '../../breathe.ts'
import { isUnsafe, UNSAFE } from '../../markdown/addresses.ts'
import { visibleWords, type Words } from '../links.ts'
import type { Space } from '../space.ts'
import { mapStrings, stringsIn } from '../visible.ts'
import type { Json } from './input.ts'

/** What JSON must hold for some of it to be hidden. */
const MAY_HIDE = /block:|scriptorium:|\/d\/|"link":"/i

/** Elements or a state as they are kept, as the connection may see them. */
export async function visibleJson(space: Space, kept: readonly string[]): Promise<Json[]> {
  // One text for all is read twice as fast as each by itself.
  const values = JSON.parse(`[${kept.join(',')}]`) as Json[]
  const hiding = kept.flatMap((json, index) => (MAY_HIDE.test(json) ? [index] : []))
  if (hiding.length === 0) return values
  const words = await visibleWords(
    space,
    hiding.flatMap((index) => stringsIn(values[index])),
  )
  for (const index of hiding) {
    values[index] = shown(values[index], words)
    await breathe()
  }
  return values
}

export const visibleElements = (space: Space, kept: readonly Kept[]): Promise<Json[]> =>
  visibleJson(
    space,
    kept.map(({ json }) => json),
  )

const shown = (value: unknown, words: Words): Json =>
  mapStrings(value, (text, key) => words.text(key === 'link' ? words.address(text) : text)) as Json

/** An asset as it is kept, but for data that runs something. */
export function visibleAsset(asset: unknown): unknown {
  const { dataURL } = (asset ?? {}) as { dataURL?: unknown }
  return typeof dataURL === 'string' && isUnsafe(dataURL, true) ? { ...(asset as Json), dataURL: UNSAFE } : asset
}
