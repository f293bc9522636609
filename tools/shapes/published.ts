/** What hosts are shown of inputs that are objects with keys of the caller's: these are taken as JSON in a text, too. */

/** For `meta`: an object, or a list of them, as text. */
export const jsonText = (description = '') => ({
  published: { type: 'string', description: ['JSON', description].filter((part) => part !== '').join(': ') },
})

/** What a text that holds a list or an object in JSON says; anything else is what it is. */
export function readJsonText(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** For `meta`: the same, where another tool that is listed as well explains it. */
export const jsonTextAsIn = (tool: string, description = `JSON, as in ${tool}`) => ({
  asIn: { tool, published: { type: 'string', description } },
})
