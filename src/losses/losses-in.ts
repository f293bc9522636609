/** What a result lost of its Markdown source, compared in this thread. */
import type { Block } from '../markdown/block.ts'
import { compareItems } from './compare-items.ts'
import { calloutsOf, readBlocks } from './read-blocks.ts'
import { readSource } from './read-source.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

/** A result as Markdown, or as the blocks that are stored. */
export type ConversionResult = string | readonly Block[]

/**
 * Compares everything that readers see.
 *
 * @throws RangeError for hostile text on which remark overflows its stack
 */
export function lossesIn(source: string, result: ConversionResult): VisibleItem[] {
  return compareItems(readSource(source), typeof result === 'string' ? readSource(result) : readBlocks(result))
}

/**
 * Compares only words and numbers, without a parser, for texts that remark does not read in time. Knows neither the
 * numbers of lists nor what is code.
 */
export function wordLossesIn(source: string, result: ConversionResult): VisibleItem[] {
  const text = typeof result === 'string' ? result : textOf(result)
  return compareItems([...visibleWords(withoutMarkup(source), 1)], [...visibleWords(withoutMarkup(text), 1)]).filter(
    ({ kind }) => kind === 'word' || kind === 'number',
  )
}

/** What has letters and is no text: tags, comments, character references, and the numbers of list items. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^<>]*>|&#?\w+;|^[ \t]*\d{1,9}[.)](?=[ \t])|^[ \t]*(?:`{3,}|~{3,}).*$/gim

/** Each line end stays, so that the lines of losses are right. */
const withoutMarkup = (text: string): string => text.replace(MARKUP, (markup) => markup.replace(/[^\n]+/g, ' '))

function textOf(blocks: readonly Block[]): string {
  const waiting = [...blocks]
  const texts: string[] = []
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const { text, url, altText, fileName, title, description, content } = block
    const titles = calloutsOf(block).flatMap((callout) => [callout.icon, callout.title])
    texts.push(...[...titles, text, url, altText, fileName, title, description].filter((part) => part !== undefined))
    for (const child of content ?? []) waiting.push(child)
  }
  return texts.join('\n')
}
