/** Values that are valid JSON, and on which `String` and templates throw. */
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../tools/index.ts'

const HOSTILE = JSON.parse('{ "toString": 1, "valueOf": null, "hasOwnProperty": [], "length": -1, "then": 5 }')
const VALUES: unknown[] = [HOSTILE, [HOSTILE], [[]], null, -0, 1e308, '', '\u0000', { name: HOSTILE, id: HOSTILE }]

describe.each(endpoints.map(({ name, aliases = [] }) => ({ name, aliases })))('$name', ({ aliases }) => {
  test('reads every form that it takes of hostile values', () => {
    for (const { from, when, value } of aliases) {
      // Each key that an alias could look at has the value, too.
      const keys = from.split(/[.[\]]+/).filter((key) => key !== '')
      for (const given of VALUES) {
        const wrapped = Object.fromEntries([...keys, 'position', 'type', 'content', 'name'].map((key) => [key, given]))
        for (const one of [given, wrapped, [wrapped]]) {
          const isTaken = when?.(one, wrapped) ?? true
          expect(() => isTaken && value?.(one)).not.toThrow()
        }
      }
    }
  })
})
