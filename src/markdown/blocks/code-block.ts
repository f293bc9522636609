import { type BlockFields, CODE_LANGUAGES, COMMENT_INFO } from '../block.ts'
import { mayHoldTags } from './block-tag-names.ts'
import { writeComment } from './html-comment.ts'
import type { Rule } from './parser-state.ts'

const KNOWN_LANGUAGES: ReadonlySet<string> = new Set(CODE_LANGUAGES)

/** Other names for supported languages. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript', node: 'javascript' },
    ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript' },
    ...{ json5: 'json', jsonc: 'json', jsonl: 'json', py: 'python', python3: 'python', pycon: 'python', rb: 'ruby' },
    ...{
      sh: 'shell',
      console: 'shell',
      terminal: 'shell',
      'shell-session': 'shell',
      shellsession: 'shell',
      zsh: 'shell',
    },
    ...{ yml: 'yaml', md: 'markdown', mkd: 'markdown', mdx: 'markdown', htm: 'html', xhtml: 'html', svg: 'xml' },
    ...{ 'c++': 'cpp', cc: 'cpp', cxx: 'cpp', hpp: 'cpp', 'c#': 'cs', csharp: 'cs', 'objective-c': 'objectivec' },
    ...{ objc: 'objectivec', golang: 'go', rs: 'rust', kt: 'kotlin', kts: 'kotlin', hs: 'haskell', jl: 'julia' },
    ...{ pl: 'perl', docker: 'dockerfile', vb: 'vbnet', 'vb.net': 'vbnet', postgresql: 'sql', mysql: 'sql' },
    ...{ text: 'plaintext', txt: 'plaintext', plain: 'plaintext', math: 'math_formula', latex: 'math_formula' },
    ...{ tex: 'math_formula', katex: 'math_formula' },
  }),
)

type CodeFields = Pick<BlockFields, 'language' | 'info'>

/**
 * The fields for the info string of a fence. `language` is a supported one (also by another name) or `other`, and absent
 * for plain text; `info` is absent if the name of the language is all that was written.
 */
export function codeFields(given: string): CodeFields {
  const info = given.trim()
  const language = languageOf(firstWord(info))
  return {
    ...(language !== 'plaintext' && { language }),
    ...(info !== (language === 'plaintext' ? '' : language) && { info }),
  }
}

/** The info string of a block, or what stands for them where it has none: the name of the language. */
export const fenceInfo = ({ language, info }: CodeFields): string =>
  info ?? (language === undefined || language === 'plaintext' ? '' : language)

/** The same as people see it. */
export const fenceLabel = (fields: CodeFields): string => fenceInfo(fields) || 'plaintext'

/** The language that an info string names: a supported one, or else their first word. */
export function languageName(info: string): string {
  const name = firstWord(info.trim())
  const language = languageOf(name)
  return language === 'other' ? name.toLowerCase() : language
}

/**
 * The fields in another language. The info string stays if it names that language. Otherwise the first one is
 * replaced.
 *
 * @param language  a supported name, or any other word, which is kept as it is
 */
export function inLanguage({ info = '' }: CodeFields, language: string): CodeFields {
  if (namesLanguage(info, language)) return codeFields(info)
  const name = firstWord(info)
  const rest = name === '' ? '' : info.slice(name.length)
  return codeFields(rest === '' && language === 'plaintext' ? '' : language + rest)
}

/** True if an info string begins with a language, also by another name. */
export function namesLanguage(info: string, language: string): boolean {
  const name = firstWord(info)
  return name === language || (KNOWN_LANGUAGES.has(language) && languageOf(name) === language)
}

/** `js` of `js title="x"`, of `js,ignore`, of `js{1,3}` and of `js:a.js`. */
const firstWord = (info: string): string => /^[^\s{,:]*/.exec(info)?.[0] ?? ''

function languageOf(name: string): string {
  const key = name.toLowerCase()
  return KNOWN_LANGUAGES.has(key) ? key : (ALIASES.get(key) ?? (key === '' ? 'plaintext' : 'other'))
}

/**
 * Writes a formula between dollar signs, and a comment between its marks, where that can be read back, and all other
 * code fenced.
 */
export function writeCodeBlock(block: Pick<BlockFields, 'text'> & CodeFields): string {
  const { text } = block
  const info = fenceInfo(block)
  if (info === 'math_formula' && isPlainFormula(text)) return `$$\n${text}\n$$`
  const comment = info === COMMENT_INFO ? writeComment(text) : undefined
  if (comment !== undefined) return comment
  const fence = fenceFor(text, info.includes('`') ? '~' : '`')
  const lines = text === '' ? '' : `${text}\n`
  return `${fence}${info.startsWith('~') ? ' ' : ''}${info}\n${lines}${fence}`
}

/** Longer than any such run in the code. */
function fenceFor(code: string, mark: '`' | '~'): string {
  let fence = mark.repeat(3)
  if (!code.includes(fence)) return fence
  for (const [run] of code.matchAll(mark === '`' ? /`{3,}/g : /~{3,}/g)) {
    if (run.length >= fence.length) fence = mark.repeat(run.length + 1)
  }
  return fence
}

/** False for what would end the formula, for one that would be empty, and for tags and fences, which only code hides. */
const isPlainFormula = (text: string): boolean =>
  text.trim() !== '' && !/\$\$|`{3}|~{3}/.test(text) && !mayHoldTags(text)

/** Four or more spaces where no nesting is possible are code, as in standard Markdown. */
export const indentedCode: Rule = (state, start, end) => {
  const from = state.place.from + 4
  if (state.column(start) < from) return false
  let last = start + 1
  for (let line = last; line < end; line++) {
    if (state.isEmpty(line)) continue
    if (state.column(line) < from) break
    last = line + 1
  }
  state.line = last
  const token = state.push('fence', 'code', 0)
  token.content = `${state.getLines(start, last, from, false)}\n`
  token.map = [start, last]
  return true
}

/**
 * Removes trailing spaces and tabs. Other white space counts as text, also for the writer, which escapes no dollar
 * signs before it.
 */
function withoutEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end--
  return text.slice(0, end)
}

/**
 * A formula: lines between two lines with `$$`. Only one that begins and ends with lines of nothing else can have blank
 * lines, so that prices such as `$$ – $$$` in different paragraphs stay text.
 */
export const formulaBlock: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || !state.src.startsWith('$$', state.at(start))) return false
  const first = withoutEnd(state.lineText(start))
  if (first[2] === '$') return false
  if (first.length > 4 && first.endsWith('$$')) {
    const inner = first.slice(2, -2)
    if (inner.includes('$$')) return false
    return silent || push(start + 1, inner.trim())
  }
  if (first.slice(2).includes('$$')) return false
  const { noFormula } = state
  if (start >= noFormula.from && start < noFormula.to) return false
  let line = start + 1
  let hasBlank = false
  for (; line < end && (state.isEmpty(line) || state.column(line) >= state.blkIndent); line++) {
    const text = withoutEnd(state.lineText(line))
    hasBlank ||= text === ''
    if (hasBlank && first !== '$$') break
    if (!text.endsWith('$$')) continue
    if (text.indexOf('$$') !== text.length - 2 || (hasBlank && text !== '$$')) break
    if (silent) return true
    const lines = [first.slice(2), state.getLines(start + 1, line, state.column(start), false), text.slice(0, -2)]
    return push(line + 1, lines.filter((part) => part.trim() !== '').join('\n'))
  }
  state.noFormula = { from: start, to: line }
  return false

  function push(next: number, content: string): boolean {
    const token = state.push('fence', 'code', 0)
    token.info = 'math_formula'
    token.content = `${content}\n`
    token.map = [start, next]
    state.line = next
    return true
  }
}
