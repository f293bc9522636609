import { wcagContrast } from 'culori'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableColor } from '../../src/space/model/colors.ts'

test('a readable color is unchanged', () => {
  expect(readableColor('#1A7F37').color).toBe('#1a7f37')
})

test('every color is readable on white and has a variant for dark backgrounds; adjusting again changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (rgb) => {
      const { color, colorDark } = readableColor(`#${rgb.toString(16).padStart(6, '0')}`)
      expect(wcagContrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(wcagContrast(colorDark, '#1c1c1e')).toBeGreaterThanOrEqual(4.5)
      expect(readableColor(color).color).toBe(color)
    }),
  )
})

test.each(['red', '#fff', '#12345g', '1a7f37', '#1a7f3700'])('%s is rejected', (text) => {
  expect(() => readableColor(text)).toThrow(
    `Expected a color as # and six hex digits such as #1a7f37, found "${text}".`,
  )
})
