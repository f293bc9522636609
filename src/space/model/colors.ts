/** Colors of blocks, and how they are displayed: as they are, or adjusted until they are readable. */
import { invalid } from '../../base/errors.ts'

/** The minimum contrast between text and background. Source: WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5
/** Of the backgrounds of text on pages, those that leave the least contrast: the ones of callouts. */
const LIGHT_BACKGROUND = '#fbf1dc'
const DARK_BACKGROUND = '#3a3020'

/** True for `#` and six hex digits, in either case. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** @throws VALIDATION_ERROR for a text that is no color */
export function validateColor(text: string): string {
  if (isColor(text)) return text
  throw invalid(`Expected a color as # and six hex digits such as #1a7f37, found "${text.slice(0, 60)}".`)
}

/** The readable variants of a color, in lower case. */
export interface DisplayColors {
  light: string
  dark: string
}

/**
 * Mixes a color with black until it is readable on light backgrounds, and with white until it is on dark ones, and no
 * further. A variant that was readable before is the color itself.
 *
 * @param color  `#` and six hex digits
 */
export function displayColors(color: string): DisplayColors {
  const light = readColor(color)
  const [red, green, blue] = light
  const luminance = luminanceOf(light)
  // The luminance of a mixture in linear light is that of its parts in proportion.
  const mostOnLight = (luminanceOf(readColor(LIGHT_BACKGROUND)) + FLARE) / MIN_CONTRAST - FLARE
  const leastOnDark = (luminanceOf(readColor(DARK_BACKGROUND)) + FLARE) * MIN_CONTRAST - FLARE
  const kept = Math.min(1, mostOnLight / luminance)
  const white = Math.max(0, (leastOnDark - luminance) / (1 - luminance))
  const shown = color.toLowerCase()
  return {
    light: kept === 1 ? shown : writeColor([red * kept, green * kept, blue * kept], Math.floor),
    dark: white === 0 ? shown : writeColor([mix(red, white), mix(green, white), mix(blue, white)], Math.ceil),
  }
}

/** The share of light that screens reflect, in the definition of contrast. */
const FLARE = 0.05

/** Red, green and blue in linear light, from 0 to 1. */
type LinearColor = readonly [red: number, green: number, blue: number]

const luminanceOf = ([red, green, blue]: LinearColor): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

const mix = (channel: number, white: number): number => channel + white * (1 - channel)

/** Source: the transfer function of sRGB, IEC 61966-2-1. */
function readColor(color: string): LinearColor {
  const channel = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** @param round  towards the side on which the color is readable */
function writeColor(channels: LinearColor, round: (value: number) => number): string {
  const digits = channels.map((linear) => {
    const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.min(255, round(value * 255))
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}
