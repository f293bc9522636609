/** Values that are valid JSON, and on which `String` and templates throw. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../tools/index.ts'

const HOSTILE = JSON.parse('{ "toString": 1, "valueOf": null, "hasOwnProperty": [], "length": -1, "then": 5 }')
const VALUES: unknown[] = [HOSTILE, [HOSTILE], [[]], null, -0, 1e308, '', '\u0000', { name: HOSTILE, id: HOSTILE }]

/** Fields of entries that have rules or words of their own. */
const FIELDS = ['type', 'position', 'content', 'name', 'level', 'listStyle', 'taskInfo', 'date', 'repeat', 'color']

describe.each(endpoints.map(({ name, aliases = [], input }) => ({ name, aliases, input })))(
  '$name',
  ({ aliases, input }) => {
    test('refuses hostile values in words', () => {
      const schema = (input.full ?? input.daily) as z.ZodType
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: object }
      for (const given of VALUES) {
        const entry = Object.fromEntries(FIELDS.map((field) => [field, given]))
        for (const key of Object.keys(properties)) {
          for (const one of [given, entry, [entry]])
            expect(() => schema.safeParse({ [key]: one }).error?.issues).not.toThrow()
        }
      }
    })

    test('reads every form that it takes of hostile values', () => {
      for (const { from, when, value } of aliases) {
        // Each key that an alias could look at has the value, too.
        const keys = from.split(/[.[\]]+/).filter((key) => key !== '')
        for (const given of VALUES) {
          const wrapped = Object.fromEntries(
            [...keys, 'position', 'type', 'content', 'name'].map((key) => [key, given]),
          )
          for (const one of [given, wrapped, [wrapped]]) {
            const isTaken = when?.(one, wrapped) ?? true
            expect(() => isTaken && value?.(one)).not.toThrow()
          }
        }
      }
    })
  },
)
