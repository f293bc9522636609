/** What readers see of stored blocks. Numbers of lists are counted by the rule of pages. */

import { type Block, type CalloutLevel, isCommentBlock, type TaskInfo } from '../markdown/block.ts'
import { type BlockTraits, traitsOf } from '../markdown/block-traits.ts'
import { formulaKey } from './find-formulas.ts'
import { readInlineSources, readSource } from './read-source.ts'
import { type VisibleItem, visibleWords } from './visible-item.ts'

/**
 * @param addresses  of what blocks show, where they have no address of their own
 * @throws RangeError for hostile text on which remark overflows its stack
 */
export function readBlocks(blocks: readonly Block[], addresses: ReadonlyMap<Block, string> = new Map()): VisibleItem[] {
  const items: VisibleItem[] = []
  const texts: string[] = []
  const open = [{ blocks, index: 0, counts: [] as number[] }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const block = top.blocks[top.index++]
    if (block === undefined) {
      open.pop()
      continue
    }
    const number = nextNumber(top.counts, block)
    if (number !== undefined) items.push(item('number', String(number)))
    for (const found of readBlock(block, addresses.get(block), texts)) items.push(found)
    if (block.content !== undefined) open.push({ blocks: block.content, index: 0, counts: [] })
  }
  for (const found of readInlineSources(texts)) items.push(found)
  return items
}

/** The callouts around a block, with the properties of those that begin at it. */
export function calloutsOf({ decorations }: Block): readonly CalloutLevel[] {
  const callout = decorations?.callout
  return typeof callout === 'object' ? callout : []
}

const item = (kind: VisibleItem['kind'], value: string): VisibleItem => ({ kind, value, line: 1 })

/** Counts on at its level. A block without a number at that level, or one further out, ends the count. */
export function nextNumber(
  counts: number[],
  { indentationLevel: level = 0, listStyle, number }: Block,
): number | undefined {
  counts.length = Math.min(counts.length, level + 1)
  counts[level] = listStyle === 'numbered' ? (number ?? (counts[level] ?? 0) + 1) : 0
  return counts[level] || undefined
}

/** @param texts  receives the texts that are read together */
function* readBlock(block: Block, address: string | undefined, texts: string[]): Generator<VisibleItem> {
  const { type, url = address, altText, fileName, title, description, taskInfo } = block
  if (taskInfo !== undefined) yield* readTask(taskInfo)
  for (const { icon = '', title = '' } of calloutsOf(block)) yield* visibleWords(`${icon} ${title}`, 1)
  const traits = traitsOf(type)
  // The mark of a text without words is a line break.
  if (type === 'text' && block.text === '') yield item('tag', 'br')
  if (traits.text === 'title' || traits.text === 'inline') texts.push(block.text)
  else yield* TEXT_READERS[traits.text](block)
  if (url !== undefined) yield item(traits.url === 'link' ? 'link' : 'image', url)
  for (const text of [altText, fileName, title, description]) yield* visibleWords(text ?? '', 1)
  for (const [key, value] of block.propertyTexts ?? []) yield* visibleWords(`${key} ${value}`, 1)
}

export function* readTask({ state, scheduleDate, deadlineDate, completedAt, canceledAt, repeat, assignee }: TaskInfo) {
  yield item('task', state)
  for (const date of [scheduleDate, deadlineDate, completedAt, canceledAt]) {
    if (date !== undefined) yield item('date', date.slice(0, 10))
  }
  if (repeat !== undefined) yield item('date', 'repeat')
  if (typeof assignee !== 'object') return
  yield* visibleWords(`👤 @${assignee.name}`, 1)
  yield item('link', `person://${assignee.id ?? encodeURIComponent(assignee.name)}`)
}

type ReadAlone = Exclude<BlockTraits['text'], 'title' | 'inline'>

const TEXT_READERS: Readonly<Record<ReadAlone, (block: Block) => Iterable<VisibleItem>>> = {
  table: ({ text }) => readSource(text),
  code: (block) => (isCommentBlock(block) ? [item('comment', block.text.trim())] : readCode(block)),
}

function* readCode({ text, language, info = language }: Block): Generator<VisibleItem> {
  yield* visibleWords(text, 1)
  yield item('code', text)
  if (language === 'math_formula') yield item('formula', formulaKey(text))
  if (info !== undefined) yield* readFenceInfo(info)
}

/** As CommonMark shows them, which reads backslashes and character references there. */
const readFenceInfo = (info: string): VisibleItem[] =>
  /[\\&]/.test(info)
    ? readSource(`~~~ ${info}\n~~~`).filter(({ kind }) => kind === 'language')
    : [item('language', info)]
