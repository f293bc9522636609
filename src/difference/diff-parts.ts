/** Cuts a long diff into parts, each of them a diff of its own, so that all of it can be read one part after another. */
import { DIFF_LINES, DIFF_PART_LENGTH } from '../base/limits.ts'
import { type DiffHunk, type DiffLimits, limitsOfDiff, parseUnifiedDiff } from './read-diff.ts'
import { documentHeader, moreLines, writeHunk, writeSection } from './unified-diff.ts'

/** A part of a diff. */
export interface DiffPart extends DiffLimits {
  diff: string
  /** The part that follows, from 0; undefined for the last one. */
  next?: number
  /** The number of all parts. */
  count: number
}

export const joinDiffs = (...diffs: readonly string[]): string => diffs.filter((one) => one !== '').join('\n')

/** Returns one part of a diff; undefined if it has fewer. @param index  from 0 */
export function partOfDiff(diff: string, index: number): DiffPart | undefined {
  if (isShort(diff)) return index > 0 ? undefined : { diff, ...limitsOfDiff(diff), count: 1 }
  const parts = splitDiff(diff)
  const part = parts[index]
  if (part === undefined) return undefined
  const { isDiffComplete, ...limits } = limitsOfDiff(diff)
  const left = parts.slice(index + 1).reduce((sum, { count }) => sum + count, 0)
  const isLast = left === 0
  const text = [...part.lines, ...(isLast ? [] : [moreLines(left)])].join('\n')
  return {
    ...{ diff: text, isDiffComplete: isDiffComplete && isLast, ...limits, count: parts.length },
    ...(!isLast && { next: index + 1 }),
  }
}

/** The first part of a diff, for answers that show no more. */
export function beginningOfDiff(diff: string): { diff: string } & DiffLimits {
  const { next: _, count: __, ...part } = partOfDiff(diff, 0) ?? { diff, ...limitsOfDiff(diff), count: 1 }
  return part
}

function isShort(diff: string): boolean {
  if (diff.length > DIFF_PART_LENGTH) return false
  let lines = 1
  for (let at = diff.indexOf('\n'); at >= 0; at = diff.indexOf('\n', at + 1)) lines++
  return lines <= DIFF_LINES
}

interface Part {
  lines: string[]
  /** The number of its lines of documents. */
  count: number
}

function splitDiff(diff: string): Part[] {
  const parts: Part[] = [{ lines: [], count: 0 }]
  let left = { lines: DIFF_LINES, length: DIFF_PART_LENGTH }
  const current = (): Part => parts.at(-1) as Part
  const isFull = (length: number) => current().count > 0 && (left.lines <= 0 || left.length < length)
  const startPart = () => {
    parts.push({ lines: [], count: 0 })
    left = { lines: DIFF_LINES, length: DIFF_PART_LENGTH }
  }
  const push = (lines: readonly string[]) => {
    for (const line of lines) current().lines.push(line)
  }
  for (const { title, notes, hunks } of parseUnifiedDiff(diff)) {
    if (hunks.length === 0) {
      push(title === '' ? notes : notes.map((note) => `${JSON.stringify(title)}: ${note}`))
      continue
    }
    let isHeaded = false
    for (const hunk of hunks) {
      for (let from = 0; from < hunk.lines.length; ) {
        if (isFull(hunk.lines[from]?.text.length ?? 0)) {
          startPart()
          isHeaded = false
        }
        const end = endOfFit(hunk, from, left)
        if (!isHeaded) push(documentHeader(title))
        isHeaded = true
        push(writePiece(hunk, from, end))
        const length = hunk.lines.slice(from, end).reduce((sum, { text }) => sum + text.length, 0)
        left = { lines: left.lines - (end - from), length: left.length - length }
        current().count += end - from
        from = end
      }
    }
    push(notes)
  }
  return parts
}

/** The end of the lines that still fit, at least one. */
function endOfFit({ lines }: DiffHunk, from: number, left: { lines: number; length: number }): number {
  let end = from
  let length = 0
  while (end < lines.length && (end === from || end - from < left.lines)) {
    length += lines[end]?.text.length ?? 0
    if (end > from && length > left.length) break
    end++
  }
  return end
}

function writePiece({ before, after, kind, lines }: DiffHunk, from: number, end: number): string[] {
  const above = lines.slice(0, from)
  const start = {
    before: before + above.filter(({ sign }) => sign !== '+').length,
    after: after + above.filter(({ sign }) => sign !== '-').length,
  }
  const piece = { ...start, lines: lines.slice(from, end) }
  return kind === 'text' ? writeHunk(piece, ...(lines[from]?.fences ?? ['', ''])) : writeSection(kind, piece)
}
