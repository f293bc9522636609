/** What stands above the title of a page: a picture, `styling.coverImage`, or a color, `styling.coverColor`. */
import { isObject } from '../base/is-object.ts'
import type { BlockFields } from './block.ts'

type Styled = Pick<BlockFields, 'styling'> & { type: string }

/** The address of the cover of a page; undefined without one, and for other blocks. */
export function coverAddress({ type, styling }: Styled): string | undefined {
  const cover = type === 'page' ? coverOf(styling) : undefined
  return typeof cover?.url === 'string' && cover.url !== '' ? cover.url : undefined
}

/** The color of the cover of a page, as `#` and six hex digits; undefined for other values, and with a picture. */
export function coverColor(fields: Styled): string | undefined {
  if (fields.type !== 'page' || coverAddress(fields) !== undefined) return undefined
  const { coverColor: color } = (fields.styling ?? {}) as { coverColor?: unknown }
  return typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined
}

/** The fields with another address of the cover. A page without a cover is returned as it is. */
export function withCoverAddress<Fields extends Styled>(fields: Fields, url: string): Fields {
  const cover = coverOf(fields.styling)
  if (cover === undefined || cover.url === url) return fields
  return { ...fields, styling: { ...fields.styling, coverImage: { ...cover, url } } }
}

/** The styling of a page with this cover, or without one. What else it says stays. */
export function stylingWithCover(styling: object | undefined, cover: Cover | undefined): Record<string, unknown> {
  const { coverImage: _image, coverColor: _color, ...rest } = (styling ?? {}) as Record<string, unknown>
  if (cover === undefined) return rest
  return 'url' in cover ? { ...rest, coverImage: cover } : { ...rest, coverColor: cover.color }
}

export type Cover = { url: string } | { color: string }

function coverOf(styling: object | undefined): Record<string, unknown> | undefined {
  const cover = (styling as { coverImage?: unknown } | undefined)?.coverImage
  return isObject(cover) ? (cover as Record<string, unknown>) : undefined
}
