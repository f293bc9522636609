/**
 * Rewrites the text of a note in our Markdown: wiki links become links with addresses, callouts become tags, and
 * information that our Markdown cannot express becomes marks. Code stays unchanged.
 */

import { TITLE_LENGTH } from '../../base/limits.ts'
import type { TaskInfo } from '../../markdown/block.ts'
import { BLOCK_TAG_NAMES } from '../../markdown/blocks/block-tag-names.ts'
import { calloutStart } from '../../markdown/blocks/callout-tag.ts'
import { escapeLabel } from '../../markdown/blocks/media.ts'
import { ICON_LENGTH } from '../../markdown/callout-levels.ts'
import { visibleText } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import type { ImportComment, ImportReminder } from '../../space/import/imported-content.ts'
import { COMPONENT, readMdxLines } from './mdx-lines.ts'
import { type NoteLine, readNoteLines, replaceText } from './note-lines.ts'
import { anchorKey, BLOCK_ID, HEADING, type NoteLink, parseWikiLink, WIKI_LINK } from './note-links.ts'
import { withoutMarks, writeMark } from './note-marks.ts'
import { baseFields, dataviewFields } from './query-fields.ts'
import { readTaskDates } from './task-dates.ts'

/** The meaning of a mark in the text. */
export type NoteMark =
  | { kind: 'anchor'; anchor: string }
  | { kind: 'comment'; comment: ImportComment }
  | { kind: 'task'; taskInfo: TaskInfo }
  | { kind: 'reminder'; reminder: ImportReminder }
  /** The IDs of the tasks that a task waits for. */
  | { kind: 'blockers'; ids: readonly number[] }

/** The result of resolving a wiki link. */
export type ResolvedLink =
  /** The address of a document or block. */
  | { address: string }
  /** The number of a file, which is replaced by the address of its block later. */
  | { file: number }
  /** The literal text, if the link has no target. */
  | { literal: string }

export interface PrepareContext {
  /** Lines in the file before the body. */
  linesBefore: number
  /** True for a note of a vault, where `%%` and block IDs have a meaning. */
  isVault: boolean
  /** True for a note from our own export, where our tags keep their meaning. */
  isOwn: boolean
  /** True for MDX, where `import` and `export` begin code, and tags may be components. */
  isMdx?: boolean
  /** Anchors of its blocks that links refer to. */
  anchors: ReadonlySet<string>
  resolve(link: NoteLink, line: number): ResolvedLink
  /** The ID of the task that an address leads to. Missing in formats whose tasks wait for no others. */
  blockerAt?(address: string): number | undefined
  /** @param detail  additional information, or empty */
  report(line: number, message: string, detail?: string): void
}

export interface PreparedNote {
  text: string
  /** For each line of the text, the number of the line in the note that it was made from. */
  lines: number[]
  marks: NoteMark[]
  /** Original texts by their replacements, to restore them if they turn out to be in code. */
  replaced: Map<string, string>
}

/** The temporary address of a file until its block has an ID. */
export const fileAddress = (number: number): string => `x-import:${number}`
export const fileNumber = (address: string): number | undefined => {
  const [, number] = /^x-import:(\d+)$/.exec(address) ?? []
  return number === undefined ? undefined : Number(number)
}

export function prepareNote(body: string, context: PrepareContext): PreparedNote {
  const note = new NoteWriter(context)
  const plain = withoutMarks(body)
  const lines = context.isMdx
    ? readMdxLines(plain, context.linesBefore, context.report)
    : readNoteLines(plain, context.linesBefore, context.isVault)
  const written = note.write(lines)
  const { marks, replaced } = note
  return { text: written.map(({ text }) => text).join('\n'), lines: written.flatMap(numbersOf), marks, replaced }
}

/** A line that was written for a line of the note. */
type WrittenLine = Pick<NoteLine, 'text' | 'number'>

const numbersOf = ({ text, number }: WrittenLine): number[] => text.split('\n').map(() => number)

const CALLOUT = /^([ \t]*)>[ \t]?\[!([A-Za-z][\w-]*)(?:\|[^\]]*)?\]([+-]?)[ \t]*(.*)$/
const QUOTED = /^[ \t]*>[ ]?/
const QUOTED_AT_ALL = /^(?:[ \t]*>[ ]?)+/
const EMPTY_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*$/
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const TASK = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX-])\][ \t]+)(.*)$/s
const TAGGED = /^((?:<[a-z]+(?: [^<>]*)?>)*)(.*?)((?:<\/[a-z]+>)*)$/is
const STATES: ReadonlyMap<string, TaskInfo['state']> = new Map(
  Object.entries({ x: 'done', X: 'done', '-': 'canceled' }),
)
/** A comment in a line, with the space before it, which separates it from the words. */
const COMMENT = /[ \t]?%%([\s\S]*?)%%/g
/** Our tags, which words of others are not. */
export const BLOCK_TAGS = new RegExp(`<(?=/?(?:${[...BLOCK_TAG_NAMES, 'highlight', 'comment'].join('|')})\\b)`)
const OUR_TAGS = new RegExp(BLOCK_TAGS, 'g')

class NoteWriter {
  readonly marks: NoteMark[] = []
  readonly replaced = new Map<string, string>()
  readonly #context: PrepareContext
  readonly #known = new Set<string>()

  constructor(context: PrepareContext) {
    this.#context = context
  }

  write(lines: readonly NoteLine[]): WrittenLine[] {
    const written: WrittenLine[] = []
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]
      if (line === undefined) continue
      if (line.kind === 'code') {
        this.#reportCode(line, lines, index + 1)
        written.push(line)
      } else if (line.kind === 'comment') {
        const end = endOf(lines, index, 'comment')
        for (const text of this.#comment(lines.slice(index, end))) written.push({ text, number: line.number })
        index = end - 1
      } else if (CALLOUT.test(line.text)) {
        let end = index + 1
        while (lines[end] !== undefined && QUOTED.test(lines[end]?.text ?? '')) end++
        written.push(...this.#callout(lines.slice(index, end)))
        index = end - 1
      } else written.push({ text: this.#textOf(line, lines[index - 1]), number: line.number })
    }
    return written
  }

  #mark(mark: NoteMark): string {
    return writeMark(this.marks.push(mark) - 1)
  }

  /** Converts the lines of a `%%` comment, including text before and after it on the first and last line. */
  #comment(lines: readonly NoteLine[]): string[] {
    const [first] = lines
    const text = lines.map((line) => line.text).join('\n')
    const [, before = '', inner = '', after = ''] = /^([\s\S]*?)%%([\s\S]*?)(?:%%([\s\S]*))?$/.exec(text) ?? []
    const indent = /^[ \t>]*/.exec(before)?.[0] ?? ''
    const mark = this.#commentMark(inner, first?.number ?? 0)
    const rest = [before, after].map((part) => part.trim()).filter((part) => part !== '')
    if (rest.length === 0) return mark === '' ? [''] : ['', `${indent}${mark.trim()}`, '']
    return [this.#textOf({ text: rest.join(' '), number: first?.number ?? 0, kind: 'text' }, undefined) + mark]
  }

  #commentMark(inner: string, line: number): string {
    const content = inner.trim()
    const { blockerAt } = this.#context
    if (blockerAt !== undefined && BLOCKED_BY.test(content)) return this.#blockersMark(content, line, blockerAt)
    const [, remindAt, completedAt] = REMINDER.exec(content) ?? []
    if (remindAt !== undefined) {
      const at = remindAt === 'later' ? null : Date.parse(remindAt)
      const done = completedAt === undefined ? {} : { completedAt: Date.parse(completedAt) }
      return this.#mark({ kind: 'reminder', reminder: { remindAt: at, ...done } })
    }
    const comment = parseComment(content)
    return comment.content === '' ? '' : this.#mark({ kind: 'comment', comment })
  }

  #blockersMark(content: string, line: number, blockerAt: (address: string) => number | undefined): string {
    const ids = Array.from(content.matchAll(BLOCKER), ([written, address = '']) => {
      const [, id] = /^block:\/\/(\d{12})$/.exec(address) ?? []
      if (id !== undefined) return Number(id)
      const found = blockerAt(address)
      if (found === undefined) this.#context.report(line, LOST_BLOCKER, written)
      return found
    })
    return this.#mark({ kind: 'blockers', ids: ids.filter((id) => id !== undefined) })
  }

  /** Converts a quote that begins with `[!kind]` to our callout tag. A title with marks or links is its first line. */
  #callout(lines: readonly NoteLine[]): WrittenLine[] {
    const [first, ...others] = lines
    const [, indent = '', kind = 'note', fold = '', title = ''] = CALLOUT.exec(first?.text ?? '') ?? []
    const inner = others.map((line) => ({ ...line, text: line.text.replace(QUOTED, '') }))
    const text = title.trim()
    const plain = plainLine(text)
    const head = plain !== undefined ? '' : this.#textOf({ text, number: first?.number ?? 0, kind: 'text' })
    const isNote = kind.toLowerCase() === 'note'
    const start = calloutStart({
      ...(plain && { title: plain }),
      ...(!isNote && { icon: kind.slice(0, ICON_LENGTH) }),
      ...(fold === '-' && { folded: true }),
    })
    const titleLines = head === '' ? [] : [`**${head.replaceAll('**', '')}**`, '']
    const at = (number: number | undefined) => (text: string) => ({ text, number: number ?? 0 })
    return [
      ...['', start, ...titleLines].map(at(first?.number)),
      ...this.write(inner),
      ...['', '</callout>', ''].map(at(lines.at(-1)?.number)),
    ].map((line) => (line.text === '' ? line : { ...line, text: indent + line.text }))
  }

  #textOf({ text, number }: NoteLine, previous?: NoteLine): string {
    const { isVault, anchors } = this.#context
    let line = text
    let mark = ''
    const [, id] = isVault ? (BLOCK_ID.exec(line) ?? []) : []
    if (id !== undefined) {
      const anchor = `^${id.toLowerCase()}`
      // Remove the ID even if nothing links to it, since Obsidian does not show it to readers.
      line = line.replace(BLOCK_ID, '')
      if (anchors.has(anchor)) mark += this.#anchor(anchor)
    }
    const heading = HEADING.exec(line)
    if (heading !== null) {
      const [, signs = '', content = ''] = heading
      const anchor = anchorKey(content)
      if (signs.trim().length > 4)
        this.#context.report(number, 'A heading below the fourth level is one of the fourth.')
      line = `${signs} ${content}`
      if (anchors.has(anchor)) mark += this.#anchor(anchor)
    }
    const task = TASK.exec(line)
    if (task !== null) {
      const [, box = '', state = ' ', content = ''] = task
      // In our own exports, the text of a task may be enclosed in tags.
      const [, start = '', inner = '', end = ''] = (this.#context.isOwn ? TAGGED : /^()(.*)()$/s).exec(content) ?? []
      const dated = readTaskDates(inner, { state: STATES.get(state) ?? 'todo' })
      if (dated !== undefined) {
        // Put the mark next to the text: without anything after it, text such as `***` would have another meaning.
        const taskMark = this.#mark({ kind: 'task', taskInfo: dated.taskInfo })
        line = box + start + (dated.text === '' ? taskMark.trim() : dated.text + taskMark) + end
      }
    }
    const isAfterItem = previous === undefined || previous.text.trim() === '' || ITEM.test(previous.text)
    if (EMPTY_ITEM.test(line) && isAfterItem) line = `${line.trimEnd()} <br>`
    line = replaceText(line, (part) => this.#inline(part, number))
    if (mark !== '' && line.trim() === '') return `${line}${mark.trim()}`
    return line + mark
  }

  /** If several headings have the same text, links lead to the first one. */
  #anchor(anchor: string): string {
    if (this.#known.has(anchor)) return ''
    this.#known.add(anchor)
    return this.#mark({ kind: 'anchor', anchor })
  }

  #inline(written: string, line: number): string {
    let text = written
    if (this.#context.isVault && text.includes('%%')) {
      text = text.replace(COMMENT, (_, inner: string) => this.#commentMark(inner, line))
    }
    if (!this.#context.isOwn && text.includes('<')) text = text.replace(OUR_TAGS, '&lt;')
    if (this.#context.isMdx) text = text.replace(COMPONENT, '&lt;')
    if (!text.includes('[[')) return text
    const isAround = LINK_AROUND.test(text)
    return text.replace(WIKI_LINK, (written: string, bang: string, inner: string) => {
      const shown = this.#link(parseWikiLink(written, bang, inner), line)
      if (shown !== written) this.replaced.set(shown, written)
      if (isAround && shown.startsWith('[')) {
        this.#context.report(
          line,
          'A link around a link is kept as text with its address, since no link holds another.',
        )
      }
      return shown
    })
  }

  #link(link: NoteLink, line: number): string {
    const resolved = this.#context.resolve(link, line)
    if ('literal' in resolved) return resolved.literal
    const label = labelOf(link)
    if ('address' in resolved) return `[${escapeLabel(label)}](<${resolved.address}>)`
    const address = fileAddress(resolved.file)
    if (!link.isEmbed) return `[${escapeLabel(label)}](<${address}>)`
    // The text of an embedded image is its size, or is not shown.
    const shown = link.label === undefined || /^\d+(?:x\d+)?$/.test(link.label) ? '' : link.label
    return `![${escapeLabel(shown)}](${address})`
  }

  /** @param start  index of the line after the first one */
  #reportCode({ info, number }: NoteLine, lines: readonly NoteLine[], start: number): void {
    const [, name = ''] = /^([\w-]+)/.exec(info ?? '') ?? []
    const program = PROGRAMS.get(name.toLowerCase())
    if (program === undefined) return
    let end = start
    while (lines[end]?.kind === 'code' && lines[end]?.info === undefined) end++
    // The last line is the closing fence.
    const code = lines.slice(start, end - 1).map(({ text }) => text.replace(QUOTED_AT_ALL, ''))
    this.#context.report(number, program.message, program.fieldsOf?.(code.join('\n')))
  }
}

/** A link that has a wiki link in its words. */
const LINK_AROUND = /\[[^[\]]{0,500}(?:\[\[[^[\]]{1,500}\]\][^[\]]{0,500})+\]\(/

/** A title without links, marks, and what Obsidian does not show. */
function plainLine(markdown: string): string | undefined {
  if (/\[\[|%%|[\uFDD0-\uFDEF]/.test(markdown) || BLOCK_ID.test(markdown)) return undefined
  const spans = readInline(markdown)
  const text = visibleText(spans)
  const isPlain = spans.every(({ kind, marks }) => kind === 'text' && marks === 0)
  return isPlain && text.length <= TITLE_LENGTH && !text.includes('\n') ? text : undefined
}

export const BASE_AS_CODE = 'A Base is kept as code; use a view of a collection in its place.'

/** Code blocks that Obsidian or its plugins execute. */
const PROGRAMS: ReadonlyMap<string, { message: string; fieldsOf?: (code: string) => string }> = new Map(
  Object.entries({
    dataview: {
      message: 'A Dataview query is kept as code; use a view of a collection in its place.',
      fieldsOf: dataviewFields,
    },
    dataviewjs: { message: 'A Dataview script is kept as code.' },
    base: { message: BASE_AS_CODE, fieldsOf: baseFields },
    tasks: { message: 'A Tasks query is kept as code; tasks_list lists tasks.' },
    query: { message: 'A search is kept as code; documents_search searches.' },
  }),
)

function endOf(lines: readonly NoteLine[], from: number, kind: NoteLine['kind']): number {
  let end = from
  while (lines[end]?.kind === kind) end++
  // The first line of a comment can be of another kind, if there is text before the comment.
  return Math.max(end, from + 1)
}

/** Returns the text that a link shows: its own, or the name of its target. */
function labelOf({ label, target, anchor }: NoteLink): string {
  if (label !== undefined && label !== '') return label
  const shown = anchor.startsWith('^') && target !== '' ? '' : anchor
  return [target, shown].filter((part) => part !== '').join(' > ')
}

const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z'
/**
 * A comment as our exports write it: `Anna 2026-11-20T14:02:11.000Z on "fox" 2: Which?`, about the second place of a word,
 * or `Anna 2026-11-20T14:02:11.000Z: Which?`. Other comments are plain text.
 */
const SIGNED = new RegExp(
  `^(.{1,120}?) (${TIME})(?: \\(resolved by (.{1,120}?) (${TIME})\\))?(?: on ("(?:[^"\\\\]|\\\\.)*")(?: (\\d{1,9}))?)?: ([\\s\\S]*)$`,
)
/** `reminder 2026-12-01T09:00:00.000Z` or `reminder later`, optionally with the time of completion. */
const REMINDER = new RegExp(`^reminder (later|${TIME})(?: completed (${TIME}))?$`)

/** What a task waits for, as our exports write it: `blocked by [task](#^100000000012)`. */
const BLOCKED_BY = /^blocked by(?: \[task\]\([^\s()]+\))+$/
const BLOCKER = /\[task\]\(([^\s()]+)\)/g
const LOST_BLOCKER = 'A task that waits for one that is not there does not wait for it anymore.'

function parseComment(content: string): ImportComment {
  const [, author, time, resolvedBy, resolvedAt, about, place, comment = ''] = SIGNED.exec(content) ?? []
  if (author === undefined || time === undefined) return { content }
  return {
    ...{ content: unquoted(comment), author, createdAt: Date.parse(time) },
    ...(about !== undefined && { about: { words: unquoted(about), place: Number(place ?? 1) } }),
    ...(resolvedBy !== undefined && resolvedAt !== undefined && { resolvedBy, resolvedAt: Date.parse(resolvedAt) }),
  }
}

/** Comments with several lines or special characters are written as JSON strings. */
function unquoted(written: string): string {
  if (!written.startsWith('"')) return written
  try {
    const text: unknown = JSON.parse(written)
    return typeof text === 'string' ? text : written
  } catch {
    return written
  }
}
