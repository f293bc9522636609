/** The worker thread that renders formulas. */
import { answerInWorker } from '../../base/worker.ts'
import type { FormulaWorkerInput, FormulaWorkerResult } from './formula-html.ts'
import { formulaMathml } from './formula-mathml.ts'

answerInWorker(({ formulas, left }: FormulaWorkerInput): FormulaWorkerResult => {
  const rendered = formulas.map(({ tex, isBlock }) => formulaMathml(tex, isBlock, left))
  return { rendered, left }
})
