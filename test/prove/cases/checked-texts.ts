/** Runs the comparison of `src/losses` over texts. */
import { createRequire } from 'node:module'
import { ScriptoriumError } from '../../../src/base/errors.ts'
import { lossesIn } from '../../../src/losses/losses-in.ts'
import type { VisibleItem } from '../../../src/losses/visible-item.ts'
import type { Block } from '../../../src/markdown/block.ts'
import { readMarkdown } from '../../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../../src/markdown/write-markdown.ts'
import { GFM_EXAMPLES } from '../../markdown/gfm-examples.ts'

/**
 * What is lost in silence in storing a text, and what more in reading it back as Markdown. Nothing if the text is
 * refused, or if the answer says that what standard Markdown reads as code was read as nested text.
 */
export function lossesOf(markdown: string): VisibleItem[] {
  try {
    const blocks = readMarkdown(markdown)
    if (hasIndentedCode(blocks)) return []
    const again = readMarkdown(writeMarkdown(blocks))
    const stored = lossesIn(markdown, blocks)
    return stored.length > 0 ? stored : lossesIn(markdown, again)
  } catch (error) {
    if (error instanceof ScriptoriumError) return []
    throw error
  }
}

const hasIndentedCode = (blocks: readonly Block[]): boolean =>
  blocks.some(({ isIndentedCode, content = [] }) => isIndentedCode === true || hasIndentedCode(content))

export const described = (losses: readonly VisibleItem[]): string =>
  losses
    .slice(0, 3)
    .map(({ kind, value, line }) => `${kind} ${JSON.stringify(value)} of line ${line}`)
    .join(', ')

/** The examples of both specifications by name. */
export function specificationExamples(): Map<string, string> {
  const { tests }: { tests: { number: number; markdown: string }[] } = createRequire(import.meta.url)('commonmark-spec')
  return new Map([
    ...tests.map(({ number, markdown }) => [`commonmark ${number}`, markdown.replaceAll('→', '\t')] as const),
    ...GFM_EXAMPLES.map(([section, markdown]) => [section, markdown] as const),
  ])
}
