/**
 * Differences of documents as text: a unified diff per document, and sentences about what a diff does not show.
 *
 *     --- Plan	before
 *     +++ Plan	after
 *     @@ -1,2 +1,2 @@
 *      Permits
 *     -six weeks
 *     +nine weeks
 *     @@ -0,0 +1,1 @@ details
 *     +comment by Anna on "nine weeks": content: "Who says so?"
 *     "Notes": the text is the same.
 *     And 12 more lines.
 *
 * Lines of documents begin with a sign, and hunks say how many lines they have, so no text can look like a header or a
 * sentence. Details are what the Markdown does not show. A hunk that begins within a code block names its fence.
 */
import { diffArrays } from 'diff'
import { type Fence, fenceAfter } from './fences.ts'
import type { PairCount } from './pair-count.ts'

/** A document at two moments. */
export interface ChangedText {
  title: string
  /** Its Markdown; empty while it did not exist, and where only details are shown. */
  before: string
  after: string
  /** What changed in it besides, in words. */
  details?: readonly DetailLine[]
}

export interface DetailLine {
  sign: '-' | '+'
  text: string
}

/** What happened to a line: nothing, removed, or added. */
export type Sign = ' ' | '-' | '+'

/** Lines in sequence to which the same happened. */
interface Run {
  sign: Sign
  lines: readonly string[]
}

/** Changed lines with the lines around them. */
export interface Hunk {
  /** The numbers of its first line before and after, from 1. */
  before: number
  after: number
  lines: readonly { sign: Sign; text: string }[]
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 4

/** Sections that are not lines of documents, as the headers of their hunks name them. */
export const SECTIONS = ['details', 'arguments'] as const
export type Section = (typeof SECTIONS)[number]

export const WHOLE_PART =
  'Too much of this document changed to compare it line by line: the changed part is shown whole.'
export const moreLines = (count: number): string => `And ${count} more lines.`
export const moreChanges = (count: number): string => `And ${count} more changes.`

/**
 * Writes the difference of one document.
 *
 * @param pairs  if they do not suffice, all lines from the first changed one to the last are shown as removed and added
 */
export function writeUnifiedDiff({ title, before, after, details = [] }: ChangedText, pairs: PairCount): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  const isSame = old.length === now.length && old.every((line, index) => line === now[index])
  if (isSame && details.length === 0) return `${JSON.stringify(title)}: the text is the same.`
  const shown = documentHeader(title)
  const push = (lines: readonly string[]) => {
    // One by one: spreading tens of thousands of them would overflow the stack.
    for (const line of lines) shown.push(line)
  }
  if (!isSame) {
    const runs = compareLines(old, now, pairs)
    const [fencesBefore, fencesAfter] = [fencesOf(old), fencesOf(now)]
    for (const hunk of hunksOf(runs ?? wholeRuns(old, now))) {
      push(writeHunk(hunk, fencesBefore[hunk.before - 1] ?? '', fencesAfter[hunk.after - 1] ?? ''))
    }
    if (runs === undefined) shown.push(WHOLE_PART)
  }
  if (details.length > 0) push(writeSection('details', { before: 1, after: 1, lines: details }))
  return shown.join('\n')
}

export const documentHeader = (title: string): string[] => [`--- ${title}\tbefore`, `+++ ${title}\tafter`]

/** The fence in which each line begins. */
function fencesOf(lines: readonly string[]): Fence[] {
  let fence = ''
  return lines.map((line) => {
    const before = fence
    fence = fenceAfter(fence, line)
    return before
  })
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Returns undefined if there are too many pairs of lines to compare. */
function compareLines(before: readonly string[], after: readonly string[], pairs: PairCount): Run[] | undefined {
  // Long lines with a common beginning would be slow to compare, so each line is compared by a number.
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  const [old, now] = [before.map(numberOf), after.map(numberOf)]
  const changes = pairs.within(() => diffArrays(old, now, { comparator: pairs.areEqual }))
  const lines = [...numbers.keys()]
  return changes?.map(({ value, added, removed }) => ({
    sign: added ? '+' : removed ? '-' : ' ',
    lines: value.map((number) => lines[number] ?? ''),
  }))
}

/** All lines from the first changed one to the last. */
function wholeRuns(before: readonly string[], after: readonly string[]): Run[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const runs: Run[] = [
    { sign: ' ', lines: before.slice(0, start) },
    { sign: '-', lines: before.slice(start, before.length - end) },
    { sign: '+', lines: after.slice(start, after.length - end) },
    { sign: ' ', lines: before.slice(before.length - end) },
  ]
  return runs.filter(({ lines }) => lines.length > 0)
}

function hunksOf(runs: readonly Run[]): Hunk[] {
  const hunks: (Hunk & { lines: { sign: Sign; text: string }[] })[] = []
  let hunk: (typeof hunks)[number] | undefined
  const [next, add] = [
    { before: 1, after: 1 },
    (sign: Sign, lines: readonly string[]) => {
      for (const text of lines) hunk?.lines.push({ sign, text })
    },
  ]
  for (const [index, { sign, lines }] of runs.entries()) {
    if (sign !== ' ') {
      if (hunk === undefined) {
        const above = runs[index - 1]?.lines.slice(-CONTEXT) ?? []
        hunk = { before: next.before - above.length, after: next.after - above.length, lines: [] }
        hunks.push(hunk)
        add(' ', above)
      }
      add(sign, lines)
    } else if (lines.length <= 2 * CONTEXT && index < runs.length - 1) add(' ', lines)
    else {
      add(' ', lines.slice(0, CONTEXT))
      hunk = undefined
    }
    if (sign !== '+') next.before += lines.length
    if (sign !== '-') next.after += lines.length
  }
  return hunks
}

/** @param fences  in which its first line begins, before and after */
export function writeHunk(hunk: Hunk, ...fences: [before: Fence, after: Fence]): string[] {
  const [before, after] = fences.map((fence) => fence || '-')
  const section = before === after ? fences[0] : `${before} ${after}`
  return [hunkHeader(hunk, section), ...hunk.lines.map(({ sign, text }) => sign + text)]
}

/** Lines that belong to no text. */
export const writeSection = (section: Section, hunk: Hunk): string[] => [
  hunkHeader(hunk, section),
  ...hunk.lines.map(({ sign, text }) => sign + text),
]

/** What a call was asked to do, below the differences of documents. @param title  the tool */
export const writeArguments = (title: string, lines: readonly string[]): string[] => [
  ...documentHeader(title),
  ...writeSection('arguments', { before: 1, after: 1, lines: lines.map((text) => ({ sign: '+', text })) }),
]

function hunkHeader({ before, after, lines }: Hunk, section: string): string {
  const range = (start: number, absent: Sign): string => {
    const count = lines.filter(({ sign }) => sign !== absent).length
    return `${count === 0 ? start - 1 : start},${count}`
  }
  return `@@ -${range(before, '+')} +${range(after, '-')} @@${section === '' ? '' : ` ${section}`}`
}
