/** The worker thread that compares a Markdown source with its result. */
import { answerInWorker } from '../base/worker.ts'
import type { LossesInput, LossesOutput } from './find-losses.ts'
import { lossesIn, wordLossesIn } from './losses-in.ts'

answerInWorker<LossesInput, LossesOutput>(({ source, result, onlyWords }) => {
  if (onlyWords) return wordLossesIn(source, result)
  try {
    return lossesIn(source, result)
  } catch (error) {
    // remark calls itself for each level of nesting.
    if (error instanceof RangeError) return 'unreadable'
    throw error
  }
})
