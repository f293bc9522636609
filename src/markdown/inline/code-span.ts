/** `` `code` ``: its fence, and the spaces that separate the fence from backticks in the code. */

/** Writes code with the shortest fence that the code does not contain: `` a`b `` needs two backticks. */
export function writeCodeSpan(code: string): string {
  const held = new Set<number>()
  for (const [run] of code.matchAll(/`+/g)) held.add(run.length)
  let length = 1
  while (held.has(length)) length++
  const fence = '`'.repeat(length)
  // Parsing removes one space at each edge, unless the code consists only of spaces.
  const pad = /^`|`$|^ .*[^ ].* $/s.test(code) ? ' ' : ''
  return fence + pad + code + pad + fence
}
