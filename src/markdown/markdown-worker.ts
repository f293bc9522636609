/** The worker thread that parses long Markdown, and finds addresses in long texts. */
import { ScriptoriumError } from '../base/errors.ts'
import { answerInWorker } from '../base/worker.ts'
import { assertBlockCount, countBlocks } from './block-count.ts'
import type { MarkdownWorkerInput, MarkdownWorkerResult } from './markdown-in-worker.ts'
import { findAddresses, type TextAddress } from './text-addresses.ts'
import { readSafeMarkdown } from './unsafe-addresses.ts'

const handleInput = (input: MarkdownWorkerInput): MarkdownWorkerResult =>
  'read' in input ? readSafely(input) : packAddresses(findAddresses(input.addressesIn, input.isTable))

const packAddresses = (addresses: readonly TextAddress[]): MarkdownWorkerResult => ({
  urls: addresses.map(({ url }) => url),
  places: Uint32Array.from(addresses.flatMap(({ start, end, isPicture }) => [start, end, isPicture ? 1 : 0])),
})

function readSafely({ read: text, options }: Extract<MarkdownWorkerInput, { read: string }>): MarkdownWorkerResult {
  try {
    const blocks = readSafeMarkdown(text, options)
    // More blocks than a call may write are not passed back, since this would block the other thread.
    assertBlockCount(countBlocks(blocks))
    return { blocks }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}

answerInWorker(handleInput)
