/**
 * Published schemas of inputs that are objects with free keys. They are listed as text with JSON, which is accepted as
 * well.
 */
import type { z } from 'zod'
import { readShortJson } from '../../src/base/repair-json.ts'

/** For `meta`: an object or a list of objects, as text. */
export const jsonText = (description = '') => ({
  published: { type: 'string', description: ['JSON', description].filter((part) => part !== '').join(': ') },
})

/**
 * For `meta`: an object with these fields and types alone, next to a listed tool that explains it. Hosts that check calls
 * accept the object, and models need not write JSON into a text.
 */
export const typedAsIn = (tool: string, fields: Readonly<Record<string, string>>) => ({
  asIn: { tool, published: typed(fields) },
})

/** An object with fields of these types. */
export const typed = (fields: Readonly<Record<string, string>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([key, type]) => [key, { type }])),
})

/** Fields that short lists of tools leave out. They are accepted all the same. */
export const rare = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [key, field.meta({ ...field.meta(), rare: true })]),
  ) as unknown as Shape

/** Parses a text that contains a list or an object in JSON; returns anything else unchanged. */
export const readJsonText = (given: unknown): unknown => (typeof given === 'string' ? readShortJson(given) : given)

/** For `meta`: the same, with a reference to a listed tool that explains it. */
export const jsonTextAsIn = (tool: string, description = `JSON, as in ${tool}`) => ({
  asIn: { tool, published: { type: 'string', description } },
})
