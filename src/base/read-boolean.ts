/** Reads the common forms of true and false: `true`, `yes`, `on` and 1, in any letter case. */

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y', 't', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n', 'f', '0'].map((word) => [word, false] as const),
])

/** Returns anything that is no such form unchanged. */
export function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return WORDS.get(String(value).trim().toLowerCase()) ?? value
}
