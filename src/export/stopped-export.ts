/** Ends an export between two files. What it wrote so far is recorded, so that it can be run again. */
import type { ExportedState, ExportFile, ExportTarget } from './export-target.ts'

/** How far an export came. */
export interface ExportProgress {
  done: number
  total: number
}

/** The export was stopped before its end. */
export class ExportStopped extends Error {}

/** A target that takes no further file once the signal is aborted. */
export class StoppableTarget implements ExportTarget {
  readonly #target: ExportTarget
  readonly #signal: AbortSignal

  constructor(target: ExportTarget, signal: AbortSignal) {
    this.#target = target
    this.#signal = signal
  }

  get counts() {
    return this.#target.counts
  }

  get problems() {
    return this.#target.problems
  }

  async write(file: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    this.#assertGoesOn()
    await this.#target.write(file, content)
  }

  async retain(path: string): Promise<boolean> {
    this.#assertGoesOn()
    return this.#target.retain(path)
  }

  noteDocument(id: string, state: ExportedState): Promise<void> {
    return this.#target.noteDocument(id, state)
  }

  finish(): Promise<void> {
    return this.#target.finish()
  }

  abort(): Promise<void> {
    return this.#target.abort()
  }

  #assertGoesOn(): void {
    if (this.#signal.aborted) throw new ExportStopped('The export was stopped.')
  }
}
