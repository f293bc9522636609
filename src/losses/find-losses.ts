/**
 * Finds what a conversion of Markdown lost: what CommonMark and GFM show of the source, and the result does not show.
 *
 * It knows nothing of how the conversion works. The source is read by remark, and both sides are compared as flat lists
 * of words, numbers, links, images, code with its language, formulas, table cells and tags.
 *
 *     source Markdown ── remark ──→ items ─┐
 *                                          ├─→ losses
 *     stored blocks, or Markdown ─→ items ─┘
 */
import { extname } from 'node:path'
import { LOSSES_MEMORY_MEGABYTES, LOSSES_SECONDS } from '../base/limits.ts'
import { WorkerThread } from '../base/worker.ts'
import type { ConversionResult } from './losses-in.ts'
import type { VisibleItem } from './visible-item.ts'

export interface LossReport {
  /** At most 100, in the order of the source. */
  losses: VisibleItem[]
  /**
   * What was compared: all kinds; only words and numbers, if remark does not read the text within its limits; nothing, if
   * this took too long as well.
   */
  compared: 'all' | 'words' | 'nothing'
}

export interface LossesInput {
  source: string
  result: ConversionResult
  onlyWords: boolean
}
export type LossesOutput = VisibleItem[] | 'unreadable'

/** @param result  blocks as they are stored, or Markdown as it was exported or read back */
export async function findLosses(source: string, result: ConversionResult): Promise<LossReport> {
  for (const compared of ['all', 'words'] as const) {
    const losses = await compare({ source, result, onlyWords: compared === 'words' })
    if (losses !== undefined) return { losses, compared }
  }
  return { losses: [], compared: 'nothing' }
}

/** Undefined if the thread exceeds its time, its memory, or its stack. */
async function compare(input: LossesInput): Promise<VisibleItem[] | undefined> {
  try {
    const { result } = await worker.run(input, LOSSES_SECONDS * 1000)
    return result === 'timeout' || result === 'unreadable' ? undefined : result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
    throw error
  }
}

// One comparison after another: a second thread would only take the processor from the first. The file beside this one,
// as source or as built.
const worker = new WorkerThread<LossesInput, LossesOutput>(
  new URL(`losses-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: LOSSES_MEMORY_MEGABYTES },
)
