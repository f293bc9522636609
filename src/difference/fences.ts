/**
 * Follows the fences of code blocks through the lines of a document. Within code, text may look like Markdown or like a
 * tag, and is shown as it is.
 */

/** What may stand before the fence of a block: indentation, quotes, marks of lists, and the tag of a callout. */
const PREFIX = String.raw`(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t]|\[[ x-]\][ \t]|<callout>)*`
const OPENING = new RegExp(String.raw`^${PREFIX}(?:(\`{3,})[^\`]*|(~{3,}).*)$`)
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/

/** The fence of the code block that a line stands in; empty outside of code. */
export type Fence = string

/** The fence after a line. */
export function fenceAfter(fence: Fence, line: string): Fence {
  if (fence === '') {
    const [, ticks, tildes] = OPENING.exec(line) ?? []
    return ticks ?? tildes ?? ''
  }
  const closing = CLOSING.exec(line)?.[1] ?? ''
  return closing.startsWith(fence) ? '' : fence
}
