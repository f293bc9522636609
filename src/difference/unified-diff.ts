/**
 * Differences of documents as text: a unified diff per document, and sentences about what a diff does not show.
 *
 *     --- Plan	before
 *     +++ Plan	after
 *     @@ -1,2 +1,2 @@
 *      Permits
 *     -six weeks
 *     +nine weeks
 *     And 12 more lines.
 *     "Notes": the text is the same.
 *     And 3 more documents.
 *
 * Lines of documents begin with a sign, and hunks say how many lines they have, so no text can look like a header or a
 * sentence.
 */
import { diffArrays } from 'diff'
import { DIFF_LINES } from '../base/limits.ts'
import type { PairCount } from './pair-count.ts'

/** The Markdown of a document at two moments; empty while the document did not exist. */
export interface ChangedText {
  title: string
  before: string
  after: string
}

/** What happened to a line: nothing, removed, or added. */
export type Sign = ' ' | '-' | '+'

/** Lines in sequence to which the same happened. */
interface Run {
  sign: Sign
  lines: readonly string[]
}

/** Changed lines with the lines around them. */
interface Hunk {
  /** The numbers of its first line before and after, from 1. */
  before: number
  after: number
  lines: { sign: Sign; text: string }[]
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 4

export const WHOLE_PART =
  'Too much of this document changed to compare it line by line: the changed part is shown whole.'
export const moreDocuments = (count: number): string => `And ${count} more documents.`
export const firstBlocks = (count: number): string => `Only the first ${count} blocks are compared.`
export const notCompared = (title: string): string =>
  `${JSON.stringify(title)}: not compared, since the changed documents are too long together. Read it with blocks_get and at.`

/** Sentences about parts of documents that a diff does not show, the last one as earlier versions wrote it. */
const LEFT_OUT = [
  /^And \d+ more (?:lines|documents)\.$/,
  /^Only the first \d+ blocks are compared\.$/,
  /^"(?:[^"\\]|\\.)*": not compared, since /,
  /^[^ +-].*: the text differs too much to compare; read it with blocks_get and at\.$/,
]
/** Sentences about the document above them. */
const BELOW_DOCUMENT = [/^Too much of this document /, /^Only the first /, /^And \d+ more lines\.$/]

/** What a diff does not show, or not as usual. */
export interface DiffLimits {
  /** False if lines or documents that changed are left out. */
  isDiffComplete: boolean
  /** True if changed parts of documents are shown whole, since they were too much to compare line by line. */
  isDiffCoarse?: true
}

/** Reads the sentences of a diff. */
export function limitsOfDiff(diff: string): DiffLimits {
  const lines = diff.split('\n')
  return {
    isDiffComplete: !lines.some((line) => LEFT_OUT.some((pattern) => pattern.test(line))),
    ...(lines.includes(WHOLE_PART) && { isDiffCoarse: true }),
  }
}

/**
 * Writes the difference of one document.
 *
 * @param pairs  if they do not suffice, all lines from the first changed one to the last are shown as removed and added
 */
export function writeUnifiedDiff({ title, before, after }: ChangedText, pairs: PairCount): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  if (old.length === now.length && old.every((line, index) => line === now[index])) {
    return `${JSON.stringify(title)}: the text is the same.`
  }
  const runs = compareLines(old, now, pairs)
  const shown = [`--- ${title}\tbefore`, `+++ ${title}\tafter`]
  let left = DIFF_LINES
  let more = 0
  for (const hunk of hunksOf(runs ?? wholeRuns(old, now))) {
    more += Math.max(hunk.lines.length - left, 0)
    const lines = hunk.lines.slice(0, left)
    left -= lines.length
    if (lines.length > 0) shown.push(hunkHeader({ ...hunk, lines }), ...lines.map(({ sign, text }) => sign + text))
  }
  if (runs === undefined) shown.push(WHOLE_PART)
  if (more > 0) shown.push(`And ${more} more lines.`)
  return shown.join('\n')
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
  const hunks: Hunk[] = []
  let hunk: Hunk | undefined
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

function hunkHeader({ before, after, lines }: Hunk): string {
  const range = (start: number, absent: Sign): string => {
    const count = lines.filter(({ sign }) => sign !== absent).length
    return `${count === 0 ? start - 1 : start},${count}`
  }
  return `@@ -${range(before, '+')} +${range(after, '-')} @@`
}

/** A line of a diff, without its sign. */
export interface DiffLine {
  sign: Sign
  text: string
}

/** The changes in one document. */
export interface DocumentDifference {
  /** Empty for sentences that concern no single document. */
  title: string
  /** Sentences: that the text is the same, or what is not shown. */
  notes: string[]
  /** The hunks, with the lines around each change. */
  parts: DiffLine[][]
}

/** Reads a diff of one or several documents. */
export function parseUnifiedDiff(diff: string): DocumentDifference[] {
  const documents: DocumentDifference[] = []
  const lines = diff.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const hunk = HUNK.exec(line)
    if (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ')) {
      documents.push({ title: titleIn(line), notes: [], parts: [] })
      at++
    } else if (hunk !== null) {
      const part = hunkLines(lines, at + 1, Number(hunk[1]), Number(hunk[2]))
      documents.at(-1)?.parts.push(part.lines)
      at = part.end - 1
    } else if (line !== '' && !RULE.test(line)) addNote(documents, line)
  }
  return documents
}

const HUNK = /^@@ -\d+,(\d+) \+\d+,(\d+) @@/
/** A line under the title, as earlier versions wrote it. */
const RULE = /^={10,}$/
/** A sentence about one document, with its title in quotes. */
const NOTE = /^("(?:[^"\\]|\\.)*"): (.*)$/

/** Reads as many lines as a hunk has before and after. Fewer follow if an earlier version cut it off. */
function hunkLines(
  lines: readonly string[],
  start: number,
  before: number,
  after: number,
): { lines: DiffLine[]; end: number } {
  const found: DiffLine[] = []
  const left = { before, after }
  let end = start
  for (; left.before > 0 || left.after > 0 || lines[end]?.startsWith('\\'); end++) {
    const line = lines[end] ?? ''
    // Says that a text has no line break at its end.
    if (line.startsWith('\\')) continue
    const sign = line.charAt(0)
    if (sign !== ' ' && sign !== '-' && sign !== '+') break
    if (sign !== '+') left.before--
    if (sign !== '-') left.after--
    found.push({ sign, text: line.slice(1) })
  }
  return { lines: found, end }
}

/** Such as `--- Plan\tbefore`. */
const titleIn = (line: string): string => line.slice('--- '.length).replace(/\t(?:before|after)$/, '')

/** Sentences stand below the document that they are about, unless they name one. */
function addNote(documents: DocumentDifference[], line: string): void {
  const [, title, note] = NOTE.exec(line) ?? []
  if (title !== undefined && note !== undefined) {
    documents.push({ title: JSON.parse(title) as string, notes: [sentence(note)], parts: [] })
  } else if (BELOW_DOCUMENT.some((pattern) => pattern.test(line))) documents.at(-1)?.notes.push(line)
  else documents.push({ title: '', notes: [line], parts: [] })
}

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}`
