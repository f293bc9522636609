import { invalid } from '../../errors.ts'
import { mayFence } from '../inline/formula.ts'

const NAMES = [
  ...['page', 'card', 'pageTitle', 'content', 'callout', 'caption', 'whiteboard', 'drawing'],
  ...['collection', 'collectionItem', 'properties', 'property', 'contentPreview', 'itemsPreview'],
] as const
export type TagName = (typeof NAMES)[number]

/** Written where a depth limit cuts a tree off, or for collections; not taken back. */
const OUTPUT_ONLY: ReadonlySet<string> = new Set(NAMES.slice(8))

/** A tag where a block can stand, with the tag that closes it. */
export interface Tag {
  name: TagName
  start: number
  end: number
  attributes: string
  line: number
  column: number
  parent: Tag | undefined
  /** Absent on a tag without a partner, and on `<tag/>`. */
  close?: { start: number; end: number; line: number }
  kind: 'open' | 'close' | 'empty'
}

/**
 * The tags of a text that stand for blocks, by their offset. Tags inside code, after a backslash, or amid a line's
 * words are words.
 *
 *     > - <callout>a</callout>
 *         ^         ^
 */
export function findTags(src: string): ReadonlyMap<number, Tag> {
  const tags = new Map<number, Tag>()
  if (!ANY.test(src)) return tags
  const open: Tag[] = []
  let fence: Fence | undefined
  let line = 0
  for (let start = 0; start <= src.length; line++) {
    let end = src.indexOf('\n', start)
    if (end < 0) end = src.length
    const text = src.slice(start, end)
    // A quote that ends takes the fence inside it along.
    if (fence !== undefined && quoteMarks(text) < fence.quotes) fence = undefined
    if (fence !== undefined) {
      if (closes(text, fence)) fence = undefined
    } else {
      fence = fenceOf(text)
      if (fence === undefined && text.includes('<')) tagsOfLine(text, start, line, open, tags)
    }
    start = end + 1
  }
  return tags
}

interface Fence {
  mark: string
  quotes: number
}

function fenceOf(text: string): Fence | undefined {
  const [, prefix = '', mark, rest = ''] = FENCE.exec(text) ?? []
  if (mark === undefined || (mark.startsWith('`') && rest.includes('`'))) return undefined
  return { mark, quotes: quoteMarks(prefix) }
}

function closes(text: string, { mark, quotes }: Fence): boolean {
  const [, prefix = '', found = ''] = CLOSING_FENCE.exec(text) ?? []
  return found.startsWith(mark) && quoteMarks(prefix) === quotes
}

const quoteMarks = (text: string): number => (/^[ \t>]*/.exec(text)?.[0].match(/>/g) ?? []).length

const TAG_NAMES = NAMES.join('|')
const ANY = new RegExp(`</?(?:${TAG_NAMES})\\b`)
// Each space is matched by one alternative alone, so that a long row of marks is passed in one way.
const PREFIX = /(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t])|(?<=[-+*][ \t]{1,4})\[[ xX-]\](?=[ \t]))*/y
const FENCE = /^((?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t])|(?<=[-+*][ \t]{1,4})\[[ xX-]\](?=[ \t]))*)(`{3,}|~{3,})(.*)/
const CLOSING_FENCE = /^([ \t>]*)(`{3,}|~{3,})[ \t]*$/
const PIECE = new RegExp(`(\`+)|(\\$+)|\\\\[^\\n]|<(/?)(${TAG_NAMES})((?:\\s[^<>]*?)?)(/?)>`, 'g')

function tagsOfLine(text: string, offset: number, line: number, open: Tag[], tags: Map<number, Tag>): void {
  PREFIX.lastIndex = 0
  PREFIX.test(text)
  let boundary = PREFIX.lastIndex
  for (const { index: at, parts } of tagsAmidWords(text, boundary)) {
    const [all, , , slash, name = '', attributes = '', empty] = parts
    const atBoundary = text.slice(boundary, at).trim() === ''
    const tag: Tag = {
      name: name as TagName,
      start: offset + at,
      end: offset + at + all.length,
      attributes,
      line,
      column: at,
      parent: open.at(-1),
      kind: slash === '/' ? 'close' : empty === '/' ? 'empty' : 'open',
    }
    if (tag.kind === 'close') {
      const partner = open.at(-1)
      if (partner?.name === name) {
        partner.close = { start: tag.start, end: tag.end, line }
        open.pop()
      } else if (!atBoundary) continue
      tags.set(tag.start, tag)
    } else if (atBoundary) {
      if (tag.kind === 'open') open.push(tag)
      tags.set(tag.start, tag)
    } else if (name === 'pageTitle' && isPage(tag.parent)) throw titleNotFirst(tag)
    else continue
    boundary = at + all.length
  }
}

interface Found {
  index: number
  parts: RegExpExecArray
}

/** All that is written as a tag of ours, from left to right, but for what is in code, in a formula or escaped. */
function* tagsAmidWords(text: string, from: number): Generator<Found> {
  let start = from
  if (text[from] === '|') {
    // Each cell of a table is read on its own.
    for (const { 0: char, index } of text.slice(from).matchAll(/\\[^\n]|\|/g)) {
      if (char !== '|') continue
      yield* tagsOfWords(text.slice(start, from + index), start)
      start = from + index + 1
    }
  }
  yield* tagsOfWords(text.slice(start), start)
}

function* tagsOfWords(text: string, offset: number): Generator<Found> {
  const codes = runsOf(text, '`', /`+/g)
  const formulas = runsOf(text, '$', /\\[^\n]|\$+/g)
  // A pattern of its own: between two tags the caller may ask for others.
  const piece = new RegExp(PIECE)
  for (let match = piece.exec(text); match !== null; match = piece.exec(text)) {
    const [, ticks, dollars, , name] = match
    if (ticks !== undefined) {
      const end = codes(ticks.length, match.index)
      if (end !== undefined) piece.lastIndex = end + ticks.length
    } else if (dollars !== undefined) {
      const end = formulas(dollars.length, match.index)
      const start = match.index + dollars.length
      if (end !== undefined && mayFence(dollars, text, start, end)) piece.lastIndex = end + dollars.length
    } else if (name !== undefined) yield { index: offset + match.index, parts: match }
  }
}

/** Asked from left to right: where the next run of a mark begins that is as long as the one that stands at an index. */
function runsOf(text: string, mark: string, pattern: RegExp): (length: number, index: number) => number | undefined {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.includes(mark) ? text.matchAll(pattern) : []) {
    const places = runs.get(run.length)
    if (!run.startsWith(mark)) continue
    if (places === undefined) runs.set(run.length, [index])
    else places.push(index)
  }
  for (const places of runs.values()) places.reverse()
  return (length, index) => {
    const places = runs.get(length) ?? []
    while ((places.at(-1) ?? text.length) <= index) places.pop()
    return places.at(-1)
  }
}

/**
 * Words without tags of ours. What the inline level leaves are those in URLs and titles, where a reference for `<`
 * means the same.
 *
 *     [a](b "</page>")
 *            ^
 */
export function hideTags(text: string): string {
  if (!text.includes('<') || !ANY.test(text)) return text
  return text.split('\n').map(hideTagsOfLine).join('\n')
}

function hideTagsOfLine(line: string): string {
  let written = ''
  let at = 0
  for (const { index } of tagsAmidWords(line, 0)) {
    written += `${line.slice(at, index)}&lt;`
    at = index + 1
  }
  return written + line.slice(at)
}

/** "line 3, column 1", for people: both from one. */
export const whereIs = (line: number, column: number): string => `line ${line + 1}, column ${column + 1}`

const isPage = (tag: Tag | undefined): boolean => tag?.name === 'page' || tag?.name === 'card'

const titleNotFirst = ({ line, column }: Tag) =>
  invalid(
    `Expected <pageTitle> first in its page, found it at ${whereIs(line, column)} after other content; move it before that.`,
  )

/**
 * @param isFirst whether nothing of its page came before it
 * @throws VALIDATION_ERROR for a tag that cannot stand where it does
 */
export function checkTag(tag: Tag, isFirst: boolean): void {
  const { name, kind, parent, close } = tag
  const where = whereIs(tag.line, tag.column)
  if (OUTPUT_ONLY.has(name)) {
    throw invalid(
      `Expected Markdown to write, found <${name}> at ${where}, which is output only; add items to a collection with items_add, and leave previews out.`,
    )
  }
  if (kind === 'close') {
    throw invalid(
      `Expected a tag that opens it, found </${name}> at ${where}; open it before, or write \\</${name}> for the words.`,
    )
  }
  if (kind === 'open' && close === undefined) {
    throw invalid(
      `Expected </${name}> for the <${name}> at ${where}, found none; close it, inner tags first, or write \\<${name}> for the words.`,
    )
  }
  if ((name === 'pageTitle' || name === 'content') && !isPage(parent)) {
    throw invalid(
      `Expected <${name}> directly inside <page> or <card>, found it at ${where}; put it there, or write \\<${name}> for the words.`,
    )
  }
  if (name === 'pageTitle' && !isFirst) throw titleNotFirst(tag)
}
