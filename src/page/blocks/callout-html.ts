/** The titles of the callouts that begin at a block. */
import type { BlockFields, CalloutLevel } from '../../markdown/block.ts'
import { calloutColor } from '../../markdown/callout-kinds.ts'
import { calloutLevels, sharedCallouts } from '../../markdown/callout-levels.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { text } from '../texts/text.ts'
import { colorAttributes } from './color-attributes.ts'
import { toneOf } from './tones.ts'

type InCallout = Pick<BlockFields, 'decorations'>

/** How many callouts of the block above go on in this one, for the script that folds them. */
export function continuedCallouts(before: InCallout | undefined, block: InCallout): Html {
  const shared = sharedCallouts(before, block)
  return shared === 0 ? NOTHING : html` data-goes-on="${shared}"`
}

/** The icon and the title of a callout. The icon is a character, or the name of a kind, which stands in for a title. */
export function calloutTitle({ title, icon = '' }: CalloutLevel): string {
  const isName = isKind(icon)
  const name = title ?? (isName ? icon.charAt(0).toUpperCase() + icon.slice(1) : '')
  return `${isName || icon === '' ? '' : `${icon} `}${name}`.trim()
}

/** True if the icon of a callout is the name of a kind. */
export const isKind = (icon: string): boolean => /^[A-Za-z][\w-]*$/.test(icon)

/** A callout with a title, or one that is folded, has a button that folds it. Without scripts, all of it is shown. */
export function calloutHeads(before: InCallout | undefined, block: InCallout): Html[] {
  const shared = sharedCallouts(before, block)
  return calloutLevels(block)
    .slice(shared)
    .flatMap((level, index) => {
      const { icon = '', color = calloutColor(icon), folded = false } = level
      const title = calloutTitle(level)
      if (title === '' && !folded) return []
      const tone = color === undefined ? '' : ` tone-${toneOf(color)}`
      const shown = title || text('Callout')
      const depth = shared + index + 1
      return [
        html`<div class="callout-title${tone}"${colorAttributes(color)}><button class="callout-fold" type="button" data-depth="${depth}"${folded && html` data-folded`}>${shown}</button></div>`,
      ]
    })
}
