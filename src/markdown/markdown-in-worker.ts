/**
 * Reads long Markdown, and finds the addresses in long texts, on a thread of its own, so that no text, however long or
 * hostile, holds up other calls.
 */
import { extname } from 'node:path'
import { type ErrorBody, invalid, ScriptoriumError } from '../base/errors.ts'
import { MARKDOWN_SECONDS } from '../base/limits.ts'
import { WorkerThread } from '../base/worker.ts'
import type { Block } from './block.ts'
import { findAddresses, type TextAddress } from './text-addresses.ts'
import { readSafeMarkdown } from './unsafe-addresses.ts'

/** Characters that are read at once on this thread: some milliseconds, less than handing them over would take. */
const SHORT = 32_768
/** What the thread is asked: to read a text, or to find the addresses in one. */
export type MarkdownWorkerInput = { read: string } | { addressesIn: string; isTable: boolean }
/** What it answers. Numbers are handed over quicker than objects: of each address its start, its end, and whether it is a picture's. */
export type MarkdownWorkerResult = { blocks: Block[] } | { urls: string[]; places: Uint32Array } | { error: ErrorBody }

/**
 * As {@link readSafeMarkdown}.
 *
 * @throws as it does; VALIDATION_ERROR for a text that takes longer than {@link MARKDOWN_SECONDS}, and of a long one
 *   for more blocks than a call may write
 */
export async function readMarkdownInWorker(text: string): Promise<Block[]> {
  if (isShort(text)) return readSafeMarkdown(text)
  const { result: answer } = await worker.run({ read: text }, MARKDOWN_SECONDS * 1000)
  if (answer === 'timeout') throw tooSlow()
  if ('blocks' in answer) return answer.blocks
  throw errorIn(answer)
}

/** As {@link findAddresses}. What takes too long even there is found here. */
export async function findAddressesInWorker(text: string, isTable: boolean): Promise<TextAddress[]> {
  if (isShort(text)) return findAddresses(text, isTable)
  const { result: answer } = await worker.run({ addressesIn: text, isTable }, MARKDOWN_SECONDS * 1000)
  if (answer === 'timeout') return findAddresses(text, isTable)
  if (!('urls' in answer)) throw errorIn(answer)
  const { urls, places } = answer
  return urls.map((url, index) => {
    const [start = 0, end = 0, isPicture] = places.subarray(3 * index, 3 * index + 3)
    return { url, start, end, isPicture: isPicture === 1 }
  })
}

function errorIn(answer: MarkdownWorkerResult): Error {
  if (!('error' in answer)) return new Error('Expected from the thread what it was asked for, found another answer.')
  return new ScriptoriumError(answer.error.code, answer.error.error, answer.error.details)
}

const isShort = (text: string): boolean => text.length <= SHORT && !hasManySigns(text)

/** Signs that a text has so many of as to take longer: each may be one of a pair, and has to be looked at. */
const SIGNS = /[\\`*_$<&[\]~=]/g
const MANY_SIGNS = 2_500

const hasManySigns = (text: string): boolean =>
  text.length > MANY_SIGNS && (text.match(SIGNS)?.length ?? 0) > MANY_SIGNS

// One text after another: a second thread would only take the processor from the first. The file beside this one, as
// source or as built.
const worker = new WorkerThread<MarkdownWorkerInput, MarkdownWorkerResult>(
  new URL(`markdown-worker${extname(import.meta.filename)}`, import.meta.url),
)

const tooSlow = () =>
  invalid(
    `Expected Markdown that can be read within ${MARKDOWN_SECONDS} seconds, found a text that takes longer; nothing was written, give it in smaller parts.`,
  )
