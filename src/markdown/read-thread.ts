/** The thread on which long Markdown is read. */
import { parentPort } from 'node:worker_threads'
import { ScriptoriumError } from '../errors.ts'
import { readMarkdown } from './read.ts'
import type { Outcome } from './read-aside.ts'

parentPort?.on('message', (text: string) => parentPort?.postMessage(outcomeOf(text)))

function outcomeOf(text: string): Outcome {
  try {
    return { blocks: readMarkdown(text) }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}
