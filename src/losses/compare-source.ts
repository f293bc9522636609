/**
 * What an import lost of a source: a note, other Markdown, or HTML. The import compares addresses itself, since it knows
 * where links lead.
 */
import type { Block } from '../markdown/block.ts'
import { compareItems } from './compare-items.ts'
import { wordLossesIn } from './losses-in.ts'
import type { Dialect } from './note-text.ts'
import { readBlocks } from './read-blocks.ts'
import { readHtml } from './read-html.ts'
import { readSource } from './read-source.ts'
import { type ItemKind, type VisibleItem, visibleWords } from './visible-item.ts'

export interface ImportedText {
  source: string
  language: Dialect | 'html'
  blocks: readonly Block[]
  /** Addresses of files, which blocks do not have yet. */
  addresses: ReadonlyMap<Block, string>
  /** Markdown that is stored beside the blocks, such as comments. */
  beside: readonly string[]
}

export interface SourceComparison {
  /** Without links and images. */
  losses: VisibleItem[]
  /** The links and images of the source, and those of the blocks. */
  source: VisibleItem[]
  result: VisibleItem[]
}

/** @throws RangeError for hostile text on which remark overflows its stack */
export function compareSource({ source, language, blocks, addresses, beside }: ImportedText): SourceComparison {
  const before = language === 'html' ? readHtml(source, 1).filter(isOfHtml) : readSource(source, language)
  const after = readBlocks(blocks, addresses)
  for (const text of beside) after.push(...readSource(text), ...visibleWords(text, 1))
  const words = compareItems(before.filter(isNoAddress), after.filter(isNoAddress))
  return { losses: words, source: before.filter(isAddress), result: after.filter(isAddress) }
}

/** The same with words and numbers alone, without remark. */
export function compareWords({ source, language, blocks, beside }: ImportedText): SourceComparison {
  if (language === 'html') return { losses: [], source: [], result: [] }
  // What is left out of a note on purpose has letters, too: the targets of links, and IDs of blocks.
  const text = source.replace(/\[\[[^[\]|\n]*\|/g, '[[').replace(/(?<=[ \t])\^[A-Za-z0-9-]+[ \t]*$/gm, '')
  const losses = wordLossesIn(text, [...blocks, ...beside.map((text): Block => ({ type: 'text', text }))])
  return { losses, source: [], result: [] }
}

const isAddress = ({ kind }: VisibleItem): boolean => kind === 'link' || kind === 'image'
const isNoAddress = (item: VisibleItem): boolean => !isAddress(item)

const OF_HTML: ReadonlySet<ItemKind> = new Set(['word', 'number', 'link', 'image'])
const isOfHtml = ({ kind }: VisibleItem): boolean => OF_HTML.has(kind)
