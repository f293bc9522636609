/** The worker thread that compares a source with its result. */
import { answerInWorker } from '../base/worker.ts'
import { compareSource, compareWords } from './compare-source.ts'
import type { LossesInput, LossesOutput } from './find-losses.ts'
import { lossesIn, wordLossesIn } from './losses-in.ts'

answerInWorker<LossesInput, LossesOutput>((input) => {
  try {
    if ('imported' in input) {
      return { comparison: input.onlyWords ? compareWords(input.imported) : compareSource(input.imported) }
    }
    const { source, result, onlyWords } = input
    return { losses: onlyWords ? wordLossesIn(source, result) : lossesIn(source, result) }
  } catch (error) {
    // remark calls itself for each level of nesting.
    if (error instanceof RangeError) return 'unreadable'
    throw error
  }
})
