/**
 * Formulas on a page, as MathML, which browsers display without scripts or fonts of ours. They are rendered in a worker
 * thread once the HTML around them is known. What exceeds a limit is shown as source.
 */
import { extname } from 'node:path'
import { FORMULA_SECONDS, FORMULAS_OUTPUT_LENGTH, FORMULAS_TOKENS } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import { type Html, html, trusted } from '../html.ts'
import type { RenderingCost } from './formula-mathml.ts'

/** LaTeX, and whether it stands on a line of its own. */
export interface Formula {
  tex: string
  isBlock: boolean
}

export interface FormulaWorkerInput {
  formulas: readonly Formula[]
  /** What they may take together. */
  left: RenderingCost
}

export interface FormulaWorkerResult {
  /** MathML for each formula; undefined for one that is shown as source. */
  rendered: (string | undefined)[]
  /** What further formulas of the page may take. */
  left: RenderingCost
}

/** The source of a formula as {@link Formulas.html} writes it. All text in it is escaped. */
const PLACE = /(?:<pre>)?<code data-formula="(\d+)">[^<]*<\/code>(?:<\/pre>)?/g
const NUMBER = / data-formula="\d+"/

/** The formulas of one page, which share limits. */
export class Formulas {
  readonly #waiting: Formula[] = []
  #left: RenderingCost = { tokens: FORMULAS_TOKENS, length: FORMULAS_OUTPUT_LENGTH }

  /** The source of a formula, which {@link fill} replaces with its MathML. */
  html(tex: string, isBlock: boolean): Html {
    const source = html`<code data-formula="${this.#waiting.length}">${tex}</code>`
    this.#waiting.push({ tex, isBlock })
    return isBlock ? html`<pre>${source}</pre>` : source
  }

  /** Renders the formulas that were written since the last call, in the parts of the page that contain them. */
  async fill(parts: readonly Html[]): Promise<Html[]> {
    if (this.#waiting.length === 0) return [...parts]
    const formulas = this.#waiting.splice(0)
    const { result } = await worker.run({ formulas, left: this.#left }, FORMULA_SECONDS * 1000)
    const { rendered, left } = result === 'timeout' ? { rendered: [], left: NOTHING_LEFT } : result
    this.#left = left
    return parts.map((part) => trusted(String(part).replace(PLACE, replacement)))

    function replacement(source: string, number: string): string {
      return rendered[Number(number)] ?? source.replace(NUMBER, '')
    }
  }
}

/** After a part that took too long, formulas of later parts are shown as source, too. */
const NOTHING_LEFT: RenderingCost = { tokens: 0, length: 0 }

/** Limit on the memory of the thread in megabytes. Formulas within their limits need far less. */
const MEMORY_LIMIT = 256

const worker = new WorkerThread<FormulaWorkerInput, FormulaWorkerResult>(
  new URL(`formula-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: MEMORY_LIMIT },
)
