import { converter, wcagContrast } from 'culori'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayColors, validateColor } from '../../src/space/model/colors.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`)
/** White, paper and callouts of pages. */
const LIGHT = ['#ffffff', '#fdfcfa', '#fbf1dc']
const DARK = ['#1c1c1e', '#191a1c', '#3a3020']

test('a readable color is displayed as it is, in lower case', () => {
  expect(displayColors('#1A7F37').light).toBe('#1a7f37')
  expect(displayColors('#FFE08A').dark).toBe('#ffe08a')
})

test.each([
  ['#ffff00', { light: '#727200', dark: '#ffff00' }],
  ['#000000', { light: '#000000', dark: '#999999' }],
  ['#0000ff', { light: '#0000ff', dark: '#8c8cff' }],
  ['#ffffff', { light: '#6e6e6e', dark: '#ffffff' }],
])('%s is displayed as %o', (sent, displayed) => {
  expect(displayColors(sent)).toEqual(displayed)
})

test('every color has variants that are readable in both themes; adjusting them again changes nothing', () => {
  fc.assert(
    fc.property(color, (sent) => {
      const { light, dark } = displayColors(sent)
      for (const background of LIGHT) expect(wcagContrast(light, background)).toBeGreaterThanOrEqual(4.5)
      for (const background of DARK) expect(wcagContrast(dark, background)).toBeGreaterThanOrEqual(4.5)
      expect(displayColors(light).light).toBe(light)
      expect(displayColors(dark).dark).toBe(dark)
    }),
  )
})

test('a color is not adjusted further than needed, and red stays red', () => {
  fc.assert(
    fc.property(color, (sent) => {
      const { light, dark } = displayColors(sent)
      if (light !== sent) expect(wcagContrast(light, '#fbf1dc')).toBeLessThan(4.7)
      if (dark !== sent) expect(wcagContrast(dark, '#3a3020')).toBeLessThan(4.7)
    }),
  )
  const hue = (sent: string): number => Math.round(converter('hsl')(sent)?.h ?? 0)
  for (const sent of ['#ff0000', '#ff5252', '#64dd17', '#00b8d4', '#7c4dff', '#f50057']) {
    const { light, dark } = displayColors(sent)
    for (const displayed of [light, dark]) {
      const turn = Math.abs(hue(displayed) - hue(sent))
      expect(Math.min(turn, 360 - turn)).toBeLessThanOrEqual(20)
    }
  }
})

test.each(['red', '#fff', '#12345g', '1a7f37', '#1a7f3700'])('%s is rejected', (text) => {
  expect(() => validateColor(text)).toThrow(
    `Expected a color as # and six hex digits such as #1a7f37, found "${text}".`,
  )
})
