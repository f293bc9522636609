/** Splits added blocks: one part for each block with all that belongs to it. */
import { isObject } from '../../base/is-object.ts'
import type { Block } from '../../markdown/block.ts'
import { calloutLevels } from '../../markdown/callout-levels.ts'
import { readGivenText } from '../../markdown/given-text.ts'
import { readMarkdownLines } from '../../markdown/read-markdown.ts'
import type { CallPart, GivenArguments } from '../model/call-parts.ts'

/** Characters of a text that is split. A person does not decide on longer ones block by block. */
const SPLIT_LENGTH = 20_000

export function addedBlockParts({ markdown, blocks, ...others }: GivenArguments): CallPart[] | undefined {
  const texts = typeof markdown === 'string' ? splitText(markdown) : undefined
  const entries = Array.isArray(blocks) ? groupEntries(blocks) : undefined
  const added = texts?.map((text) => ({ markdown: text })) ?? entries?.map((group) => ({ blocks: group }))
  return added?.map((content) => ({ arguments: { ...others, ...content }, kind: 'added', order: 'position' }))
}

/** Items below another one stay with it, and so does what stands in the same callout. */
function splitText(markdown: string): string[] | undefined {
  if (markdown.length > SPLIT_LENGTH) return undefined
  const { text, isUnwrapped } = readGivenText(markdown)
  if (isUnwrapped) return undefined
  const { blocks, lines } = readMarkdownLines(text)
  const source = text.replace(/\r\n?/g, '\n').split('\n')
  const starts = lines.filter((_, index) => index === 0 || !belongsToBefore(blocks, index))
  return starts.map((start, index) => source.slice(index === 0 ? 0 : start, starts[index + 1]).join('\n'))
}

function belongsToBefore(blocks: readonly Block[], index: number): boolean {
  const [before, block] = [blocks[index - 1], blocks[index]]
  if (before === undefined || block === undefined) return false
  return (block.indentationLevel ?? 0) > 0 || (calloutLevels(before).length > 0 && calloutLevels(block).length > 0)
}

function groupEntries(blocks: readonly unknown[]): unknown[][] {
  const groups: unknown[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    const level = isObject(block) ? Number(block.indentationLevel ?? block.depth ?? 0) : 0
    if (last !== undefined && level > 0) last.push(block)
    else groups.push([block])
  }
  return groups
}
