import { type BlockFields, CODE_LANGUAGES } from '../block.ts'
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

/** The language of a fence: a supported one (also by another name) or `other`; undefined for plain text. */
export function codeLanguage(info: string): string | undefined {
  const name = /^[^\s{,:]*/.exec(info.trim())?.[0].toLowerCase() ?? ''
  const language = KNOWN_LANGUAGES.has(name) ? name : (ALIASES.get(name) ?? (name === '' ? 'plaintext' : 'other'))
  return language === 'plaintext' ? undefined : language
}

/** Uses a fence that is longer than any run of backticks at the beginning of a line of code. */
export function writeCodeBlock({ text, language }: BlockFields): string {
  let fence = '```'
  if (text.includes('```')) {
    for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = '`'.repeat(run.length + 1)
  }
  const lines = text === '' ? '' : `${text}\n`
  return `${fence}${language === 'plaintext' ? '' : (language ?? '')}\n${lines}${fence}`
}

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
function withoutEnd(words: string): string {
  let end = words.length
  while (words[end - 1] === ' ' || words[end - 1] === '\t') end--
  return words.slice(0, end)
}

/** A formula: lines between two lines with `$$`. */
export const formulaBlock: Rule = (state, start, end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || !state.src.startsWith('$$', state.at(start))) return false
  const first = withoutEnd(state.words(start))
  if (first.length > 4 && first.endsWith('$$')) {
    const inner = first.slice(2, -2)
    if (inner.includes('$$')) return false
    return silent || push(start + 1, inner.trim())
  }
  if (first.slice(2).includes('$$')) return false
  const { noFormula } = state
  if (start >= noFormula.from && start < noFormula.to) return false
  let line = start + 1
  for (; line < end && (state.isEmpty(line) || state.column(line) >= state.blkIndent); line++) {
    const words = withoutEnd(state.words(line))
    if (!words.endsWith('$$')) continue
    if (words.indexOf('$$') !== words.length - 2) break
    if (silent) return true
    const lines = [first.slice(2), state.getLines(start + 1, line, state.column(start), false), words.slice(0, -2)]
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
