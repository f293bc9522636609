/** Finds the end of a label that contains no brackets. */
export function labelEnd(text: string, start: number): number {
  let at = start
  for (; at < text.length && text[at] !== ']' && text[at] !== '['; at++) if (text[at] === '\\') at++
  return at
}
