/**
 * Reads long Markdown on a thread of its own, so that no text, however long or hostile, holds up other calls.
 */
import { extname } from 'node:path'
import { type ErrorBody, invalid, ScriptoriumError } from '../errors.ts'
import { MARKDOWN_SECONDS } from '../limits.ts'
import { Thread } from '../thread.ts'
import type { Block } from './block.ts'
import { readMarkdown } from './read.ts'

/** Characters that are read at once on this thread: some milliseconds, less than handing them over would take. */
const SHORT = 32_768
/** What the thread answers. */
export type Outcome = { blocks: Block[] } | { error: ErrorBody }

/**
 * As {@link readMarkdown}.
 *
 * @throws as it does; VALIDATION_ERROR for a text that takes longer than {@link MARKDOWN_SECONDS}, and of a long one
 *   for more blocks than a call may write
 */
export async function readAside(text: string): Promise<Block[]> {
  if (text.length <= SHORT && !hasManySigns(text)) return readMarkdown(text)
  const { answer } = await thread.ask(text, MARKDOWN_SECONDS * 1000)
  if (answer === 'late') throw tooSlow()
  if ('blocks' in answer) return answer.blocks
  throw new ScriptoriumError(answer.error.code, answer.error.error, answer.error.details)
}

/** Signs that a text has so many of as to take longer: each may be one of a pair, and has to be looked at. */
const SIGNS = /[\\`*_$<&[\]~=]/g
const MANY_SIGNS = 2_500

const hasManySigns = (text: string): boolean =>
  text.length > MANY_SIGNS && (text.match(SIGNS)?.length ?? 0) > MANY_SIGNS

// One text after another: a second thread would only take the processor from the first. The file beside this one, as
// source or as built.
const thread = new Thread<string, Outcome>(new URL(`read-thread${extname(import.meta.filename)}`, import.meta.url))

const tooSlow = () =>
  invalid(
    `Expected Markdown that can be read within ${MARKDOWN_SECONDS} seconds, found a text that takes longer; nothing was written, give it in smaller parts.`,
  )
