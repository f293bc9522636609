/** Parses inline Markdown into spans. */

import type { HighlightColor } from '../block.ts'
import { allowedTag, commentText, isComment } from './html-tags.ts'
import { tokenizeInline } from './inline-grammar.ts'
import { type ContainerNode, type InlineNode, type LeafNode, visibleText } from './inline-node.ts'
import type { Definitions, InlineToken } from './inline-token.ts'
import { linkTags } from './link-tags.ts'

/** Parses a text. The keys of `definitions` are normalized by `definitionKey`. */
export function readInline(text: string, definitions?: Definitions): InlineNode[] {
  return new Reader().read(linkTags(tokenizeInline(trim(text.replace(/\r\n?/g, '\n')), definitions)))
}

/** An open container, or the whole text. */
interface Frame {
  container: ContainerNode | undefined
  spans: InlineNode[]
  /** The marks that were active where it opened. They apply to the container itself. */
  outer: number
  /** The color of the surrounding highlight, if any. */
  color: HighlightColor | undefined
  /** The value of `fresh` where it opened. */
  fresh: boolean
}

class Reader {
  private readonly root: Frame = { container: undefined, spans: [], outer: 0, color: undefined, fresh: true }
  /** Innermost last. A highlight inside another of the same color is ignored: the same frame is pushed again. */
  private readonly frames: Frame[] = [this.root]
  private readonly isAlt: boolean
  private readonly depth = new Map<number, number>()
  private marks = 0
  /** True if nothing has been written since the last line break, so that another one would create a blank line. */
  private fresh = true

  /** @param isAlt  true for the description of an image, where tags are text */
  constructor(isAlt = false) {
    this.isAlt = isAlt
  }

  read(tokens: readonly InlineToken[]): InlineNode[] {
    for (const [index, token] of tokens.entries()) this.addToken(token, tokens[index + 1])
    return this.root.spans
  }

  private addToken(token: InlineToken, next: InlineToken | undefined): void {
    switch (token.type) {
      case 'text': {
        // White space before a line break is not part of the text, but a character reference is (`&#32;` is a separate
        // token).
        const { content } = token
        this.text(next?.type === 'softbreak' || next?.type === 'hardbreak' ? trimEnd(content) : content)
        break
      }
      case 'literal':
        this.text(/[\r\n]/.test(token.content) ? ' ' : token.content)
        break
      case 'html':
        this.html(token.content)
        break
      case 'softbreak':
      case 'hardbreak':
        if (!this.fresh) this.add(token.type === 'softbreak' ? { kind: 'text', text: '\n' } : { kind: 'break' })
        this.fresh = true
        break
      case 'code':
      case 'autolink':
        this.add({ kind: token.type, text: token.content })
        break
      case 'formula':
        this.add({ kind: 'formula', text: token.content, fence: token.fence })
        break
      case 'image':
        this.add({ kind: 'image', alt: altOf(token.alt), url: token.url, title: token.title })
        break
      case 'link_open':
        this.open({ kind: 'link', url: token.url, title: token.title, spans: [] })
        break
      case 'comment_open':
        this.open({ kind: 'comment', id: token.id, spans: [] })
        break
      case 'highlight_open':
        this.open({ kind: 'highlight', color: token.color, ...(token.isPair && { isPair: true }), spans: [] })
        break
      case 'link_close':
      case 'comment_close':
      case 'highlight_close':
        this.close()
        break
      case 'mark_open':
      case 'mark_close':
        this.mark(token.mark, token.type === 'mark_open' ? 1 : -1)
        break
    }
  }

  private text(text: string): void {
    if (text !== '') this.add({ kind: 'text', text })
  }

  private html(source: string): void {
    if (this.isAlt) this.text(oneBreak(source))
    else if (isComment(source) ? commentText(source) !== '' : allowedTag(source) !== undefined) {
      // Browsers read </br> as <br>.
      const isBreak = /^<\/br\b/i.test(source)
      this.add({ kind: 'html', source: isBreak ? '<br>' : oneBreak(source).replaceAll('\n', ' ') })
    } else if (!isComment(source)) this.text(oneBreak(source))
  }

  private add(what: LeafNode | ContainerNode): void {
    const { spans, outer } = this.frame
    spans.push({ ...what, marks: this.marks & ~outer })
    this.fresh = false
  }

  /** Bold inside bold is just bold: only the outermost counts. */
  private mark(bit: number, step: number): void {
    const depth = (this.depth.get(bit) ?? 0) + step
    this.depth.set(bit, depth)
    this.marks = depth > 0 ? this.marks | bit : this.marks & ~bit
  }

  private open(container: ContainerNode): void {
    const around = this.frame
    const color = container.kind === 'highlight' ? container.color : around.color
    if (container.kind === 'highlight' && color === around.color) this.frames.push(around)
    else this.frames.push({ container, spans: container.spans, outer: this.marks, color, fresh: this.fresh })
    this.fresh = false
  }

  private close(): void {
    const { container, spans, fresh } = this.frame
    const closed = this.frames.pop()
    if (closed === this.frame || !container) return
    if (container.kind === 'highlight' && spans.length === 0) this.fresh = fresh
    else this.add(container)
  }

  private get frame(): Frame {
    return this.frames.at(-1) ?? this.root
  }
}

const altOf = (tokens: readonly InlineToken[]) => visibleText(new Reader(true).read(tokens)).replaceAll('\n', ' ')

/** Trims all lines and drops empty ones. */
const oneBreak = (text: string) => (text.includes('\n') ? text.split('\n').map(trim).filter(Boolean).join('\n') : text)

const STRIPPED = ' \t\n'

// Without a regular expression: `[ \t]+$` would restart at each space of a long run.
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && STRIPPED.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function trim(text: string): string {
  let start = 0
  while (start < text.length && STRIPPED.includes(text.charAt(start))) start++
  return trimEnd(text.slice(start))
}
