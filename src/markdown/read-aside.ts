/**
 * Reads long Markdown on a thread of its own, so that no text, however long or hostile, holds up other calls.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ErrorBody, invalid, ScriptoriumError } from '../errors.ts'
import { MARKDOWN_SECONDS } from '../limits.ts'
import type { Block } from './block.ts'
import { readMarkdown } from './read.ts'

/** Characters that are read at once on this thread: some milliseconds, less than handing them over would take. */
const SHORT = 32_768
/** Milliseconds after which an idle thread is given up; the next long text starts another. */
const IDLE = 10_000

/** What the thread answers. */
export type Outcome = { blocks: Block[] } | { error: ErrorBody }

/**
 * As {@link readMarkdown}.
 *
 * @throws as it does; VALIDATION_ERROR for a text that takes longer than {@link MARKDOWN_SECONDS}
 */
export async function readAside(text: string): Promise<Block[]> {
  if (text.length <= SHORT) return readMarkdown(text)
  const outcome = await inTurn(() => readOnThread(text))
  if ('blocks' in outcome) return outcome.blocks
  throw new ScriptoriumError(outcome.error.code, outcome.error.error, outcome.error.details)
}

let last: Promise<unknown> = Promise.resolve()

/** One text after another: a second thread would only take the processor from the first. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

async function readOnThread(text: string): Promise<Outcome> {
  clearTimeout(idle)
  thread ??= startThread()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const deadline = setTimeout(() => reject(tooSlow()), MARKDOWN_SECONDS * 1000)
  thread.once('message', resolve).once('error', reject)
  thread.postMessage(text)
  try {
    return await promise
  } catch (error) {
    await endThread()
    throw error
  } finally {
    clearTimeout(deadline)
    thread?.off('message', resolve).off('error', reject)
    idle = setTimeout(() => void endThread(), IDLE).unref()
  }
}

function startThread(): Worker {
  // The file beside this one, as source or as built.
  const worker = new Worker(new URL(`read-thread${extname(import.meta.filename)}`, import.meta.url))
  worker.unref()
  return worker
}

async function endThread(): Promise<void> {
  const ending = thread
  thread = undefined
  await ending?.terminate()
}

const tooSlow = () =>
  invalid(
    `Expected Markdown that can be read within ${MARKDOWN_SECONDS} seconds, found a text that takes longer; nothing was written, give it in smaller parts.`,
  )
