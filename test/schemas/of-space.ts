/**
 * Removes what depends on the program rather than the space: the patterns in a JSON Schema, which a later version may
 * make stricter; which blocks around a match are shown with it, and why it matched; the shades of colors; and the
 * addresses at which programs open a block.
 */
export const ofSpace = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(parsed(answer), (key, value) => (OF_PROGRAM.has(key) ? undefined : value)) ?? 'null')
/** Long answers are JSON text. */
const parsed = (answer: unknown): unknown =>
  typeof answer === 'string' && answer.startsWith('{"') ? JSON.parse(answer) : answer
const OF_PROGRAM: ReadonlySet<string> = new Set([
  ...['pattern', 'beforeBlocks', 'afterBlocks', 'why', 'displayColor', 'clickableLink', 'webLink'],
])
