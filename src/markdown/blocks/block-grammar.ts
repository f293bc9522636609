import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'
import { blockTag } from './callouts.ts'
import { formulaBlock, indentedCode } from './code-block.ts'
import { emptyBlock } from './empty-block.ts'
import { htmlComment } from './html-comment.ts'
import { foreignHtml } from './html-rule.ts'
import { lineBlock } from './line-block.ts'
import { listItem } from './list-item.ts'
import { anyLevel, nesting } from './nesting.ts'
import { paragraph } from './paragraph.ts'
import { BlockState, type ReadOptions, type Rule } from './parser-state.ts'
import { quote } from './quote.ts'
import { table } from './table.ts'

/** The result of parsing a text: its block tokens and link definitions. */
export interface ParsedBlocks {
  tokens: Token[]
  references: Readonly<Record<string, { href: string; title: string }>>
}

/** Parses the block structure of a text that uses line feeds only. Inline content is left unparsed. */
export function parseBlocks(text: string, options: ReadOptions): ParsedBlocks {
  const env: { references?: ParsedBlocks['references']; options: ReadOptions } = { options }
  const tokens: Token[] = []
  rules.block.parse(text, rules, env, tokens)
  return { tokens, references: env.references ?? {} }
}

// markdown-it's own rules for fences, headings, tables, definitions, HTML and paragraphs; ours for what nests, since
// two spaces are a level with us, and since an item's mark says more.
const rules = new MarkdownIt({ html: true })
Object.assign(rules.options, { maxNesting: Number.POSITIVE_INFINITY })
rules.normalizeLink = (url) => url
rules.validateLink = () => true
rules.block.State = BlockState

/** Our rules, whose first token has the line that it begins on, as those of markdown-it have. */
const own = (rule: Rule) => (state: StateBlock, start: number, end: number, silent: boolean) => {
  const from = state.tokens.length
  const applies = rule(state as BlockState, start, end, silent)
  const first = applies && !silent ? state.tokens[from] : undefined
  if (first !== undefined) first.map ??= [start, state.line]
  return applies
}

const { ruler } = rules.block
const interrupts = (...alt: string[]) => ({ alt })
ruler.at('code', own(indentedCode))
ruler.at('blockquote', own(quote), interrupts('paragraph', 'reference', 'blockquote', 'list'))
ruler.at('hr', own(lineBlock), interrupts('paragraph', 'reference', 'blockquote', 'list'))
ruler.at('list', own(listItem), interrupts('paragraph', 'reference', 'blockquote'))
ruler.at('table', own(table), interrupts('paragraph', 'reference'))
ruler.at('html_block', own(foreignHtml), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('html_block', 'html_comment', own(htmlComment), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('reference', 'empty', own(emptyBlock))
ruler.before('reference', 'plain', own(paragraph))
ruler.before('table', 'nesting', own(nesting))
ruler.before('table', 'any_level', own(anyLevel), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('table', 'tag', own(blockTag), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('table', 'formula', own(formulaBlock), interrupts('paragraph', 'reference', 'blockquote'))
