/** Collects what a conversion reports about one file: each thing once. */
import type { ImportProblem } from './import-source.ts'

export class ProblemList {
  readonly all: ImportProblem[] = []
  readonly #path: string
  readonly #known = new Set<string>()

  constructor(path: string) {
    this.#path = path
  }

  add(kind: ImportProblem['kind'], message: string, detail = '', line?: number): void {
    const key = `${kind} ${line ?? ''} ${message} ${detail}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    const more = { ...(line !== undefined && { line }), ...(detail !== '' && { detail }) }
    this.all.push({ path: this.#path, kind, message, ...more })
  }
}
