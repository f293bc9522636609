/** The thread on which long Markdown is read. */
import { ScriptoriumError } from '../errors.ts'
import { answerAside } from '../thread.ts'
import { readMarkdown } from './read.ts'
import type { Outcome } from './read-aside.ts'

answerAside(outcomeOf)

function outcomeOf(text: string): Outcome {
  try {
    return { blocks: readMarkdown(text) }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}
