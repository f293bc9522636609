/** Where a label ends that has no bracket inside. */
export function labelEnd(text: string, start: number): number {
  let at = start
  for (; at < text.length && text[at] !== ']' && text[at] !== '['; at++) if (text[at] === '\\') at++
  return at
}
