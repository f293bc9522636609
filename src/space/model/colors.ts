/** Colours of blocks. Adjusts any colour so that it is readable on white, and derives a variant for dark screens. */
import {
  clampChroma,
  converter,
  useMode as enable,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  type Oklch,
  wcagContrast,
} from 'culori/fn'
import { invalid } from '../../base/errors.ts'

for (const mode of [modeRgb, modeLrgb, modeOklab, modeOklch]) enable(mode as typeof modeRgb)
const toOklch = converter('oklch')

/** The minimum contrast between text and background. Source: WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5
const LIGHT_BACKGROUND = '#ffffff'
const DARK_BACKGROUND = '#1c1c1e'

/**
 * @param input  `#` and six hex digits, in either case
 * @returns the nearest colour of the same hue with a contrast of 4.5 on white (the input itself if it qualifies), and
 *   the nearest that is readable on a dark background; in lower case. A colour that this function returned is returned
 *   unchanged.
 */
export function readableColor(input: string): { color: string; colorDark: string } {
  if (!/^#[0-9a-f]{6}$/i.test(input)) {
    throw invalid(`Expected a color as # and six hex digits such as #1a7f37, found "${input}".`)
  }
  const color = input.toLowerCase()
  return { color: adjustLightness(color, LIGHT_BACKGROUND, 0), colorDark: adjustLightness(color, DARK_BACKGROUND, 1) }
}

// Bisects lightness towards black or white until the contrast is just reached. Hue stays, and so does chroma as far as
// screens can show it.
function adjustLightness(color: string, background: string, limit: 0 | 1): string {
  if (wcagContrast(color, background) >= MIN_CONTRAST) return color
  const start = toOklch(color)
  if (start === undefined) return color
  let readable = limit as number
  let unreadable = start.l
  for (let step = 0; step < 20; step++) {
    const middle = (readable + unreadable) / 2
    if (wcagContrast(withLightness(start, middle), background) >= MIN_CONTRAST) readable = middle
    else unreadable = middle
  }
  return withLightness(start, readable)
}

const withLightness = (color: Oklch, l: number): string => formatHex(clampChroma({ ...color, l }, 'oklch'))
