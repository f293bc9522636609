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
import type { ImportedText, SourceComparison } from './compare-source.ts'
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

export type LossesInput = { onlyWords: boolean } & (
  | { source: string; result: ConversionResult }
  | { imported: ImportedText }
)
export type LossesOutput = { losses: VisibleItem[] } | { comparison: SourceComparison } | 'unreadable'

/** @param result  blocks as they are stored, or Markdown as it was exported or read back */
export async function findLosses(source: string, result: ConversionResult): Promise<LossReport> {
  const { answer, compared } = await compare({ source, result }, LOSSES_SECONDS)
  return { losses: answer !== undefined && 'losses' in answer ? answer.losses : [], compared }
}

/** Texts up to this length are compared in this thread, where the most hostile one takes some tens of milliseconds. */
const SHORT = 1_500

/** @param seconds  limit on the time for each attempt */
export async function findImportLosses(
  imported: ImportedText,
  seconds: number,
): Promise<SourceComparison & Pick<LossReport, 'compared'>> {
  if (imported.source.length <= SHORT) {
    const { compareSource } = await import('./compare-source.ts')
    return { ...compareSource(imported), compared: 'all' }
  }
  const { answer, compared } = await compare({ imported }, seconds)
  const found = answer !== undefined && 'comparison' in answer ? answer.comparison : NOTHING
  return { ...found, compared }
}

const NOTHING: SourceComparison = { losses: [], source: [], result: [] }

type Given = { source: string; result: ConversionResult } | { imported: ImportedText }

async function compare(
  given: Given,
  seconds: number,
): Promise<{ answer?: Exclude<LossesOutput, 'unreadable'>; compared: LossReport['compared'] }> {
  for (const compared of ['all', 'words'] as const) {
    const answer = await compareInWorker({ ...given, onlyWords: compared === 'words' }, seconds)
    if (answer !== undefined) return { answer, compared }
  }
  return { compared: 'nothing' }
}

/** Undefined if the thread exceeds its time, its memory, or its stack. */
async function compareInWorker(
  input: LossesInput,
  seconds: number,
): Promise<Exclude<LossesOutput, 'unreadable'> | undefined> {
  try {
    const { result } = await worker.run(input, seconds * 1000)
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
