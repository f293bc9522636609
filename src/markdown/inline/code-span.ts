/** `` `code` ``: its fence, and the spaces that keep it apart from backticks of its own. */

/** Code in the shortest fence that it does not hold itself: `` a`b `` needs two backticks. */
export function writeCodeSpan(code: string): string {
  const held = new Set<number>()
  for (const [run] of code.matchAll(/`+/g)) held.add(run.length)
  let length = 1
  while (held.has(length)) length++
  const fence = '`'.repeat(length)
  // One space at each edge is dropped on reading, unless there is nothing but spaces.
  const pad = /^`|`$|^ .*[^ ].* $/s.test(code) ? ' ' : ''
  return fence + pad + code + pad + fence
}
