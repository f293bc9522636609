/** The picture above the title of a page: `styling.coverImage`. */
import { isObject } from '../base/is-object.ts'
import type { BlockFields } from './block.ts'

type Styled = Pick<BlockFields, 'styling'> & { type: string }

/** The address of the cover of a page; undefined without one, and for other blocks. */
export function coverAddress({ type, styling }: Styled): string | undefined {
  const cover = type === 'page' ? coverOf(styling) : undefined
  return typeof cover?.url === 'string' && cover.url !== '' ? cover.url : undefined
}

/** The fields with another address of the cover. A page without a cover is returned as it is. */
export function withCoverAddress<Fields extends Styled>(fields: Fields, url: string): Fields {
  const cover = coverOf(fields.styling)
  if (cover === undefined || cover.url === url) return fields
  return { ...fields, styling: { ...fields.styling, coverImage: { ...cover, url } } }
}

/** The styling of a page with this cover, or without one. What else it says stays. */
export function stylingWithCover(styling: object | undefined, url: string | undefined): Record<string, unknown> {
  const { coverImage: _before, ...rest } = (styling ?? {}) as Record<string, unknown>
  return url === undefined ? rest : { ...rest, coverImage: { url } }
}

function coverOf(styling: object | undefined): Record<string, unknown> | undefined {
  const cover = (styling as { coverImage?: unknown } | undefined)?.coverImage
  return isObject(cover) ? (cover as Record<string, unknown>) : undefined
}
