/** Reads the text of a diff: see unified-diff.ts. */
import { type Fence, fenceAfter } from './fences.ts'
import { SECTIONS, type Section, type Sign, WHOLE_PART } from './unified-diff.ts'

/** A line of a diff, without its sign. */
export interface DiffLine {
  sign: Sign
  text: string
  /** The fences of code in which it begins, in the document before and after. */
  fences: readonly [before: Fence, after: Fence]
}

/** Changed lines with the lines around them, or a section of other lines. */
export interface DiffHunk {
  /** The numbers of its first line before and after, from 1. */
  before: number
  after: number
  kind: 'text' | Section
  lines: DiffLine[]
}

/** The changes in one document. */
export interface DocumentDifference {
  /** Empty for sentences that concern no single document. */
  title: string
  /** Sentences: that the text is the same, or what is not shown. */
  notes: string[]
  hunks: DiffHunk[]
}

/** Sentences about what a diff does not show, most of them as earlier versions wrote them. */
const LEFT_OUT = [
  /^And \d+ more (?:lines|changes|documents)\.$/,
  /^Only the first \d+ blocks are compared\.$/,
  /^"(?:[^"\\]|\\.)*": not compared, since /,
  /^[^ +-].*: the text differs too much to compare; read it with blocks_get and at\.$/,
]
/** Sentences about the document above them. */
const BELOW_DOCUMENT = [/^Too much of this document /, /^Only the first /]

/** What a diff does not show, or not as usual. */
export interface DiffLimits {
  /** False if lines follow that a cursor leads to, or if an earlier version left them out. */
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

/** Reads a diff of one or several documents. */
export function parseUnifiedDiff(diff: string): DocumentDifference[] {
  const documents: DocumentDifference[] = []
  const lines = diff.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const hunk = HUNK.exec(line)
    if (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ')) {
      documents.push({ title: titleIn(line), notes: [], hunks: [] })
      at++
    } else if (hunk !== null) {
      const read = readHunk(hunk, lines, at + 1)
      documents.at(-1)?.hunks.push(read.hunk)
      at = read.end - 1
    } else if (line !== '' && !RULE.test(line)) addNote(documents, line)
  }
  return documents
}

const HUNK = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@(?: (.*))?$/
/** A line under the title, as earlier versions wrote it. */
const RULE = /^={10,}$/
/** A sentence about one document, with its title in quotes. */
const NOTE = /^("(?:[^"\\]|\\.)*"): (.*)$/

/** Reads as many lines as a hunk has before and after. Fewer follow if an earlier version cut it off. */
function readHunk(
  [, start = '', removed = '', startAfter = '', added = '', section = '']: RegExpExecArray,
  lines: readonly string[],
  from: number,
): { hunk: DiffHunk; end: number } {
  const kind: DiffHunk['kind'] = SECTIONS.find((one) => one === section) ?? 'text'
  const left = { before: Number(removed), after: Number(added) }
  const found: DiffLine[] = []
  let [before, after] = kind === 'text' ? fencesIn(section) : ['', '']
  let end = from
  for (; left.before > 0 || left.after > 0 || lines[end]?.startsWith('\\'); end++) {
    const line = lines[end] ?? ''
    // Says that a text has no line break at its end.
    if (line.startsWith('\\')) continue
    const sign = line.charAt(0)
    if (sign !== ' ' && sign !== '-' && sign !== '+') break
    const text = line.slice(1)
    found.push({ sign, text, fences: [before, after] })
    if (sign !== '+') left.before--
    if (sign !== '-') left.after--
    if (sign !== '+' && kind === 'text') before = fenceAfter(before, text)
    if (sign !== '-' && kind === 'text') after = fenceAfter(after, text)
  }
  const first = (number: string, count: string) => Number(number) + (count === '0' ? 1 : 0)
  const hunk = { before: first(start, removed), after: first(startAfter, added), kind, lines: found }
  return { hunk, end }
}

function fencesIn(section: string): [Fence, Fence] {
  const [before = '', after = before] = section.split(' ').map((fence) => (fence === '-' ? '' : fence))
  return [before, after]
}

/** Such as `--- Plan\tbefore`. */
const titleIn = (line: string): string => line.slice('--- '.length).replace(/\t(?:before|after)$/, '')

/** Sentences stand below the document that they are about, unless they name one. */
function addNote(documents: DocumentDifference[], line: string): void {
  const [, title, note] = NOTE.exec(line) ?? []
  if (title !== undefined && note !== undefined) {
    documents.push({ title: JSON.parse(title) as string, notes: [sentence(note)], hunks: [] })
  } else if (BELOW_DOCUMENT.some((pattern) => pattern.test(line))) documents.at(-1)?.notes.push(line)
  else documents.push({ title: '', notes: [line], hunks: [] })
}

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}`
