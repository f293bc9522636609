/** What a suggestion makes of a block: words in its text, or a block that is drawn below it. */
import type { Block } from '../../markdown/block.ts'
import { visibleText } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { plainTextsOf } from '../../markdown/plain-texts.ts'
import { readTableGrid } from '../../markdown/table-grid.ts'
import { asListItem } from '../../markdown/written-numbers.ts'
import { type SuggestedRun, suggestedRuns } from '../blocks/suggested-words.ts'
import type { Html } from '../html.ts'
import { text } from '../texts/text.ts'
import { lookOf } from './block-look.ts'
import { isTextBlock } from './proposed-block.ts'
import { blocksIn } from './proposed-blocks.ts'
import { suggestedBlocks } from './suggested-blocks.ts'

export type SuggestedChange =
  /** Words of the text, the block with the new ones, and what it becomes, if it becomes something else. */
  | { kind: 'words'; text: string; runs: readonly SuggestedRun[]; block: Block; look?: string }
  /** All of the block with what changes in it. */
  | { kind: 'block'; content: Html; words: string }

/** @param before  Markdown of a block @param after  what the suggestion makes of it */
export function changeOf(before: string, after: string): SuggestedChange {
  const [old, now] = [onlyBlock(before), onlyBlock(after)]
  if (old !== undefined && now !== undefined && isTextBlock(old) && isTextBlock(now)) {
    const [from, to] = [lookOf(old), lookOf(now)]
    const runs = suggestedRuns(old.text, now.text)
    return { kind: 'words', text: old.text, runs, block: now, ...(from !== to && { look: `${from} → ${to}` }) }
  }
  const isTable = old?.type === 'table' && now?.type === 'table'
  const words = isTable ? text('change the table') : text('change the block')
  return { kind: 'block', content: suggestedBlocks(before, after), words }
}

/** An empty text is a block, too. A number alone is that of an item: texts that begin with one are escaped. */
function onlyBlock(markdown: string): Block | undefined {
  const blocks = blocksIn(markdown) ?? []
  if (blocks.length === 0 && markdown.trim() === '') return { type: 'text', text: '' }
  const [only] = blocks
  return only !== undefined && blocks.length === 1 ? asListItem(only) : undefined
}

/** Characters of a quotation. */
const QUOTED = 60
/** Changes that a label names. */
const LABELED = 4

/** What screen readers say of the words: `insert “nine”, strike “six”`. */
export function wordsLabel(runs: readonly SuggestedRun[]): string {
  const changed = runs.filter(({ sign }) => sign !== ' ')
  const labels = changed.slice(0, LABELED).map(({ sign, spans }) => {
    const words = quoted(visibleText(spans).trim())
    return sign === '+' ? text('insert {words}', { words }) : text('strike {words}', { words })
  })
  return [...labels, ...(changed.length > LABELED ? [text('and {n} more', { n: changed.length - LABELED })] : [])].join(
    ', ',
  )
}

/** The words of blocks, without how they look. @param markdown  of one or more blocks */
export function plainWords(markdown: string): string {
  const blocks = blocksIn(markdown)
  return blocks === undefined ? markdown : blocks.map(wordsOf).join(' ')
}

function wordsOf(block: Block): string {
  const { type, text, url = '', content = [] } = block
  const texts = type === 'table' ? readTableGrid(text).rows.flat() : [text]
  const words = type === 'code' ? texts : texts.map((one) => visibleText(readInline(one)))
  const all = [...plainTextsOf(block), ...words, ...content.map(wordsOf)].filter((one) => one !== '')
  return all.join(' ') || url || lookOf(block)
}

export function quoted(content: string): string {
  const words = content.replace(/\s+/g, ' ').trim()
  return words === '' ? text('a space') : `“${words.length > QUOTED ? `${words.slice(0, QUOTED)}…` : words}”`
}
