/** Colours of blocks: readable on white whatever was asked for, with a variant for dark screens beside them. */
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

/** Contrast of text to its ground. Source: WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5
const LIGHT_BACKGROUND = '#ffffff'
const DARK_BACKGROUND = '#1c1c1e'

/**
 * @param input  `#` and six hex digits, in either case
 * @returns the nearest colour of the same hue that reads on white at a contrast of 4.5 (the one asked for, if it
 *   does), and the nearest that reads on a dark ground; lower case. A returned colour is returned as it is.
 */
export function readableColor(input: string): { color: string; colorDark: string } {
  if (!/^#[0-9a-f]{6}$/i.test(input)) {
    throw invalid(`Expected a color as # and six hex digits such as #1a7f37, found "${input}".`)
  }
  const color = input.toLowerCase()
  return { color: adjustLightness(color, LIGHT_BACKGROUND, 0), colorDark: adjustLightness(color, DARK_BACKGROUND, 1) }
}

// Lightness is halved towards black or white until the contrast is just reached; hue and, as far as screens can
// show it, chroma stay.
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
