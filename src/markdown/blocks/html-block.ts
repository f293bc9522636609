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
  /** In how many items it is. */
  level: number
}

/**
 * Extracts the parts of an HTML block. Scripts, styles, processing instructions and the like are kept as code, since
 * someone wrote them. Comments, and tags that are kept in a line, stay as they are. Of elements without an equivalent in
 * Markdown, only the text is kept.
 */
export function htmlPieces(html: string): HtmlPiece[] {
  const reader = new PieceReader()
  let from = 0
  for (const match of html.matchAll(VERBATIM)) {
    const [all, name = '', attributes = '', inner = ''] = match
    if (all.startsWith('<!--')) continue
    reader.read(html.slice(from, match.index))
    from = match.index + all.length
    if (/^(?:pre|textarea)$/i.test(name)) {
      const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)|\blang="([^"]+)"/.exec(attributes + inner)
      const text = inner.replace(TAG, '').replace(/^\n|\n+$/g, '')
      reader.addCode(decode(text), language?.[1] ?? language?.[2] ?? '')
    } else reader.addCode(all.trimEnd(), 'html')
  }
  reader.read(html.slice(from))
  return reader.end()
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
  /** Where the text in it begins. */
  at: number
  attributes: string
}

interface OpenList {
  kind: 'bullet' | 'numbered'
  mark: string
  /** The number of the next item; absent for a reversed list, which counts down to 1 unless it says where it begins. */
  next?: number
  /** True for a list that counts down. */
  isReversed: boolean
  /** True once an item of it was written: what stands in it further on is deeper. */
  hasItem: boolean
  /** The items of a list whose first number is only known at its end. */
  uncounted: { written: WrittenNumber; value: number | undefined }[]
}

/** Reads HTML without elements that hide their text: inline elements become Markdown, and others begin a piece. */
class PieceReader {
  readonly #pieces: HtmlPiece[] = []
  #kind: HtmlPiece['kind'] = 'text'
  #text = ''
  #open: Opened[] = []
  readonly #lists: OpenList[] = []
  #listCount = 0
  #written: WrittenNumber | undefined

  read(html: string): void {
    let at = 0
    for (const match of html.matchAll(TAG)) {
      this.#text += literal(html.slice(at, match.index))
      at = match.index + match[0].length
      this.#tag(match)
    }
    this.#text += literal(html.slice(at))
  }

  addCode(text: string, language: string): void {
    this.#endPiece()
    this.#push({ kind: 'code', text, language })
  }

  end(): HtmlPiece[] {
    this.#endPiece()
    while (this.#lists.length > 0) this.#endList()
    return this.#pieces
  }

  #tag({ 0: all, 1: slash, 2: rawName = '', 3: attributes = '' }: RegExpExecArray): void {
    const name = rawName.toLowerCase()
    const isEnd = slash !== ''
    if (isComment(all)) this.#text += commentOf(all)
    else if (name === 'br') this.#text += '<br>'
    else if (allowedTag(all) !== undefined) this.#text += all.replace(/\s+/g, ' ')
    else if (EMBEDS.has(name)) this.#embed(isEnd ? undefined : value(attributes, 'src'), attributes)
    else if (name === 'img') this.#text += image(attributes)
    else if (name === 'td' || name === 'th') this.#text += isEnd ? '' : ' '
    else if (INLINE.has(name)) this.#inline({ name, at: this.#text.length, attributes }, isEnd)
    else {
      this.#endPiece()
      this.#block(name, attributes, isEnd)
    }
  }

  #embed(url: string | undefined, attributes: string): void {
    if (url === undefined || url === '') return
    this.#endPiece()
    this.#push({ kind: 'text', text: linkTo(url, value(attributes, 'title') ?? url) })
  }

  #inline(element: Opened, isEnd: boolean): void {
    if (!isEnd) this.#open.push(element)
    else if (this.#open.at(-1)?.name === element.name) this.#closeInline()
  }

  /** What begins or ends here. */
  #block(name: string, attributes: string, isEnd: boolean): void {
    if (name === 'hr') this.#push({ kind: 'line', text: '' })
    else if (name === 'ul' || name === 'ol') {
      this.#startText()
      if (isEnd) this.#endList()
      else {
        const isReversed = name === 'ol' && REVERSED.test(attributes)
        const start = listNumber(value(attributes, 'start')) ?? (isReversed ? undefined : 1)
        const kind = name === 'ul' ? 'bullet' : 'numbered'
        const next = start === undefined ? {} : { next: start }
        this.#lists.push({
          kind,
          mark: `list ${this.#listCount++}`,
          isReversed,
          hasItem: false,
          uncounted: [],
          ...next,
        })
      }
    } else if (name === 'li') {
      this.#startText()
      if (!isEnd) this.#item(attributes)
    } else if (!isEnd && KINDS.has(name)) this.#startText(KINDS.get(name))
  }

  #item(attributes: string): void {
    const list = this.#lists.at(-1)
    this.#kind = list?.kind ?? 'bullet'
    if (list?.kind !== 'numbered') return
    const given = listNumber(value(attributes, 'value'))
    const number = given ?? list.next ?? 1
    // 1 after 2 would be read as the item after it.
    this.#written = { number, mark: list.mark, ...(list.isReversed && { isMarked: true }) }
    if (list.isReversed && list.next === undefined) list.uncounted.push({ written: this.#written, value: given })
    else list.next = list.isReversed ? Math.max(0, number - 1) : number + 1
  }

  #endList(): void {
    const { uncounted = [] } = this.#lists.pop() ?? {}
    let next = uncounted.length
    for (const { written, value: given } of uncounted) {
      written.number = given ?? next
      next = Math.max(0, written.number - 1)
    }
  }

  /** Writes the innermost open element. @returns false if there is none */
  #closeInline(): boolean {
    const element = this.#open.pop()
    if (element === undefined) return false
    this.#text = this.#text.slice(0, element.at) + around(element, this.#text.slice(element.at))
    return true
  }

  #endPiece(): void {
    while (this.#closeInline());
    const text = this.#text
      .replace(/ *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .trim()
    this.#text = ''
    // <li><p>one</p>       The paragraph is the text of the item.
    //    ^
    if (text === '') return
    this.#push({ kind: this.#kind, text, ...(this.#written && { written: this.#written }) })
    this.#startText()
  }

  #startText(kind: HtmlPiece['kind'] = 'text'): void {
    this.#kind = kind
    this.#written = undefined
  }

  #push(piece: Omit<HtmlPiece, 'level'>): void {
    const isItem = piece.kind === 'bullet' || piece.kind === 'numbered'
    const list = this.#lists.at(-1)
    const around = isItem ? this.#lists.slice(0, -1) : this.#lists
    this.#pieces.push({ ...piece, level: around.filter(({ hasItem }) => hasItem).length })
    if (isItem && list !== undefined) list.hasItem = true
  }
}

/** The attribute of a list that counts down. */
const REVERSED = /(?:^|[\s"'])reversed(?=[\s=]|$)/i

/** The number in an attribute of a list or an item. Undefined for one that no block can have. */
export const listNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined

/** Text from HTML: white space is collapsed, and characters other than `<` and `&` are escaped. */
const literal = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]~=$<]/g, '\\$&')

function around({ name, attributes }: Opened, inner: string): string {
  const text = inner.trim()
  const url = name === 'a' ? value(attributes, 'href') : undefined
  if (text === '') return url ? `${inner}${linkTo(url, url)}` : inner
  const lead = inner.slice(0, inner.indexOf(text))
  const tail = inner.slice(lead.length + text.length)
  const mark = INLINE.get(name) ?? ''
  if (name === 'a') {
    if (url === undefined || url === '') return inner
    // A link cannot hold another one.
    if (HOLDS_LINK.test(text)) return `${lead}${text} ${linkTo(url, url)}${tail}`
    return `${lead}[${text}](${destination(url)})${tail}`
  }
  if (mark !== '`') return mark === '' || text.includes('\n') ? inner : lead + mark + text + mark + tail
  const code = decode(text.replace(/\\([\\`*_[\]~=$<])/g, '$1'))
  // Code holds neither links nor other marks, which are what has no backslash here.
  const hasMarks = /[*~`[<]/.test(text.replace(/\\./g, ''))
  return hasMarks || code.includes('`') ? inner : `${lead}\`${code}\`${tail}`
}

/** A link in text that is Markdown already. Its label ends before `](`; one that belongs to an image begins with `!`. */
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
