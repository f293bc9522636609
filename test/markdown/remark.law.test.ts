import type { Nodes, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { plainText } from '../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { examples } from '../support/runs.ts'
import { readmes } from './readmes.ts'

// An independent parser finds the same headings, paragraphs, code, tables and lines in real files. This excludes what
// we parse differently on purpose: HTML, of which we keep the text, footnotes, which are text, and lines that begin with
// a number which continues no list, which keep it as text.
it('should find the same blocks in real files as remark', { timeout: 60_000 }, () => {
  const remark = unified().use(remarkParse).use(remarkGfm)
  for (const { title, markdown: text } of examples(readmes(), 40)) {
    const theirs = count(theirBlocks(remark.parse(text)))
    const ours = count(ourBlocks(readMarkdown(text)))
    for (const [block, times] of theirs) {
      expect(ours.get(block) ?? 0, `${title}: ${block}`).toBeGreaterThanOrEqual(times)
    }
  }
})

const count = (blocks: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const block of blocks) counts.set(block, (counts.get(block) ?? 0) + 1)
  return counts
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

function theirBlocks(node: Nodes | Root): string[] {
  if (node.type === 'footnoteDefinition') return []
  if (node.type === 'code') return [`code ${lettersOf(node.value)}`]
  if (node.type === 'table' || node.type === 'thematicBreak') return [node.type]
  if (node.type === 'heading' || node.type === 'paragraph')
    return isOurs(node) ? [] : [`${node.type} ${lettersOf(wordsOf(node))}`]
  if (!('children' in node)) return []
  return node.children.flatMap((child, index) => (goesOn(child, node.children[index + 1]) ? [] : theirBlocks(child)))
}

/** True for a paragraph with HTML on its next line, whose text goes on in ours. */
const goesOn = ({ type, position }: Nodes, next: Nodes | undefined): boolean =>
  type === 'paragraph' && next?.type === 'html' && next.position?.start.line === Number(position?.end.line) + 1

/** True if it contains something that we parse differently on purpose. */
const isOurs = (node: Nodes): boolean =>
  node.type === 'html' || node.type === 'footnoteReference' || ('children' in node && node.children.some(isOurs))

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}

function ourBlocks(blocks: readonly Block[]): string[] {
  return blocks.map(({ type, text, textStyle, altText, title, url, leadingNumber }) => {
    if (type === 'code') return `code ${lettersOf(text)}`
    if (type === 'table') return 'table'
    if (type === 'line') return 'thematicBreak'
    const words = type === 'text' ? plainText(text) : type === 'richUrl' ? (title ?? url ?? '') : (altText ?? '')
    const item = leadingNumber === undefined ? words : words.replace(/^\d+/, '')
    return `${textStyle === undefined ? 'paragraph' : 'heading'} ${lettersOf(item)}`
  })
}
