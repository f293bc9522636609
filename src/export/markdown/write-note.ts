/**
 * Writes a document as an Obsidian note: our Markdown with links to files, IDs of linked blocks, comments and reminders
 * between `%%`, task dates in the format of the Tasks plugin, and callouts as quotes.
 *
 * Everything that our Markdown cannot express is first represented by marks, which are replaced after the Markdown is
 * written.
 */
import type { CommentRow, ReminderRow } from '../../../storage/schema.ts'
import { PERSON_SCHEME } from '../../markdown/addresses.ts'
import type { Block, CalloutLevel, TaskInfo } from '../../markdown/block.ts'
import { escapeLabel } from '../../markdown/blocks/media.ts'
import { calloutKind } from '../../markdown/callout-kinds.ts'
import { sharedCallouts } from '../../markdown/callout-levels.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { markedPlace } from '../../markdown/comment-words.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { ListNumbers } from '../../markdown/list-numbers.ts'
import { findAddresses, replaceAddresses } from '../../markdown/text-addresses.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'
import { countedBlock, withOwnNumber } from '../../markdown/written-numbers.ts'
import type { ExportedDocument } from '../../space/export/read-document.ts'
import { escapeForVault, escapeQuoteStart, escapeTableForVault, escapeTaskDates } from './vault-escapes.ts'

export interface NoteContext {
  /** How links name the blocks that they lead to, by ID. Those that begin with `^` are written after the block. */
  anchors: ReadonlyMap<number, string>
  /**
   * Returns the address of a link target, relative to this note. Returns undefined if the target is not in the export.
   */
  addressOf(url: string): string | undefined
  /** For links in double brackets: returns what stands in them for a link with these words. */
  wikiLinkOf?(url: string, wikiText: string): string | undefined
  /** Returns the address of the file of a block, of the image of a whiteboard, or of the Base of a collection. */
  fileOf(block: number): string | undefined
  report(message: string): void
}

const SUFFIX = /[ ]?\uFDD0(\d+)\uFDD1/g
/** A link in double brackets, as the words of which it is read by the rules of our Markdown. */
const LINK = /\uFDD4(\d+)\uFDD5/g
const START = '\uFDD2'
const END = '\uFDD3'

/** @param page  the part of the document to write: all of it, or the content of an item */
export function writeNote(
  document: ExportedDocument,
  context: NoteContext,
  page: { n: number; blocks: readonly Block[] } = { n: document.record.n, blocks: document.blocks },
): string {
  const writer = new NoteWriter(document, context)
  const blocks = writer.convert(page.blocks)
  const top = writer.suffixOf(page.n)
  const text = writeMarkdown(blocks)
    .replace(SUFFIX, (_, number: string) => writer.suffixes[Number(number)] ?? '')
    .replace(LINK, (_, number: string) => writer.links[Number(number)] ?? '')
  return [top.trim(), quoteCallouts(text, writer.heads)].filter((part) => part !== '').join('\n\n')
}

class NoteWriter {
  readonly suffixes: string[] = []
  /** The texts of blocks with their marks, by number. */
  #texts: ReadonlyMap<number, string> | undefined
  readonly heads: string[] = []
  readonly links: string[] = []
  readonly #document: ExportedDocument
  readonly #context: NoteContext

  constructor(document: ExportedDocument, context: NoteContext) {
    this.#document = document
    this.#context = context
  }

  convert(blocks: readonly Block[]): Block[] {
    const converted: Block[] = []
    // Marks, and what stands below a block without words, end a list that goes on in the space.
    const [shown, written] = [new ListNumbers(), new ListNumbers()]
    const push = (...made: Block[]) => {
      for (const one of made) converted.push(withOwnNumber(one, written))
    }
    let [open, inQuotes]: [number, boolean] = [0, false]
    const end = (count: number) => {
      for (; open > count; open--) push({ type: 'text', text: END })
    }
    for (const [index, block] of blocks.entries()) {
      const before = blocks[index - 1]
      const callout = block.decorations?.callout
      const levels: readonly CalloutLevel[] = callout === true ? [{ starts: true }] : (callout ?? [])
      const shared = sharedCallouts(before, block)
      if (shared === 0) inQuotes = levels.length > 0 && areQuotes(blocks, index)
      end(Math.min(open, shared))
      if (inQuotes) {
        for (const level of levels.slice(open)) {
          push({ type: 'text', text: `${START}${this.heads.push(this.#head(level, block)) - 1}` })
          open++
        }
      }
      const number = shown.next(countedBlock(block))?.count
      const [made, ...below] = this.#block(block, inQuotes)
      if (made !== undefined) push({ ...made, ...(number !== undefined && { number }) }, ...below)
    }
    end(0)
    return converted
  }

  /** The first line of a callout. Its kind is its icon if that is a name, or follows from its color. */
  #head({ title, icon = '', color, folded }: CalloutLevel, block: Block): string {
    const isName = /^[A-Za-z][\w-]*$/.test(icon)
    const label = [isName ? '' : icon, title ?? ''].filter((part) => part !== '').join(' ')
    const kind = isName ? icon : calloutKind(color ?? block.color)
    return `[!${kind}]${folded ? '-' : ''}${label === '' ? '' : ` ${escapeForVault(titleFromPlain(label))}`}`
  }

  #block(block: Block, isInCallout: boolean): Block[] {
    const row = this.#document.rows.get(block)
    const n = row?.n ?? 0
    const anchor = this.#context.anchors.get(row?.id ?? 0)
    const suffix = `${this.#blockers(block)}${this.suffixOf(n, anchor?.startsWith('^') ? anchor : undefined)}`
    const made = this.#fields(block, n)
    if (isInCallout) {
      const { quote } = made.decorations ?? {}
      delete made.decorations
      if (quote) made.decorations = { quote }
    }
    if (made.type !== block.type) delete made.content
    else if (block.content !== undefined) made.content = this.convert(block.content)
    if (suffix === '') return [made]
    const hasText = made.type === 'text' && made.text !== ''
    const mark = `\uFDD0${this.suffixes.push(hasText ? suffix : suffix.trim()) - 1}\uFDD1`
    if (hasText) return [{ ...made, text: `${made.text} ${mark}` }]
    const { indentationLevel, decorations } = made
    const layout = { ...(indentationLevel !== undefined && { indentationLevel }), ...(decorations && { decorations }) }
    return [made, { type: 'text', text: mark, ...layout }]
  }

  #fields(block: Block, n: number): Block {
    const made: Block = { ...block }
    switch (block.type) {
      case 'text':
      case 'page':
        made.text = this.#textOf(this.#addresses(withoutComments(block.text), false), block)
        break
      case 'table':
        made.text = escapeTableForVault(this.#addresses(block.text, true))
        break
      case 'whiteboard':
      case 'collection': {
        // The block is a file of its own, which the note shows.
        const url = this.#context.fileOf(n)
        return url === undefined ? made : { ...withPlace(block), type: 'image', text: '', url }
      }
      case 'collectionItem':
      case 'code':
      case 'image':
      case 'video':
      case 'file':
      case 'drawing':
      case 'richUrl':
      case 'line':
        break
    }
    const address = block.url === undefined ? undefined : this.#context.fileOf(n)
    if (address !== undefined) made.url = address
    return made
  }

  #textOf(text: string, { type, listStyle, taskInfo, decorations }: Block): string {
    // The title of a page is in a tag, where the plugin does not look for dates.
    const isTask = listStyle === 'task' && type === 'text'
    const escaped = escapeForVault(isTask ? escapeTaskDates(text) : text)
    const quoted = decorations?.quote ? escapeQuoteStart(escaped) : escaped
    if (!isTask || taskInfo === undefined) return quoted
    const [first = '', ...others] = quoted.split('\n')
    return [`${first}${taskDates(taskInfo)}`, ...others].join('\n')
  }

  #addresses(text: string, isTable: boolean): string {
    if (!text.includes('](') && !text.includes('<')) return text
    const linked = this.#wikiLinks(text, isTable)
    return replaceAddresses(linked, findAddresses(linked, isTable), ({ url }) => this.#context.addressOf(url) ?? url)
  }

  /** Writes links in double brackets, where their words have no marks. */
  #wikiLinks(text: string, isTable: boolean): string {
    const { wikiLinkOf } = this.#context
    if (wikiLinkOf === undefined) return text
    let [linked, done] = ['', 0]
    for (const { url, start, end, isPicture } of findAddresses(text, isTable)) {
      const [label, rest = ''] = LABEL.exec(text.slice(done, start)) ?? []
      const inside = label === undefined || isPicture || text[end] !== ')' ? undefined : wikiLinkOf(url, rest)
      if (label === undefined || inside === undefined) continue
      const written = `[[${isTable ? inside.replace('|', '\\|') : inside}]]`
      linked += `${text.slice(done, start - label.length)}\uFDD4${this.links.push(written) - 1}\uFDD5`
      done = end + 1
    }
    return linked + text.slice(done)
  }

  /** What a task waits for, as links. */
  #blockers({ blockedBy = [] }: Block): string {
    const { anchors, addressOf } = this.#context
    // What does not exist anymore has no anchor, and blocks nothing.
    const urls = blockedBy.filter((id) => anchors.has(id)).map((id) => `block://${id}`)
    const links = urls.map((url) => `[task](${addressOf(url) ?? url})`)
    return links.length === 0 ? '' : ` %%blocked by ${links.join(' ')}%%`
  }

  /** Those about words name them, as they stand in the text by now. */
  #commentsOf(n: number): string[] {
    const comments = this.#document.comments.get(n) ?? []
    if (comments.length === 0) return []
    this.#texts ??= new Map([...this.#document.rows.values()].map((row) => [row.n, row.text]))
    const text = this.#texts.get(n) ?? ''
    const threads = new Map<number | null, string>()
    return comments.map((comment) => {
      const { id, thread, words } = comment
      // The oldest one's ID is that of the mark.
      const about = threads.get(thread) ?? (words === null ? '' : aboutWords(words, markedPlace(text, String(id))))
      threads.set(thread, about)
      return writeComment(comment, about)
    })
  }

  /** @param anchor  the name of the block if something links to it by one */
  suffixOf(n: number, anchor?: string): string {
    const reminder = this.#document.reminders.get(n)
    return [
      ...this.#commentsOf(n),
      ...(reminder === undefined ? [] : [writeReminder(reminder)]),
      ...(anchor === undefined ? [] : [anchor]),
    ]
      .map((part) => ` ${part}`)
      .join('')
  }
}

/** The words of a link before its address, if they are plain. */
const LABEL = /(?<![\\!])\[([^[\]\\`*_~$<>&|=\n]+)\]\($/

/** Returns the fields that place a block in a list or quote, without its content. */
function withPlace({ indentationLevel, listStyle, number, decorations, taskInfo }: Block): Partial<Block> {
  return {
    ...(indentationLevel !== undefined && { indentationLevel }),
    ...(listStyle !== undefined && { listStyle }),
    ...(number !== undefined && { number }),
    ...(decorations !== undefined && { decorations }),
    ...(taskInfo !== undefined && { taskInfo }),
  }
}

const timeOf = (time: number): string => new Date(time).toISOString()

/** ` on "quick brown fox"`, with the number of the place where the same words stand several times. */
function aboutWords(first: string, now: ReturnType<typeof markedPlace>): string {
  const { words, place, places } = now ?? { words: first, place: 0, places: 0 }
  return ` on ${quotedText(words)}${places > 1 && place > 0 ? ` ${place}` : ''}`
}

function writeComment({ author, content, createdAt, resolvedAt, resolvedBy }: CommentRow, about: string): string {
  const resolved = resolvedAt === null ? '' : ` (resolved by ${resolvedBy ?? 'someone'} ${timeOf(resolvedAt)})`
  // In code, formulas and HTML comments, `%%` has no meaning, so none may begin here.
  const isPlain = !/[\n"`$]|%%|%$|<!--|^\s|\s$/.test(content)
  const shown = isPlain ? content : quotedText(content)
  return `%%${author.replaceAll('%%', '% %')} ${timeOf(createdAt)}${resolved}${about}: ${shown}%%`
}

const quotedText = (text: string): string => JSON.stringify(text).replace(/[`$<]|(?<=%)%/g, unicodeEscape)

const unicodeEscape = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`

function writeReminder({ remindAt, completedAt }: ReminderRow): string {
  const completed = completedAt === null ? '' : ` completed ${timeOf(completedAt)}`
  return `%%reminder ${remindAt === null ? 'later' : timeOf(remindAt)}${completed}%%`
}

const UNITS = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const

/**
 * Writes the dates of a task for the Tasks plugin. Only the parts of a repeat rule that the plugin supports are
 * included.
 */
function taskDates({ scheduleDate, deadlineDate, completedAt, canceledAt, repeat, assignee }: TaskInfo): string {
  const rule = repeat as
    | { type: string; frequency: keyof typeof UNITS; interval?: number; weekly?: { days?: string[] } }
    | undefined
  const parts: string[] = []
  if (rule !== undefined) {
    const { frequency, interval = 1, weekly, type } = rule
    const unit = interval === 1 ? UNITS[frequency] : `${interval} ${UNITS[frequency]}s`
    const days = weekly?.days?.length ? ` on ${weekly.days.map(capitalized).join(', ')}` : ''
    parts.push(`🔁 every ${unit}${days}${type === 'flexible' ? ' when done' : ''}`)
  }
  if (scheduleDate !== undefined) parts.push(`⏳ ${scheduleDate}`)
  if (deadlineDate !== undefined) parts.push(`📅 ${deadlineDate}`)
  if (completedAt !== undefined) parts.push(`✅ ${completedAt.slice(0, 10)}`)
  if (canceledAt !== undefined) parts.push(`❌ ${canceledAt.slice(0, 10)}`)
  if (typeof assignee === 'object') parts.push(`👤 ${mentionOf(assignee)}`)
  return parts.map((part) => ` ${part}`).join('')
}

const mentionOf = ({ id, name }: { readonly id?: string | undefined; readonly name: string }): string =>
  `[@${escapeLabel(name)}](${PERSON_SCHEME}${id?.slice(-SHORT_ID_LENGTH) ?? encodeURIComponent(name)})`

/** Digits at the end of an ID that are the same in all spellings. */
const SHORT_ID_LENGTH = 12

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * True if a callout can be a quote: it begins without indentation, and each level is at most one deeper than the line
 * before. Pages and other callouts keep our tags.
 */
function areQuotes(blocks: readonly Block[], start: number): boolean {
  let level = 0
  for (let index = start; index < blocks.length; index++) {
    const block = blocks[index]
    if (block === undefined || (index > start && sharedCallouts(blocks[index - 1], block) === 0)) break
    const { indentationLevel = 0, type } = block
    if (type === 'page' || block.content !== undefined || indentationLevel > (index === start ? 0 : level + 1))
      return false
    level = indentationLevel
  }
  return true
}

/** Turns the lines between callout marks into quotes that begin with the kind of the callout. */
function quoteCallouts(text: string, heads: readonly string[]): string {
  if (!text.includes(START)) return text
  const lines: string[] = []
  let depth = 0
  let isAtStart = false
  const quoted = (line: string) => (line === '' ? '> '.repeat(depth).trimEnd() : `${'> '.repeat(depth)}${line}`)
  for (const line of text.split('\n')) {
    const [, head] = /^\uFDD2(\d+)$/.exec(line) ?? []
    if (head !== undefined) {
      // In each other, a callout needs a line of the outer one before it, which the blank line is.
      depth++
      isAtStart = true
      lines.push(quoted(heads[Number(head)] ?? ''))
    } else if (line === END) {
      while (/^[> ]*$/.test(lines.at(-1) ?? 'end') && lines.at(-1) !== '') lines.pop()
      depth--
    } else if (line !== '' || !isAtStart) {
      isAtStart = false
      lines.push(quoted(line))
    }
  }
  return lines.join('\n')
}
