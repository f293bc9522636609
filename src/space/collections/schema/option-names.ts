/** Options as callers name them. */

/** The name of the option that a word means: in another letter case if only one has it. Undefined for none. */
export function optionNamed(options: readonly { name: string }[], word: string): string | undefined {
  if (options.some(({ name }) => name === word)) return word
  const same = options.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase())
  return same.length === 1 ? same[0]?.name : undefined
}

/** The names that a text lists, if it is no name itself and all that it lists are options: `a, b`. */
export function optionsListed(options: readonly { name: string }[], text: string): string[] | undefined {
  if (!text.includes(',') || optionNamed(options, text) !== undefined) return undefined
  const parts = text.split(',').map((part) => optionNamed(options, part))
  return parts.every((part) => part !== undefined) ? parts : undefined
}
