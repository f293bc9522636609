/**
 * Writes a note in the spelling of the text that it was imported from: its list marks, emphasis signs, padding of tables,
 * blank lines and links. Only blocks that changed since are written in our own.
 *
 * The old text is never trusted: a part of it is used only where an import reads the same from it as from what was
 * written, and the joined text is read once more. So words that are no longer in the document cannot come back, and a
 * link that would no longer lead to its target is written again.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import type { Block } from '../../markdown/block.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { matchSequences } from './match-sequences.ts'
import {
  hasSameContent,
  type ReadingOptions,
  type ReadText,
  readText,
  type Segment,
  withLineFeeds,
} from './read-spelling.ts'

/**
 * @param source  the text after the front matter that the document was imported from
 * @param written  the text that the export would write
 * @returns the written text in the spelling of the source; undefined if that does not say the same
 */
export function respell(source: string, written: string, options: ReadingOptions): string | undefined {
  // What the export writes is always in the language of a vault, with our tags.
  const inOwn = { ...options, isVault: true, isOwn: true }
  const before = tryReading(source, options)
  const now = readText(written, inOwn)
  if (before === undefined) return isCodeOf(source, now) ? source : undefined
  const partners = matchSequences(before.blocks, now.blocks, hasSameContent)
  const isSame = before.blocks.length === now.blocks.length && partners.every((partner, at) => partner === at)
  if (isSame) return source
  const readsAs = (text: string, isVault: boolean): boolean => {
    const read = tryReading(text, { ...options, isVault })
    return (
      read?.blocks.length === now.blocks.length && read.blocks.every((one, at) => hasSameContent(one, now.blocks[at]))
    )
  }
  const joiner = new Joiner(before, now, partners)
  for (const isAdapted of [true, false]) {
    const text = joiner.join(isAdapted)
    if (readsAs(text, options.isVault) || (!options.isVault && readsAs(text, true))) return text
  }
  return undefined
}

/** A text that cannot be read is a block of code in its document. */
const isCodeOf = (source: string, { blocks: [only, ...more] }: ReadText): boolean =>
  more.length === 0 && only?.block.type === 'code' && only.block.text === withLineFeeds(source).replace(/\n$/, '')

function tryReading(text: string, options: ReadingOptions): ReadText | undefined {
  try {
    return readText(text, options)
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    return undefined
  }
}

/** Consecutive lines of the joined text. */
interface Piece {
  lines: string[]
  /** The segment of the source that it is, or stands for. */
  source?: number
  /** The last segment of the written text that it is. */
  written: number
}

class Joiner {
  readonly #before: ReadText
  readonly #now: ReadText
  readonly #eol: string
  /** For each written segment that the source has: the segment there, and the last written one that is in it. */
  readonly #kept: ReadonlyMap<number, { source: number; last: number }>
  /** For other written segments: the segment of the source in whose place they are. */
  readonly #replaced: ReadonlyMap<number, number>
  /** How the source begins lines, by how we do. */
  readonly #prefixes = new Map<string, string>()

  constructor(before: ReadText, now: ReadText, partners: readonly number[]) {
    this.#before = before
    this.#now = now
    this.#eol = before.lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
    this.#kept = keptSegments(before.segments, now.segments, partners)
    this.#replaced = replacedSegments(before.segments.length, now.segments.length, this.#kept)
    for (const [written, { source }] of this.#kept) {
      const [ours, theirs] = [prefixOf(this.#core(now, written)[0]), prefixOf(this.#core(before, source)[0])]
      if (ours !== undefined && theirs !== undefined && ours.kind === theirs.kind) {
        this.#prefixes.set(ours.pattern, theirs.pattern)
      }
    }
  }

  /** @param isAdapted  whether new lines begin as those of the source do, and keep what did not change in them */
  join(isAdapted: boolean): string {
    const [first] = this.#before.segments
    const pieces = this.#pieces(isAdapted)
    const out = this.#before.lines.slice(0, first?.lines[0] ?? this.#before.lines.length)
    for (const [at, piece] of pieces.entries()) {
      out.push(...piece.lines)
      out.push(...this.#gap(piece, pieces[at + 1]))
    }
    return out.map((line, at) => (at < out.length - 1 && !/[\r\n]$/.test(line) ? line + this.#eol : line)).join('')
  }

  #pieces(isAdapted: boolean): Piece[] {
    const pieces: Piece[] = []
    for (let at = 0; at < this.#now.segments.length; at++) {
      const kept = this.#kept.get(at)
      if (kept !== undefined) {
        pieces.push({ lines: this.#core(this.#before, kept.source), source: kept.source, written: kept.last })
        at = kept.last
        continue
      }
      const source = this.#replaced.get(at)
      const lines = isAdapted ? this.#adapted(at, source) : this.#core(this.#now, at)
      pieces.push({
        lines: lines.map((line) => (/[\r\n]$/.test(line) ? line.replace(/[\r\n]+$/, this.#eol) : line + this.#eol)),
        ...(source !== undefined && { source }),
        written: at,
      })
    }
    return pieces
  }

  /** The lines between two pieces, and at the end. */
  #gap({ source, written }: Piece, next: Piece | undefined): string[] {
    const { segments } = this.#before
    if (source !== undefined && (next === undefined ? source === segments.length - 1 : next.source === source + 1)) {
      return this.#blanks(this.#before, source)
    }
    if (next === undefined) return []
    return this.#blanks(this.#now, written).map((line) => line.replace(/[\r\n]+$/, this.#eol))
  }

  /** A written segment that keeps the lines of the source that did not change, and its marks of lists. */
  #adapted(at: number, source: number | undefined): string[] {
    const lines = this.#core(this.#now, at)
    const old = source === undefined ? [] : this.#core(this.#before, source)
    const unchanged = source === undefined ? [] : this.#unchangedLines(at, lines.length, source, old.length)
    const isAlike = source !== undefined && old.length === lines.length && this.#isAlike(at, source)
    return lines.map(
      (line, index) => old[unchanged[index] ?? -1] ?? this.#begun(line, isAlike ? old[index] : undefined),
    )
  }

  /** True if both are of the same kind of list, at the same level. */
  #isAlike(at: number, source: number): boolean {
    const [ours, theirs] = [this.#firstBlock(this.#now, at), this.#firstBlock(this.#before, source)]
    const level = (block: Block | undefined) => block?.indentationLevel ?? 0
    return ours?.listStyle === theirs?.listStyle && level(ours) === level(theirs)
  }

  #firstBlock = ({ segments, blocks }: ReadText, at: number): Block | undefined =>
    blocks[segments[at]?.blocks[0] ?? -1]?.block

  /** For each line of a written block, the index of the same line of the source; -1 if it has none. */
  #unchangedLines(at: number, count: number, source: number, oldCount: number): readonly number[] {
    const [ours, theirs] = [this.#plainLines(this.#now, at), this.#plainLines(this.#before, source)]
    if (ours.length !== count || theirs.length !== oldCount) return []
    return matchSequences(ours, theirs, (one, other) => one === other)
  }

  /** The lines of a block in one spelling, without what depends on the blocks around it. */
  #plainLines(text: ReadText, at: number): string[] {
    const [from, to] = text.segments[at]?.blocks ?? [0, 0]
    if (to - from !== 1) return []
    const { decorations: _, number: __, ...block } = text.blocks[from]?.block ?? { type: 'text', text: '' }
    return writeMarkdown([{ ...block, indentationLevel: 0 }]).split('\n')
  }

  /** @param old  the line in whose place it is */
  #begun(line: string, old: string | undefined): string {
    const ours = prefixOf(line)
    const theirs = prefixOf(old)
    if (ours === undefined) return line
    const pattern = theirs?.kind === ours.kind ? theirs.pattern : this.#prefixes.get(ours.pattern)
    return pattern === undefined ? line : pattern.replace('#', ours.number) + line.slice(ours.length)
  }

  #core = (text: ReadText, at: number): string[] => this.#parts(text, at).core
  #blanks = (text: ReadText, at: number): string[] => this.#parts(text, at).blanks

  /** The lines of a segment, and those below it that are of no block. */
  #parts({ lines, segments }: ReadText, at: number): { core: string[]; blanks: string[] } {
    const [from, to] = segments[at]?.lines ?? [0, 0]
    let end = to
    while (end > from + 1 && BETWEEN.test(lines[end - 1] ?? '')) end--
    return { core: lines.slice(from, end), blanks: lines.slice(end, to) }
  }
}

function keptSegments(
  before: readonly Segment[],
  now: readonly Segment[],
  partners: readonly number[],
): Map<number, { source: number; last: number }> {
  const starts = new Map(now.map(({ blocks }, at) => [blocks[0], at]))
  const ends = new Map(now.map(({ blocks }, at) => [blocks[1], at]))
  const kept = new Map<number, { source: number; last: number }>()
  for (const [source, { blocks }] of before.entries()) {
    const [from, to] = blocks
    const first = partners[from] ?? -1
    const isWhole = first >= 0 && partners.slice(from, to).every((partner, at) => partner === first + at)
    const [start, last] = [starts.get(first), ends.get(first + to - from)]
    if (isWhole && start !== undefined && last !== undefined) kept.set(start, { source, last })
  }
  return kept
}

/** Pairs the segments between two kept ones, if both texts have as many there. */
function replacedSegments(
  before: number,
  now: number,
  kept: ReadonlyMap<number, { source: number; last: number }>,
): Map<number, number> {
  const replaced = new Map<number, number>()
  let [source, written] = [0, 0]
  const pair = (sourceEnd: number, writtenEnd: number) => {
    if (sourceEnd - source !== writtenEnd - written) return
    for (let at = 0; written + at < writtenEnd; at++) replaced.set(written + at, source + at)
  }
  for (const [start, { source: at, last }] of [...kept].sort(([one], [other]) => one - other)) {
    pair(at, start)
    source = at + 1
    written = last + 1
  }
  pair(before, now)
  return replaced
}

/** A line that belongs to no block: a blank one, also in a quote, or the definition of a link. */
const BETWEEN = /^[\s>]*$|^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]/

const PREFIX = /^([ \t>]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+)/

/** The mark of an item of a list at the beginning of a line. */
function prefixOf(line: string | undefined) {
  const [all, indent = '', bullet, number = '', dot = '', space = ''] = PREFIX.exec(line ?? '') ?? []
  if (all === undefined) return undefined
  // `+` is a toggle with us.
  const kind = bullet === undefined ? 'number' : bullet === '+' ? 'toggle' : 'bullet'
  return { kind, number, length: all.length, pattern: `${indent}${bullet ?? `#${dot}`}${space}` }
}
