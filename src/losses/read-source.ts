/** What CommonMark and GFM show of a Markdown text, as remark reads it: a reading that is independent of our parser. */
import type { Code, Definition, ListItem, Nodes, Parent, Root, RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { findFormulas, formulaKey } from './find-formulas.ts'
import { type Dialect, readText } from './note-text.ts'
import { type HtmlPlace, readHtml } from './read-html.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

const remark = unified().use(remarkParse).use(remarkGfm).freeze()
const remarkOfExports = unified()
  .data('micromarkExtensions', [{ disable: { null: ['codeIndented'] } }])
  .use(remarkParse)
  .use(remarkGfm)
  .freeze()

/**
 * Reads a whole text. Takes seconds for 10 KB of hostile text.
 *
 * @throws RangeError for hostile text on which remark overflows its stack
 */
export function readSource(markdown: string, dialect: Dialect = 'markdown'): VisibleItem[] {
  if (dialect !== 'export') return new SourceReader(markdown, remark.parse(markdown), dialect).read()
  const source = markdown.replace(OUR_TAG, `$1${JOINER}<`)
  return new SourceReader(source, remarkOfExports.parse(source), dialect).read()
}

/** A tag at the beginning of a line, after which Markdown goes on in our exports. For CommonMark it begins HTML. */
const OUR_TAG = /^([ \t>]*)<(?=[a-z/])/gim

/** A character that is not seen, and that no block begins with. */
const JOINER = '\u2060'
/** In front of each line: nothing at the beginning of a line is then a heading, a list or code. */
const INSIDE_A_LINE = `${JOINER} `

/** The same for inline Markdown, such as the texts of blocks. Read together, they take a third of the time. */
export const readInlineSources = (texts: readonly string[]): VisibleItem[] =>
  texts.length === 0 ? [] : readSource(texts.map((text) => text.replace(/^/gm, INSIDE_A_LINE)).join('\n\n'))

/** Texts of nodes that stand beside each other without a space, as one run of letters: `a**b**` shows `ab`. */
class TextRun {
  #pieces: { text: string; line: number }[] = []
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  add(text: string, line: number): void {
    this.#pieces.push({ text, line })
  }

  /** The words so far. The next text begins another word. */
  *end(): Generator<VisibleItem> {
    const [first] = this.#pieces
    if (first === undefined) return
    yield* readText(this.#pieces.map(({ text }) => text).join(''), first.line, this.#dialect)
    this.#pieces = []
  }
}

class SourceReader {
  readonly #items: VisibleItem[] = []
  readonly #run: TextRun
  readonly #source: string
  readonly #dialect: Dialect
  readonly #root: Root
  #isInLine = false
  readonly #definitions = new Map<string, Definition>()

  constructor(source: string, root: Root, dialect: Dialect) {
    this.#run = new TextRun(dialect)
    this.#dialect = dialect
    this.#source = source
    this.#root = root
    this.#define(root)
  }

  read(): VisibleItem[] {
    this.#readNode(this.#root)
    return this.#items
  }

  /** The first definition of a label counts. */
  #define(parent: Parent | Root): void {
    for (const node of parent.children) {
      if (node.type === 'definition' && !this.#definitions.has(node.identifier)) {
        this.#definitions.set(node.identifier, node)
      } else if ('children' in node) this.#define(node)
    }
  }

  #add(kind: VisibleItem['kind'], value: string, node: Nodes): void {
    this.#items.push({ kind, value, line: lineOf(node) })
  }

  #endRun(): void {
    this.#items.push(...this.#run.end())
  }

  #readNode(node: Nodes): void {
    switch (node.type) {
      case 'text':
        this.#run.add(node.value, lineOf(node))
        return
      case 'inlineCode':
        // Without the signs of links between notes, which mean nothing in code.
        this.#run.add(node.value.replace(/[[\]^]/g, ' '), lineOf(node))
        return
      case 'html':
        this.#endRun()
        this.#items.push(...readHtml(node.value, lineOf(node), this.#htmlPlace(node.value)))
        return
      case 'code':
        this.#readCode(node)
        return
      case 'image':
        this.#readImage(node, node.url, node.alt)
        return
      case 'imageReference':
        this.#readImage(node, this.#definitions.get(node.identifier)?.url, node.alt)
        return
      case 'link':
        this.#add('link', node.url, node)
        this.#readChildren(node)
        return
      case 'linkReference':
        this.#add('link', this.#definitions.get(node.identifier)?.url ?? '', node)
        this.#readChildren(node)
        return
      case 'footnoteReference':
        this.#run.add(` ${node.label ?? node.identifier} `, lineOf(node))
        return
      case 'footnoteDefinition':
        this.#run.add(node.label ?? node.identifier, lineOf(node))
        this.#endRun()
        this.#readChildren(node)
        return
      case 'break':
        this.#run.add('\n', lineOf(node))
        return
      case 'definition':
      case 'thematicBreak':
        return
      case 'paragraph':
      case 'heading':
        this.#readFormulas(node)
        this.#readLine(node)
        this.#endRun()
        return
      case 'tableCell':
        this.#readCell(node)
        return
      case 'list':
        for (const [index, item] of node.children.entries()) {
          this.#readItem(item, node.ordered ? (node.start ?? 1) + index : undefined)
        }
        return
      default:
        if ('children' in node) this.#readChildren(node)
    }
  }

  #readCode(node: Code): void {
    // A fence without text shows nothing.
    if (node.value.trim() === '' && !node.lang) return
    this.#items.push(...visibleWords(node.value, lineOf(node)))
    if (this.#dialect === 'export') node.value = node.value.replaceAll(JOINER, '')
    // Whether a formula stands in a fence or between dollar signs makes no difference.
    if (node.lang === 'math_formula' && !node.meta) {
      this.#add('formula', formulaKey(node.value), node)
      return
    }
    this.#add('code', node.value, node)
    if (node.lang) this.#add('language', [node.lang, node.meta ?? ''].join(' ').trim(), node)
  }

  #readChildren(node: { children: readonly RootContent[] }): void {
    for (const child of node.children) this.#readNode(child)
  }

  #readLine(node: { children: readonly RootContent[] }): void {
    this.#isInLine = true
    this.#readChildren(node)
    this.#isInLine = false
  }

  /** Where each tag of HTML counts, or undefined. In what was made of a note, other tags are text. */
  #htmlPlace(html: string): HtmlPlace | undefined {
    // The end of an element shows nothing more.
    if ((this.#dialect !== 'note' && this.#dialect !== 'mdx') || html.startsWith('</')) return undefined
    // What the import reports by the names of components.
    if (this.#dialect === 'mdx' && /^<[A-Z]/.test(html)) return undefined
    return this.#isInLine ? 'line' : 'block'
  }

  #readImage(node: Nodes, url: string | undefined, alt: string | null | undefined): void {
    this.#endRun()
    this.#add('image', url ?? '', node)
    this.#items.push(...visibleWords(alt ?? '', lineOf(node)))
  }

  /** An item with a check box shows the box in place of its number. */
  #readItem(item: ListItem, number: number | undefined): void {
    if (typeof item.checked === 'boolean') this.#add('task', item.checked ? 'done' : 'todo', item)
    else if (number !== undefined) this.#add('number', String(number), item)
    this.#readChildren(item)
  }

  #readCell(node: Extract<Nodes, { type: 'tableCell' }>): void {
    this.#readFormulas(node)
    const from = this.#items.length
    this.#readLine(node)
    this.#endRun()
    const words = this.#items.slice(from).filter(({ kind }) => kind === 'word' || kind === 'number')
    if (words.length > 0) this.#add('cell', words.map(({ value }) => value).join(' '), node)
  }

  /** Finds them in the text as it was written, since remark reads `_` and `\` in them as Markdown. */
  #readFormulas(node: Extract<Nodes, { type: 'paragraph' | 'heading' | 'tableCell' }>): void {
    const { start, end } = node.position ?? {}
    if (start?.offset === undefined || end?.offset === undefined) return
    const raw = this.#source.slice(start.offset, end.offset)
    if (!raw.includes('$')) return
    const text = withoutRanges(raw, start.offset, literalRanges(node))
    for (const { formula } of findFormulas(text)) if (!formula.includes(HIDDEN)) this.#add('formula', formula, node)
  }
}

/** Stands for what is no text. */
const HIDDEN = '\0'

const lineOf = (node: Nodes): number => node.position?.start.line ?? 1

/** Where code, HTML and images stand, and where the destinations of links do. */
function literalRanges(node: { children: readonly RootContent[] }): { from: number; to: number }[] {
  return node.children.flatMap((child) => {
    const { start, end } = child.position ?? {}
    const [from = 0, to = 0] = [start?.offset, end?.offset]
    if (child.type === 'inlineCode' || child.type === 'html' || child.type === 'image') return [{ from, to }]
    if (child.type === 'link') {
      const textEnd = child.children.at(-1)?.position?.end.offset ?? from
      // An address that is its own text has no destination beside it.
      return textEnd === to ? [{ from, to }] : [...literalRanges(child), { from: textEnd, to }]
    }
    return 'children' in child ? literalRanges(child as { children: readonly RootContent[] }) : []
  })
}

function withoutRanges(raw: string, offset: number, ranges: readonly { from: number; to: number }[]): string {
  let text = ''
  let at = 0
  for (const { from, to } of ranges) {
    if (from - offset < at) continue
    text += raw.slice(at, from - offset) + HIDDEN
    at = to - offset
  }
  return text + raw.slice(at)
}
