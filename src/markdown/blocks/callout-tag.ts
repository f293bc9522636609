/** The tag `<callout>`, with the properties of a callout. */
import { invalid } from '../../base/errors.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import type { CalloutLevel } from '../block.ts'
import { ICON_LENGTH } from '../callout-levels.ts'
import type { BlockTag } from './block-tags.ts'
import { formatPlace } from './format-place.ts'
import { formatAttribute, parseAttributes } from './page.ts'

export const calloutStart = ({ title, color, icon, folded }: CalloutLevel): string =>
  `<callout${formatAttribute('title', title)}${formatAttribute('color', color)}${formatAttribute('icon', icon)}${folded ? ' folded="true"' : ''}>`

/** @throws VALIDATION_ERROR for attributes that a callout does not have */
export function calloutFields(tag: BlockTag): CalloutLevel {
  const level: CalloutLevel = {}
  for (const [name, value] of parseAttributes(tag)) {
    const isRight =
      name === 'title'
        ? value.length <= TITLE_LENGTH && !value.includes('\n')
        : name === 'color'
          ? /^#[0-9a-fA-F]{6}$/.test(value)
          : name === 'icon'
            ? value.length <= ICON_LENGTH && !value.includes('\n')
            : name === 'folded' && (value === 'true' || value === 'false')
    if (!isRight) {
      throw invalid(
        `Expected title, icon, color (six hex digits after #) and folded ("true") on <callout>, found ${name}="${value.slice(0, 50)}" at ${formatPlace(tag.line, tag.column)}; use one of them or leave it out.`,
      )
    }
    if (name === 'folded') {
      if (value === 'true') level.folded = true
    } else if (value !== '') level[name as 'title' | 'color' | 'icon'] = value
  }
  return level
}
