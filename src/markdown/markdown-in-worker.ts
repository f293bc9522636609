/**
 * Parses long Markdown, and finds addresses in long texts, in a worker thread, so that no text can block other calls.
 */
import { extname } from 'node:path'
import { type ErrorBody, invalid, ScriptoriumError } from '../base/errors.ts'
import { MARKDOWN_SECONDS } from '../base/limits.ts'
import { WorkerThread } from '../base/worker.ts'
import type { Block } from './block.ts'
import type { ReadOptions } from './blocks/parser-state.ts'
import { findAddresses, type TextAddress } from './text-addresses.ts'
import { readSafeMarkdown } from './unsafe-addresses.ts'

/**
 * Length up to which texts are parsed in this thread: a few milliseconds, less than passing them to the worker takes.
 */
const SHORT = 32_768
/** The input of the worker: a text to parse, or one to find addresses in. */
export type MarkdownWorkerInput = { read: string; options: ReadOptions } | { addressesIn: string; isTable: boolean }
/**
 * The result of the worker. Numbers are passed faster than objects: for each address its start, its end, and whether it
 * belongs to an image.
 */
export type MarkdownWorkerResult = { blocks: Block[] } | { urls: string[]; places: Uint32Array } | { error: ErrorBody }

/**
 * Like {@link readSafeMarkdown}, for texts of any length.
 *
 * @throws its errors; VALIDATION_ERROR for a text that takes longer than {@link MARKDOWN_SECONDS}, and for a long text
 *   with more blocks than a call may write
 */
export async function readMarkdownInWorker(text: string, options: ReadOptions = {}): Promise<Block[]> {
  if (isShort(text)) return readSafeMarkdown(text, options)
  const { result: answer } = await worker.run({ read: text, options }, MARKDOWN_SECONDS * 1000)
  if (answer === 'timeout') throw tooSlow()
  if ('blocks' in answer) return answer.blocks
  throw errorIn(answer)
}

/** Like {@link findAddresses}. If the worker takes too long, searches in this thread. */
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

/** Characters that slow down parsing if a text has many of them, since each could be part of a pair. */
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
