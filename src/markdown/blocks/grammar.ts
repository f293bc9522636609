import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'
import { tag } from './boxes.ts'
import { formula, indentedCode } from './code.ts'
import { empty } from './empty.ts'
import { line } from './line.ts'
import { item } from './list.ts'
import { anyLevel, nesting } from './nesting.ts'
import { quote } from './quote.ts'
import { BlockState, type Rule } from './state.ts'
import { words } from './words.ts'

/** What a text is made of: its block tokens, and the link definitions it gives. */
export interface Parsed {
  tokens: Token[]
  references: Readonly<Record<string, { href: string; title: string }>>
}

/** Reads the block structure of a text with line feeds alone. The words inside stay as they were written. */
export function parseBlocks(text: string): Parsed {
  const env: { references?: Parsed['references'] } = {}
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

const own = (rule: Rule) => (state: StateBlock, start: number, end: number, silent: boolean) =>
  rule(state as BlockState, start, end, silent)

const { ruler } = rules.block
const interrupts = (...alt: string[]) => ({ alt })
ruler.at('code', own(indentedCode))
ruler.at('blockquote', own(quote), interrupts('paragraph', 'reference', 'blockquote', 'list'))
ruler.at('hr', own(line), interrupts('paragraph', 'reference', 'blockquote', 'list'))
ruler.at('list', own(item), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('reference', 'empty', own(empty))
ruler.before('reference', 'words', own(words))
ruler.before('table', 'nesting', own(nesting))
ruler.before('table', 'any_level', own(anyLevel), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('table', 'tag', own(tag), interrupts('paragraph', 'reference', 'blockquote'))
ruler.before('table', 'formula', own(formula), interrupts('paragraph', 'reference', 'blockquote'))
