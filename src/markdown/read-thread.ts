/** The thread on which long Markdown is read, and the links of long texts are found. */
import { ScriptoriumError } from '../errors.ts'
import { answerAside } from '../thread.ts'
import { checkCount, countBlocks } from './block-count.ts'
import { type BlockLink, blockLinks } from './links.ts'
import { readMarkdown } from './read.ts'
import type { Asked, Outcome } from './read-aside.ts'

const outcomeOf = (asked: Asked): Outcome =>
  'read' in asked ? reading(asked.read) : linksFound(blockLinks(asked.linksOf, asked.isTable))

const linksFound = (links: readonly BlockLink[]): Outcome => ({
  ids: links.map(({ id }) => id),
  places: Uint32Array.from(links.flatMap(({ start, end }) => [start, end])),
})

function reading(text: string): Outcome {
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

answerAside(outcomeOf)
