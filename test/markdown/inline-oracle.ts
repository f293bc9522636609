/** Inline content as one line per character, to compare our parser with remark's and with markdown-it. */

import MarkdownIt, { type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import type { Node, Parent } from 'mdast'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { classOf, firstCharacter, flanking, lastCharacter } from '../../src/markdown/inline/characters.ts'
import { allowedTag, isComment } from '../../src/markdown/inline/html-tags.ts'
import { BOLD, type InlineNode, ITALIC, isContainer, STRIKE } from '../../src/markdown/inline/inline-node.ts'
import { readInline } from '../../src/markdown/inline/read-inline.ts'

const remark = unified().use(remarkParse)

/** The marks of a character: `['bold', 'link u']`. */
type Over = readonly string[]

/** The result of our parser. */
export function seenByUs(text: string): string[] {
  const seen: string[] = []
  const walk = (spans: readonly InlineNode[], outer: Over) => {
    for (const span of spans) {
      const over = [...outer]
      if (span.marks & ITALIC) over.push('italic')
      if (span.marks & BOLD) over.push('bold')
      if (span.marks & STRIKE) over.push('strike')
      if (span.kind === 'link') walkLink(span, over)
      else if (span.kind === 'highlight') walk(span.spans, [...over, `highlight ${span.color}`])
      else if (span.kind === 'comment') walk(span.spans, [...over, `comment ${span.id}`])
      else if (span.kind === 'autolink') {
        const url = /^[\w+.-]+:/.test(span.text) ? span.text : `mailto:${span.text}`
        note(seen, span.text, [...over, `link ${url} `])
      } else if (span.kind === 'code' || span.kind === 'formula') note(seen, span.text, [...over, span.kind])
      else if (span.kind === 'image') seen.push(image(span.alt, span.url, span.title, over))
      else if (span.kind === 'break') seen.push(`break`)
      else if (span.kind === 'html') note(seen, span.source, over)
      else if (!isContainer(span)) note(seen, span.text, over)
    }
  }
  const walkLink = (span: InlineNode & { kind: 'link' }, over: Over) => {
    const link = `link ${span.url} ${span.title}`
    if (span.spans.length === 0) seen.push(character('empty', [...over, link]))
    walk(span.spans, [...over, link])
  }
  walk(readInline(text), [])
  return breaksAlone(seen)
}

/** The result of remark, with the characters of raw HTML. Undefined if it is not one paragraph. */
export function seenByRemark(text: string): string[] | undefined {
  const seen: string[] = []
  const walk = (node: Node, outer: Over) => {
    const of = node as Partial<Parent> & { value?: string; url?: string; title?: string | null; alt?: string }
    const url = `${of.url} ${of.title ?? ''}`
    if (node.type === 'text') note(seen, of.value ?? '', outer)
    else if (node.type === 'html' && /^<!-(?:-[ \n]*-)?->$/.test(of.value ?? '')) return
    else if (node.type === 'html') note(seen, htmlSource(of.value ?? ''), outer)
    else if (node.type === 'inlineCode') note(seen, (of.value ?? '').replaceAll('\n', ' '), [...outer, 'code'])
    else if (node.type === 'image') seen.push(image(of.alt ?? '', of.url ?? '', of.title ?? '', outer))
    else if (node.type === 'break') seen.push(`break`)
    else {
      const over = [...outer, ...(NAMES[node.type] ? [NAMES[node.type] ?? ''] : [])]
      if (node.type === 'link') over.push(`link ${url}`)
      if (node.type === 'link' && of.children?.length === 0) seen.push(character('empty', over))
      for (const child of of.children ?? []) walk(child, over)
    }
  }
  const root = remark.parse(text)
  const [first, ...rest] = root.children
  if (first?.type !== 'paragraph' || rest.length > 0) return undefined
  walk(first, [])
  return breaksAlone(seen)
}

const NAMES: Readonly<Record<string, string>> = { emphasis: 'italic', strong: 'bold', delete: 'strike' }

const markdownIt = new MarkdownIt('commonmark', { maxNesting: 1000 }).use(cjkFriendly)
markdownIt.normalizeLink = (url) => url
markdownIt.normalizeLinkText = (url) => url
markdownIt.validateLink = () => true

/** The result of markdown-it for a text that is one paragraph, with the characters of raw HTML. */
export function seenByMarkdownIt(text: string): string[] {
  const seen: string[] = []
  const over: string[] = []
  const tokens = markdownIt.parseInline(text, {})[0]?.children ?? []
  for (const [index, token] of tokens.entries()) {
    const { type, content } = token
    if (token.nesting < 0) over.pop()
    else if (type === 'link_open') {
      over.push(`link ${token.attrGet('href') ?? ''} ${token.attrGet('title') ?? ''}`)
      if (tokens[index + 1]?.type === 'link_close') seen.push(character('empty', over))
    } else if (token.nesting > 0) over.push(type === 'em_open' ? 'italic' : 'bold')
    else if (type === 'image') {
      seen.push(image(altOf(token), `${token.attrGet('src') ?? ''}`, `${token.attrGet('title') ?? ''}`, over))
    } else if (type === 'softbreak') note(seen, '\n', over)
    else if (type === 'hardbreak') seen.push('break')
    else if (type === 'code_inline') note(seen, content, [...over, 'code'])
    else if (type !== 'html_inline') note(seen, content, over)
    else if (!/^<!-(?:-[ \n]*-)?->$/.test(content)) note(seen, htmlSource(content), over)
  }
  return breaksAlone(seen)
}

const altOf = ({ content, children }: Token): string => (children ? children.map(altOf).join('') : content)

/** A comment, or a tag with a meaning, is kept on one line. */
function htmlSource(source: string): string {
  const isKept = isComment(source) || allowedTag(source) !== undefined
  return source.replace(/[ \t]*\n[ \t]*/g, isKept ? ' ' : '\n')
}

function image(alt: string, url: string, title: string, over: Over): string {
  return character(`image ${alt.replace(/\s/g, '')} ${url} ${title.replace(/\s+/g, ' ')}`, over)
}

function note(seen: string[], text: string, over: Over): void {
  for (const each of text) seen.push(character(each === '\n' ? 'line' : /\s/.test(each) ? ' ' : each, over))
}

/** White space has no bold or italic of its own: it is invisible, and Markdown cannot always express it. */
function character(text: string, over: Over): string {
  const shown =
    text === ' ' || text === 'line' ? over.filter((each) => !['italic', 'bold', 'strike'].includes(each)) : over
  return [text, ...new Set(shown.toSorted())].join(' · ')
}

/** Without white space next to a line break and at the end: some parsers strip it, others do not. */
function breaksAlone(seen: readonly string[]): string[] {
  const isBreak = (each: string | undefined) => each === 'break' || each?.startsWith('line') === true
  const kept: string[] = []
  for (const each of [...seen, 'break']) {
    while (isBreak(each) && kept.at(-1)?.startsWith(' ')) kept.pop()
    if (!each.startsWith(' ') || !isBreak(kept.at(-1))) kept.push(each)
  }
  while (isBreak(kept.at(-1))) kept.pop()
  return kept
}

/**
 * True if remark follows CommonMark on the text. It does not if a run of `*` or `_` that can both open and close is
 * used up in parts: its rule of three then counts the rest of the run, and not the original run.
 */
export function remarkIsRight(text: string): boolean {
  for (const sign of ['*', '_']) {
    const runs = [...text.matchAll(sign === '*' ? /\*+/g : /_+/g)]
    const both = runs.some(({ 0: run, index }) => {
      const before = classOf(lastCharacter(text.slice(0, index)))
      const { opens, closes } = flanking(before, classOf(firstCharacter(text.slice(index + run.length))), sign === '_')
      return opens && closes
    })
    const lengths = new Set(runs.map(([run]) => run.length))
    if (both && (lengths.size > 1 || Math.max(...lengths) > 2)) return false
  }
  return true
}
