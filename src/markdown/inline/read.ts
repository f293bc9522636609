/** From inline Markdown to spans: markdown-it's inline rules with those of ours, then its flat tokens as spans. */

import MarkdownIt, { type StateInline, type Token } from 'markdown-it'
import { readFormula } from './formula.ts'
import { closePairs, readPair } from './pair.ts'
import { BOLD, type Container, ITALIC, type Span, STRIKE, visible } from './span.ts'
import { closeTags, color, readTag } from './tag.ts'

/** Where reference links lead, by the key of their label. */
export type Definitions = ReadonlyMap<string, { url: string; title?: string }>

/** Links, images and tags inside each other deeper than this are text. It bounds the stack. */
const MAX_NESTING = 100

export const grammar = new MarkdownIt('commonmark', { html: true, maxNesting: MAX_NESTING })
grammar.normalizeLink = (url) => url
grammar.normalizeLinkText = (url) => url
grammar.validateLink = () => true
grammar.inline.ruler.before('emphasis', 'pair', readPair)
grammar.inline.ruler.before('autolink', 'formula', readFormula)
grammar.inline.ruler.before('autolink', 'tag', readTag)
grammar.inline.ruler2.before('emphasis', 'pair', closePairs)
grammar.inline.ruler2.push('tag', closeTags)
boundLabels()
notePlaces()

const BITS: Readonly<Record<string, number>> = { em: ITALIC, strong: BOLD, strike: STRIKE }

/** Reads a text. A `definitions` key is a label as `definitionKey` makes it. */
export function readSpans(text: string, definitions?: Definitions): Span[] {
  return spansOf(tokensOf(text.replace(/\r\n?/g, '\n').replace(/^[ \t\n]+|[ \t\n]+$/g, ''), definitions))
}

/** The tokens of markdown-it, flat. */
export function tokensOf(text: string, definitions?: Definitions): Token[] {
  const tokens: Token[] = []
  grammar.inline.parse(text, grammar, definitions ? { references: references(definitions) } : {}, tokens)
  return tokens
}

/** A frame: the spans of a container that is open, and the marks that were on where it opened. */
interface Frame {
  spans: Span[]
  outer: number
  /** Undefined for the text itself, and for a highlight inside one of its colour, which adds nothing. */
  container: Container | undefined
}

function spansOf(tokens: readonly Token[]): Span[] {
  const depth: Record<number, number> = { [ITALIC]: 0, [BOLD]: 0, [STRIKE]: 0 }
  let marks = 0
  let frame: Frame = { spans: [], outer: 0, container: undefined }
  const frames: Frame[] = []
  const colors: string[] = []
  // True where nothing has been written since the last break, so that another would make a blank line.
  let fresh = true
  const add = (span: Container | Leafy) => {
    fresh = false
    frame.spans.push({ ...span, marks: marks & ~frame.outer })
  }
  const open = (container: Container | undefined) => {
    frames.push(frame)
    if (!container) return
    frame = { spans: container.spans, outer: marks, container }
  }
  const close = () => {
    const { container } = frame
    const parent = frames.pop()
    if (!parent) return
    const doubled = parent === frame
    frame = parent
    if (doubled || !container) return
    if (container.kind === 'highlight' && container.spans.length === 0) return
    add(container)
  }
  for (const [index, token] of tokens.entries()) {
    const { type, content } = token
    const bit = BITS[type.slice(0, type.indexOf('_'))]
    if (bit !== undefined) {
      depth[bit] = (depth[bit] ?? 0) + token.nesting
      marks = (depth[bit] ?? 0) > 0 ? marks | bit : marks & ~bit
    } else if (type === 'text' || type === 'html_inline') {
      const breaks = tokens[index + 1]?.type === 'softbreak' || tokens[index + 1]?.type === 'hardbreak'
      const kept = breaks ? content.replace(/[ \t]+$/, '') : content
      if (kept !== '') add({ kind: 'text', text: kept })
    } else if (type === 'text_special') {
      add({ kind: 'text', text: /[\r\n]/.test(content) ? ' ' : content })
    } else if (type === 'softbreak' || type === 'hardbreak') {
      if (!fresh) add(type === 'softbreak' ? { kind: 'text', text: '\n' } : { kind: 'break' })
      fresh = true
    } else if (type === 'code_inline') add({ kind: 'code', text: content })
    else if (type === 'formula') add({ kind: 'formula', text: content, fence: token.markup === '$' ? '$' : '$$' })
    else if (type === 'image') add(imageOf(token))
    else if (type === 'link_open' && token.markup === 'autolink') {
      add({ kind: 'autolink', text: tokens[index + 1]?.content ?? '' })
      Object.assign(tokens[index + 1] ?? {}, { content: '' })
    } else if (type === 'link_close' && token.markup === 'autolink') continue
    else if (type === 'link_open') open({ kind: 'link', ...target(token, 'href'), spans: [] })
    else if (type === 'comment_open') open({ kind: 'comment', id: content, spans: [] })
    else if (type === 'highlight_open' || type === 'pair_open') {
      const name = type === 'pair_open' ? 'yellow' : color(content)
      open(colors.at(-1) === name ? undefined : { kind: 'highlight', color: name, spans: [] })
      colors.push(name)
    } else if (token.nesting < 0) {
      if (type !== 'link_close' && type !== 'comment_close') colors.pop()
      close()
    }
  }
  return frame.spans
}

type Leafy = Exclude<Span, { spans: Span[] }> extends infer S ? (S extends Span ? Omit<S, 'marks'> : never) : never

function imageOf(token: Token): Leafy {
  const alt = visible(spansOf(token.children ?? [])).replaceAll('\n', ' ')
  return { kind: 'image', alt, ...target(token, 'src') }
}

function target(token: Token, attribute: string): { url: string; title: string } {
  return { url: String(token.attrGet(attribute) ?? ''), title: String(token.attrGet('title') ?? '') }
}

/** The definitions in the form in which markdown-it asks for them. */
function references(definitions: Definitions) {
  return new Proxy<Record<string, { href: string; title: string }>>(
    {},
    {
      get: (_, label) => {
        const found = typeof label === 'string' ? definitions.get(label) : undefined
        return found && { href: found.url, title: found.title ?? '' }
      },
    },
  )
}

/** Without it each `[` of `[[[[…` would look for a `]` through all that follows, each inside the one before. */
function boundLabels(): void {
  const { parseLinkLabel } = grammar.helpers
  const last = new WeakMap<StateInline, number>()
  grammar.helpers = {
    ...grammar.helpers,
    parseLinkLabel: (state, start, disableNested) => {
      let end = last.get(state)
      if (end === undefined) {
        end = state.src.lastIndexOf(']')
        last.set(state, end)
      }
      return end < start ? -1 : parseLinkLabel(state, start, disableNested)
    },
  }
}

/** Notes on the token of each link where its label stands, or where its autolink begins: links.ts needs it. */
function notePlaces(): void {
  grammar.inline.State = class extends grammar.inline.State {
    override push(type: string, tag: string, nesting: 1 | 0 | -1): Token {
      const token = super.push(type, tag, nesting)
      if (type === 'link_open') token.map = [this.pos, this.posMax]
      return token
    }
  }
}
