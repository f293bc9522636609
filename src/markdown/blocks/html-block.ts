import { allowedTag, commentText, isComment } from '../inline/html-tags.ts'
import { EMBEDS } from '../inline/link-tags.ts'
import type { WrittenNumber } from '../written-numbers.ts'

/** A visible part of foreign HTML: text as inline Markdown, a heading, a list item, code, or a line. */
export interface HtmlPiece {
  kind: 'text' | 'h1' | 'h2' | 'h3' | 'h4' | 'bullet' | 'numbered' | 'code' | 'line'
  text: string
  /** For code: the language that its element names. */
  language?: string
  /** For an item of a numbered list. */
  written?: WrittenNumber
}

/**
 * Extracts the parts of an HTML block. Scripts, styles, processing instructions and the like are kept as code, since
 * someone wrote them. Comments, and tags that are kept in a line, stay as they are. Of elements without an equivalent in
 * Markdown, only the text is kept.
 */
export function htmlPieces(html: string): HtmlPiece[] {
  const pieces: HtmlPiece[] = []
  let from = 0
  for (const match of html.matchAll(VERBATIM)) {
    const [all, name = '', attributes = '', inner = ''] = match
    if (all.startsWith('<!--')) continue
    piecesOf(html.slice(from, match.index), pieces)
    from = match.index + all.length
    if (/^(?:pre|textarea)$/i.test(name)) {
      const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)|\blang="([^"]+)"/.exec(attributes + inner)
      const text = inner.replace(TAG, '').replace(/^\n|\n+$/g, '')
      pieces.push({ kind: 'code', text: decode(text), language: language?.[1] ?? language?.[2] ?? '' })
    } else pieces.push({ kind: 'code', text: all.trimEnd(), language: 'html' })
  }
  piecesOf(html.slice(from), pieces)
  return pieces
}

// Each match runs to the end of its block, or no further than the next `<`: then no text takes more than one look.
const VERBATIM =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|pre|textarea)\b([^<>]*)>([\s\S]*?)(?:<\/\1\s*>|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<![A-Za-z][^<>]*>/gi
const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([A-Za-z][A-Za-z0-9-]*)([^<>]*)>/g

/** Inline elements, with their Markdown delimiters. */
const INLINE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ b: '**', strong: '**', i: '*', em: '*', cite: '*', dfn: '*', var: '*', s: '~~', del: '~~', strike: '~~' },
    ...{ code: '`', tt: '`', samp: '`', a: '', abbr: '', bdi: '', bdo: '', data: '', font: '' },
    ...{ ins: '', label: '', q: '', small: '', span: '', time: '', picture: '' },
  }),
)
const KINDS: ReadonlyMap<string, HtmlPiece['kind']> = new Map(
  Object.entries({
    ...{ h1: 'h1', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4' },
  }),
)

interface Opened {
  name: string
  at: number
  attributes: string
}

function piecesOf(html: string, pieces: HtmlPiece[]): void {
  let kind: HtmlPiece['kind'] = 'text'
  let words = ''
  let open: Opened[] = []
  const lists: { kind: 'bullet' | 'numbered'; mark: string; next: number }[] = []
  let written: WrittenNumber | undefined
  const close = (element: Opened) => {
    words = words.slice(0, element.at) + around(element, words.slice(element.at))
  }
  const flush = () => {
    for (let element = open.pop(); element !== undefined; element = open.pop()) close(element)
    const text = words
      .replace(/ *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .trim()
    if (text !== '') pieces.push({ kind, text, ...(written !== undefined && { written }) })
    words = ''
    kind = 'text'
    written = undefined
  }
  let at = 0
  for (const match of html.matchAll(TAG)) {
    words += literal(html.slice(at, match.index))
    at = match.index + match[0].length
    const [all, slash, rawName = '', attributes = ''] = match
    const name = rawName.toLowerCase()
    if (isComment(all)) words += commentOf(all)
    else if (name === 'br') words += '<br>'
    else if (allowedTag(all) !== undefined) words += all.replace(/\s+/g, ' ')
    else if (EMBEDS.has(name)) {
      const url = slash === '' ? value(attributes, 'src') : undefined
      if (url === undefined || url === '') continue
      flush()
      open = []
      pieces.push({ kind: 'text', text: linkTo(url, value(attributes, 'title') ?? url) })
    } else if (name === 'img') words += image(attributes)
    else if (name === 'td' || name === 'th') words += slash === '' ? ' ' : ''
    else if (INLINE.has(name)) {
      if (slash === '') open.push({ name, at: words.length, attributes })
      else if (open.at(-1)?.name === name) {
        const element = open.pop()
        if (element !== undefined) close(element)
      }
    } else {
      flush()
      open = []
      if (name === 'hr') pieces.push({ kind: 'line', text: '' })
      else if (name === 'ul' || name === 'ol') {
        if (slash !== '') lists.pop()
        else {
          const next = listNumber(value(attributes, 'start')) ?? 1
          lists.push({ kind: name === 'ul' ? 'bullet' : 'numbered', mark: `list ${match.index}`, next })
        }
      } else if (slash === '' && name === 'li') {
        const list = lists.at(-1)
        kind = list?.kind ?? 'bullet'
        if (list?.kind === 'numbered') {
          const number = listNumber(value(attributes, 'value')) ?? list.next
          list.next = number + 1
          written = { number, mark: list.mark }
        }
      } else if (slash === '') kind = KINDS.get(name) ?? 'text'
    }
  }
  words += literal(html.slice(at))
  flush()
}

/** The number in an attribute of a list or an item. Undefined for one that no block can have. */
export const listNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined

/** Text from HTML: white space is collapsed, and characters other than `<` and `&` are escaped. */
const literal = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]~=$<]/g, '\\$&')

function around({ name, attributes }: Opened, inner: string): string {
  const words = inner.trim()
  const url = name === 'a' ? value(attributes, 'href') : undefined
  if (words === '') return url ? `${inner}${linkTo(url, url)}` : inner
  const lead = inner.slice(0, inner.indexOf(words))
  const tail = inner.slice(lead.length + words.length)
  const mark = INLINE.get(name) ?? ''
  if (name === 'a') {
    if (url === undefined || url === '') return inner
    // A link cannot hold another one.
    if (HOLDS_LINK.test(words)) return `${lead}${words} ${linkTo(url, url)}${tail}`
    return `${lead}[${words}](${destination(url)})${tail}`
  }
  if (mark !== '`') return mark === '' || words.includes('\n') ? inner : lead + mark + words + mark + tail
  const code = decode(words.replace(/\\([\\`*_[\]~=$<])/g, '$1'))
  // Code holds neither links nor other marks, which are what has no backslash here.
  const hasMarks = /[*~`[<]/.test(words.replace(/\\./g, ''))
  return hasMarks || code.includes('`') ? inner : `${lead}\`${code}\`${tail}`
}

/** A link in words that are Markdown already. Its label ends before `](`; one that belongs to an image begins with `!`. */
const HOLDS_LINK = /(?<!!)\[(?:[^[\]\\]|\\.|!\[(?:[^[\]\\]|\\.)*\])*\]\(/

const linkTo = (url: string, label: string): string => `[${literal(label)}](${destination(url)})`

function commentOf(comment: string): string {
  const closed = comment.endsWith('-->') ? comment : `${comment}-->`
  return commentText(closed) === '' ? '' : closed.replace(/\s+/g, ' ')
}

function image(attributes: string): string {
  const src = value(attributes, 'src')
  const alt = literal(value(attributes, 'alt') ?? '')
  return src === undefined ? alt : `![${alt}](${destination(src)})`
}

const destination = (url: string): string =>
  /^[^\s()<>\\]+$/.test(url) ? url : `<${url.replace(/[<>\\]/g, '\\$&').replace(/\s/g, '%20')}>`

function value(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  return match?.[1] ?? match?.[2] ?? match?.[3]
}

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
)
const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => ENTITIES.get(name) ?? "'")
