/** What was typed into a form in several tabs is shown together. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeDrafts } from '../../../src/page/assets/unsent/draft-merge.ts'
import { runs } from '../../support/runs.ts'

const text = (value: string) => ({ 'text 0': { before: '', value } })
const isText = (name: string) => name.startsWith('text')
const shown = (...values: string[]) => mergeDrafts(values.map(text), isText)['text 0']?.value

test('texts stand one below the other, each once', () => {
  expect(shown('Of one', 'Of the other')).toBe('Of one\nOf the other')
  expect(shown('Of one', 'Of one and more')).toBe('Of one and more')
  expect(shown('Of one and more', 'Of one')).toBe('Of one and more')
})

test('of other values, the last one counts, and fields of both are there', () => {
  const one = { 'date 0': { before: '', value: '2026-11-01' }, 'text 0': { before: 'Old', value: 'New' } }
  const other = { 'date 0': { before: '', value: '2026-11-02' } }
  expect(mergeDrafts([one, other], isText)).toEqual({ ...one, ...other })
  expect(mergeDrafts([], isText)).toEqual({})
})

test('no text is lost, and merging what was merged adds nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (values) => {
      const merged = shown(...values) ?? ''
      for (const value of values) expect(merged).toContain(value)
      expect(shown(merged, ...values)).toBe(merged)
    }),
    { numRuns: runs(200, 5_000) },
  )
})
