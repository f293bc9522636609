/** Trees of blocks through the tools: added as Markdown, read as Markdown, and added again. */
import fc from 'fast-check'
import type { Block } from '../../../src/markdown/block.ts'
import { writeMarkdown } from '../../../src/markdown/write-markdown.ts'
import { addDocument, openWorkbench, type Workbench } from '../../bench/workbench.ts'
import { blocksOf } from '../../markdown/blocks-of.ts'
import { tree } from '../../markdown/trees.ts'
import type { ProofContext, ProofResult } from '../proof.ts'
import { shown } from './check-trees.ts'

export async function throughTools(file: string, count: number, { seed, log }: ProofContext): Promise<ProofResult> {
  const faults: string[] = []
  const bench = await openWorkbench(file)
  let blocks = 0
  try {
    for (const [index, sample] of fc.sample(tree, { numRuns: count, seed }).entries()) {
      const found = await wayThrough(bench, sample)
      blocks += found.blocks
      if (found.fault !== undefined) faults.push(`${found.fault} (tree ${index} of seed ${seed}, through the tools)`)
      if (index % 1_000 === 999) log(`${index + 1} of ${count} trees through the tools, ${faults.length} faults`)
    }
  } finally {
    await bench.close()
  }
  return { figures: { 'trees through the tools': count, 'blocks there': blocks }, faults }
}

async function wayThrough(bench: Workbench, sample: Block[]): Promise<{ blocks: number; fault?: string }> {
  const text = writeMarkdown(sample)
  if (text === '') return { blocks: 0 }
  const first = await stored(bench, text)
  const again = await stored(bench, first)
  const expected = withoutIds(blocksOf(text))
  const blocks = countOf(expected)
  for (const [way, found] of Object.entries({ once: first, again })) {
    const read = withoutIds(blocksOf(found))
    if (shown(read) !== shown(expected)) {
      return { blocks, fault: `Expected ${shown(expected)} to be stored ${way}, found ${shown(read)}.` }
    }
  }
  const [one, other] = [first, again].map((found) => found.replace(IDS, ''))
  if (one === other) return { blocks }
  return { blocks, fault: `Expected ${shown(one)} to be stored as it is, found ${shown(other)}.` }
}

/** Adds Markdown to a new document, and returns the document's Markdown. */
async function stored(bench: Workbench, markdown: string): Promise<string> {
  const pageId = await addDocument(bench, 'Tree')
  await bench.call('blocks_add', { markdown, position: { position: 'end', pageId }, answer: 'ids' })
  const whole = await bench.call<string>('blocks_get', { id: pageId, format: 'markdown', maxBlocks: 20_000 })
  return whole.slice(whole.indexOf(START) + START.length, whole.lastIndexOf(END))
}
const START = '</pageTitle>\n<content>\n'
const END = '\n</content>\n</page>'

/** IDs are removed, since added blocks get new ones. */
const IDS = /(?<=<(?:page|whiteboard)) id="[^"]*"/g
const withoutIds = (blocks: readonly Block[]): Block[] =>
  blocks.map(({ id: _, content, ...block }) => (content ? { ...block, content: withoutIds(content) } : block))

const countOf = (blocks: readonly Block[]): number =>
  blocks.reduce((count, { content = [] }) => count + 1 + countOf(content), 0)
