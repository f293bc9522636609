/** Repairs what models get wrong in JSON that they write into a text. */
import { runToCompletion, type Steps } from './work-steps.ts'

/** Characters to repair before yielding. */
const CHUNK = 16_384

/** The list or object that a short text spells, or else the text itself. Its bounds have been checked. */
export function readShortJson(text: string): unknown {
  if (!isJsonLike(text)) return text
  const inner = withoutFence(text)
  try {
    const value: unknown = JSON.parse(runToCompletion(repairJson(inner)))
    return typeof value === 'object' ? value : text
  } catch {
    return text
  }
}

/** True if a text begins like JSON of a list, an object or a text, or like a fence. */
export const isJsonLike = (text: string): boolean => /^\s*(?:[[{"]|```|~~~)/.test(text)

/** The text within a fence around all of it. */
export function withoutFence(text: string): string {
  const trimmed = text.trim()
  const fence = ['```', '~~~'].find((one) => trimmed.startsWith(one) && trimmed.endsWith(one))
  const end = trimmed.length - 3
  const start = trimmed.indexOf('\n') + 1
  return fence === undefined || start === 0 || start > end ? text : trimmed.slice(start, end)
}

/** Escapes line breaks and other control characters in strings, and drops the comma after a last entry. */
export function* repairJson(text: string): Steps<string> {
  let repaired = ''
  let isInString = false
  /** The last character outside of strings that is no space. */
  let before = ''
  let nextYield = CHUNK
  for (let at = 0; at < text.length; at++) {
    if (at > nextYield) {
      yield
      nextYield = at + CHUNK
    }
    const character = text[at] ?? ''
    if (isInString) {
      if (character === '\\') {
        repaired += character + (text[at + 1] ?? '')
        at += 1
        continue
      }
      if (character === '"') isInString = false
      repaired += character < ' ' ? JSON.stringify(character).slice(1, -1) : character
      continue
    }
    if (character === '"') isInString = true
    const isLastComma = character === ',' && /["\]}\w]/.test(before) && isClosed(text, at + 1)
    if (!isLastComma) repaired += character
    if (character.trim() !== '') before = character
  }
  return repaired
}

/** True if the next character that is no space closes a list or an object. */
function isClosed(text: string, start: number): boolean {
  let at = start
  while (at < text.length && (text[at] ?? '').trim() === '') at += 1
  return text[at] === '}' || text[at] === ']'
}
