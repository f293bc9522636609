/** The thread on which long Markdown is read, and the addresses in long texts are found. */
import { ScriptoriumError } from '../base/errors.ts'
import { answerInWorker } from '../base/worker.ts'
import { checkCount, countBlocks } from './block-count.ts'
import { type Address, addressesIn } from './links.ts'
import type { Asked, Outcome } from './read-aside.ts'
import { readSafeMarkdown } from './unsafe.ts'

const outcomeOf = (asked: Asked): Outcome =>
  'read' in asked ? reading(asked.read) : found(addressesIn(asked.addressesIn, asked.isTable))

const found = (addresses: readonly Address[]): Outcome => ({
  urls: addresses.map(({ url }) => url),
  places: Uint32Array.from(addresses.flatMap(({ start, end, isPicture }) => [start, end, isPicture ? 1 : 0])),
})

function reading(text: string): Outcome {
  try {
    const blocks = readSafeMarkdown(text)
    // More than anybody may write need not be handed over, which would hold the other side up.
    checkCount(countBlocks(blocks))
    return { blocks }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    throw error
  }
}

answerInWorker(outcomeOf)
