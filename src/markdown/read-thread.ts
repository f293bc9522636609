/** The thread on which long Markdown is read. */
import { ScriptoriumError } from '../errors.ts'
import { answerAside } from '../thread.ts'
import { checkCount, countBlocks } from './block-count.ts'
import { readMarkdown } from './read.ts'
import type { Outcome } from './read-aside.ts'

answerAside(outcomeOf)

function outcomeOf(text: string): Outcome {
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
