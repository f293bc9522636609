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
import { invalid } from '../errors.ts'

for (const mode of [modeRgb, modeLrgb, modeOklab, modeOklch]) enable(mode as typeof modeRgb)
const oklch = converter('oklch')

/** Contrast of text to its ground. Source: WCAG 2.2, success criterion 1.4.3. */
const READABLE = 4.5
const LIGHT_GROUND = '#ffffff'
const DARK_GROUND = '#1c1c1e'

/**
 * @param asked  `#` and six hex digits, in either case
 * @returns the nearest colour of the same hue that reads on white at a contrast of 4.5 (the one asked for, if it
 *   does), and the nearest that reads on a dark ground; lower case. A returned colour is returned as it is.
 */
export function readableColor(asked: string): { color: string; colorDark: string } {
  if (!/^#[0-9a-f]{6}$/i.test(asked)) {
    throw invalid(`Expected a color as # and six hex digits such as #1a7f37, found "${asked}".`)
  }
  const color = asked.toLowerCase()
  return { color: towards(color, LIGHT_GROUND, 0), colorDark: towards(color, DARK_GROUND, 1) }
}

// Lightness is halved towards black or white until the contrast is just reached; hue and, as far as screens can
// show it, chroma stay.
function towards(color: string, ground: string, end: 0 | 1): string {
  if (wcagContrast(color, ground) >= READABLE) return color
  const start = oklch(color)
  if (start === undefined) return color
  let readable = end as number
  let unreadable = start.l
  for (let step = 0; step < 20; step++) {
    const middle = (readable + unreadable) / 2
    if (wcagContrast(atLightness(start, middle), ground) >= READABLE) readable = middle
    else unreadable = middle
  }
  return atLightness(start, readable)
}

const atLightness = (color: Oklch, l: number): string => formatHex(clampChroma({ ...color, l }, 'oklch'))
