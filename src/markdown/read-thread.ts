/** The thread on which long Markdown is read, and the links of long texts are found. */
import { ScriptoriumError } from '../errors.ts'
import { answerAside } from '../thread.ts'
import { checkCount, countBlocks } from './block-count.ts'
import { blockLinks, blockLinksInTable } from './links.ts'
import { readMarkdown } from './read.ts'
import type { Asked, Outcome } from './read-aside.ts'

answerAside(outcomeOf)

function outcomeOf({ text, type }: Asked): Outcome {
  if (type !== 'markdown') {
    const links = type === 'table' ? blockLinksInTable(text) : blockLinks(text)
    const places = Uint32Array.from(links.flatMap(({ start, end }) => [start, end]))
    return { ids: links.map(({ id }) => id), places }
  }
  try {
    const blocks = readMarkdown(text)
    // More than anybody may write need not be handed over, which would hold the other side up.
    checkCount(countBlocks(blocks))
    return { blocks }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}
