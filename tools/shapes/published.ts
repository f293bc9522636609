/**
 * Published schemas of inputs that are objects with free keys. They are listed as text with JSON, which is accepted as
 * well.
 */

/** For `meta`: an object or a list of objects, as text. */
export const jsonText = (description = '') => ({
  published: { type: 'string', description: ['JSON', description].filter((part) => part !== '').join(': ') },
})

/** Parses a text that contains a list or an object in JSON; returns anything else unchanged. */
export function readJsonText(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** For `meta`: the same, with a reference to a listed tool that explains it. */
export const jsonTextAsIn = (tool: string, description = `JSON, as in ${tool}`) => ({
  asIn: { tool, published: { type: 'string', description } },
})
