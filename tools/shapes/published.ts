/**
 * Published schemas of inputs that are objects with free keys. They are listed as text with JSON, which is accepted as
 * well.
 */
import { readShortJson } from '../../src/base/repair-json.ts'

/** For `meta`: an object or a list of objects, as text. */
export const jsonText = (description = '') => ({
  published: { type: 'string', description: ['JSON', description].filter((part) => part !== '').join(': ') },
})

/** Parses a text that contains a list or an object in JSON; returns anything else unchanged. */
export const readJsonText = (given: unknown): unknown => (typeof given === 'string' ? readShortJson(given) : given)

/** For `meta`: the same, with a reference to a listed tool that explains it. */
export const jsonTextAsIn = (tool: string, description = `JSON, as in ${tool}`) => ({
  asIn: { tool, published: { type: 'string', description } },
})
