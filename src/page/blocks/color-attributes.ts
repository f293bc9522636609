/** The colors of blocks and callouts on pages. The policy of the pages does not allow style attributes. */
import { displayColors, isColor } from '../../space/model/colors.ts'
import { type Html, NOTHING, trusted } from '../html.ts'

/** The variants of a color for both themes. Browsers that cannot read colors from attributes show its tone instead. */
export function colorAttributes(color: string | undefined): Html {
  if (color === undefined || !isColor(color)) return NOTHING
  const { light, dark } = displayColors(color)
  return trusted(` data-light="${light}" data-dark="${dark}"`)
}
