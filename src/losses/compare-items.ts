/** Compares what readers see of a source with what they see of its result. */
import type { VisibleItem } from './visible-item.ts'

/** Losses to examine and report. What follows is of the same kind in practice. */
const MOST_LOSSES = 100

/**
 * What the source shows more often than the result, in the order of the source, at most {@link MOST_LOSSES}. What the
 * result shows beyond the source is no loss.
 */
export function compareItems(source: readonly VisibleItem[], result: readonly VisibleItem[]): VisibleItem[] {
  const counts = new Map<string, number>()
  for (const item of result) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  const missing: VisibleItem[] = []
  const remove = (key: string): boolean => {
    const count = counts.get(key) ?? 0
    if (count > 0) counts.set(key, count - 1)
    return count > 0
  }
  for (const item of source) {
    // A video or a file that was linked may be shown in place of its link.
    const isShown = remove(keyOf(item)) || (item.kind === 'link' && remove(keyOf({ ...item, kind: 'image' })))
    if (!isShown) missing.push(item)
  }
  if (missing.length === 0) return []
  const untaken = result.filter((item) => item.kind === 'cell' && remove(keyOf(item)))
  return withoutSplitWords(withoutFullerCells(missing.slice(0, MOST_LOSSES), untaken), source, result)
}

function keyOf({ kind, value }: VisibleItem): string {
  if (kind === 'link' || kind === 'image') return `${kind} ${decodedAddress(value)}`
  // A code block ends with its last line, however many line ends follow.
  if (kind === 'code') return `code ${value.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}`
  if (kind === 'language') return `language ${value.toLowerCase().replace(/\s+/g, ' ')}`
  if (kind === 'comment') return `comment ${value.replace(/\s+/g, ' ')}`
  return `${kind} ${value}`
}

/** An address with its characters in place of their percent codes, since writers choose either. */
function decodedAddress(address: string): string {
  // Browsers leave line ends out.
  const read = address.trim().replace(/[\t\n\r]/g, '')
  try {
    return decodeURI(read).normalize('NFC')
  } catch {
    return read
  }
}

/**
 * Without cells of which a cell of the result shows all words in order, and others beside them, such as those of a tag.
 *
 * @param untaken  the cells of the result that are no cells of the source. Each stands for one, so that two cells that
 *   became one are a loss.
 */
function withoutFullerCells(missing: readonly VisibleItem[], untaken: readonly VisibleItem[]): VisibleItem[] {
  const cells = untaken.map(({ value }) => value.split(' '))
  return missing.filter(({ kind, value }) => {
    if (kind !== 'cell') return true
    const at = cells.findIndex((words) => holds(words, value.split(' ')))
    if (at !== -1) cells.splice(at, 1)
    return at === -1
  })
}

function holds(words: readonly string[], part: readonly string[]): boolean {
  let found = 0
  for (const word of words) if (word === part[found]) found++
  return found === part.length
}

/**
 * The same without words and cells whose letters stand together as often in both, but belong to other words: marks
 * such as `**` that only one side reads are the end of a word for the other.
 */
function withoutSplitWords(
  missing: readonly VisibleItem[],
  source: readonly VisibleItem[],
  result: readonly VisibleItem[],
): VisibleItem[] {
  const [before, after] = [lettersOf(source), lettersOf(result)]
  return missing.filter((item) => {
    if (item.kind !== 'word' && item.kind !== 'number') return true
    return occurrences(before, item.value) > occurrences(after, item.value)
  })
}

const lettersOf = (items: readonly VisibleItem[]): string =>
  items.flatMap(({ kind, value }) => (kind === 'word' || kind === 'number' ? [value] : [])).join('')

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}
