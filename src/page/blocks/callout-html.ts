/** The titles of the callouts that begin at a block. */
import type { BlockFields } from '../../markdown/block.ts'
import { calloutColor } from '../../markdown/callout-kinds.ts'
import { calloutLevels, sharedCallouts } from '../../markdown/callout-levels.ts'
import { type Html, html } from '../html.ts'
import { colorAttributes } from './color-attributes.ts'
import { toneOf } from './tones.ts'

type InCallout = Pick<BlockFields, 'decorations'>

export function calloutHeads(before: InCallout | undefined, block: InCallout): Html[] {
  return calloutLevels(block)
    .slice(sharedCallouts(before, block))
    .flatMap(({ title, icon = '', color = calloutColor(icon) }) => {
      // The icon is a character, or the name of a kind, which stands in for a title.
      const isName = /^[A-Za-z][\w-]*$/.test(icon)
      const words = title ?? (isName ? icon.charAt(0).toUpperCase() + icon.slice(1) : '')
      if (words === '' && icon === '') return []
      const tone = color === undefined ? '' : ` tone-${toneOf(color)}`
      return [
        html`<div class="callout-title${tone}"${colorAttributes(color)}>${isName ? '' : `${icon} `}${words}</div>`,
      ]
    })
}
