/**
 * Counts what else an import may lose beside words: links, images, fences and the words after them, formulas, callouts,
 * tasks and HTML tags. It counts signs in the file, and blocks and marks in the document, and knows nothing of how the
 * import compares notes.
 */
import type { ImportProblem } from '../../src/import/import-source.ts'

export interface CountedBlock {
  type: string
  markdown?: string
  rawCode?: string
  url?: string
  language?: string
  info?: string
  listStyle?: string
  decorations?: { callout?: unknown }
  content?: CountedBlock[]
}

interface Kind {
  /** How often the source has it. @param text  without code, unless {@link isInCode} is true */
  written: (text: string) => number
  /** How often one block shows it. */
  shown: (block: CountedBlock) => number
  /** Matches the lines of a report that name its loss. */
  named: RegExp
  isInCode?: boolean
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
const textIn = ({ type, markdown = '' }: CountedBlock): string => (type === 'code' ? '' : markdown)
const isCode = ({ type, language, info }: CountedBlock): boolean =>
  type === 'code' && language !== 'math_formula' && info !== 'comment'

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})([^`\n]*)\n(?:[\s\S]*?\n)?[ \t>]*\1[ \t]*$/gm
const MEDIA = /image|picture|drawing|file|embed|Base/i

const KINDS: Readonly<Record<string, Kind>> = {
  tasks: {
    written: (text) => countOf(text, /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\][ \t]/gm),
    shown: ({ listStyle }) => (listStyle === 'task' ? 1 : 0),
    named: /task/i,
  },
  'code blocks': {
    written: (text) => countOf(text, FENCE),
    shown: (block) => (block.type === 'code' ? 1 : 0),
    named: /code|quer/i,
    isInCode: true,
  },
  'words after fences': {
    written: (text) => [...text.matchAll(FENCE)].filter(([, , words = '']) => words.trim() !== '').length,
    shown: (block) => (isCode(block) && (block.info ?? block.language ?? '') !== '' ? 1 : 0),
    named: /fence|code|quer/i,
    isInCode: true,
  },
  formulas: {
    written: (text) => countOf(text, /\$\$[^$]+\$\$/g),
    shown: (block) =>
      (block.language === 'math_formula' ? 1 : 0) + countOf(textIn(block), /\$\$[^$]+\$\$|\$[^$\s][^$]*\$/g),
    named: /formula/i,
  },
  callouts: {
    written: (text) => countOf(text, /^[ \t>]*>[ \t]*\[!\w+[^\]\n]*\]/gm),
    // A callout without properties is true on each of its blocks.
    shown: ({ decorations: { callout } = {} }) =>
      Array.isArray(callout) ? callout.filter(({ starts }) => starts).length : callout === true ? 1 : 0,
    named: /callout/i,
  },
  images: {
    written: (text) => countOf(text, /!\[\[[^[\]\n]+\]\]|!\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]\(/g),
    shown: (block) =>
      (/^(?:image|video|file|whiteboard|drawing|collection)$/.test(block.type) ? 1 : 0) +
      countOf(textIn(block), /!\[/g),
    named: MEDIA,
  },
  links: {
    // Those in double brackets are followed by vault-links.ts.
    written: (text) => countOf(text, /(?<!!)\[(?:[^[\]\n]|\[[^[\]\n]*\])+\]\((?!\))/g),
    shown: (block) => (block.type === 'richUrl' ? 1 : 0) + countOf(textIn(block), /(?<!!|\\)\[(?:[^[\]\n]|\\.)+\]\(/g),
    named: /link/i,
  },
  'HTML tags': {
    written: (text) => countOf(text, /<(?:br|sub|sup|kbd|u|mark|details|summary)\b[^<>]*>/gi),
    shown: (block) => countOf(textIn(block), /<(?:br|sub|sup|kbd|u|mark|details|summary)\b[^<>]*>/gi),
    named: /tag|HTML/i,
  },
}

const withoutCode = (text: string): string =>
  text
    .replace(/^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,})[^`\n]*\n[\s\S]*?^[ \t>]*\2[ \t]*$/gm, '')
    .replace(/<!--[\s\S]*?-->|%%[\s\S]*?%%/g, '')
    .replace(/(`+)(?!`)[^`\n]+\1/g, '')

/** How many of each kind are neither in the document nor in a line of the report. @param source  without front matter */
export function countUnnamedKinds(
  source: string,
  root: CountedBlock,
  problems: readonly ImportProblem[],
): Map<string, number> {
  const blocks: CountedBlock[] = []
  const waiting = [root]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    blocks.push(block)
    waiting.push(...(block.content ?? []))
  }
  const plain = withoutCode(source)
  const found = new Map<string, number>()
  for (const [kind, { written, shown, named, isInCode = false }] of Object.entries(KINDS)) {
    const before = written(isInCode ? source : plain)
    const after = blocks.reduce((sum, block) => sum + shown(block), 0)
    const lines = problems.filter(({ message }) => named.test(message)).length
    if (before > after + lines) found.set(kind, before - after - lines)
  }
  return found
}
