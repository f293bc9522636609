/**
 * Writes notes in the spelling of their sources in a worker thread, since texts that others wrote can take long to read.
 * A note that takes too long is written in our own spelling.
 */
import { extname } from 'node:path'
import { IMPORT_STEP_SECONDS } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import type { ExportedFile } from './read-spelling.ts'
import type { SourceText, WrittenNote } from './write-spelled.ts'

/** All files of an export, a note of it to write, or its end. Exports are numbered, since several can run. */
export type SpellingRequest = { run: number } & (
  | { files: readonly ExportedFile[] }
  | { note: WrittenNote; source: SourceText }
  | { isOver: true }
)
/** `isReady`: whether the thread knows the files of the export. It is false if the thread was started again. */
export type SpellingAnswer = { isReady: boolean } | { text: string | undefined }

const thread = new WorkerThread<SpellingRequest, SpellingAnswer>(
  new URL(`spelling-worker${extname(import.meta.filename)}`, import.meta.url),
)
const MILLISECONDS = IMPORT_STEP_SECONDS * 1000
let runs = 0

export class SpellingThread {
  readonly #files: () => readonly ExportedFile[]
  readonly #run = ++runs
  #isUsed = false

  /** @param files  returns all files of the export */
  constructor(files: () => readonly ExportedFile[]) {
    this.#files = files
  }

  /** @returns undefined if the note has to be written in our own spelling */
  async write(note: WrittenNote, source: SourceText): Promise<string | undefined> {
    this.#isUsed = true
    const run = this.#run
    // The thread may end between two requests, if other work in it takes too long.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { result } = await thread.run({ run, note, source }, MILLISECONDS)
      if (result === 'timeout') return undefined
      if ('text' in result) return result.text
      await thread.run({ run, files: this.#files() }, MILLISECONDS)
    }
    return undefined
  }

  async close(): Promise<void> {
    if (this.#isUsed) await thread.run({ run: this.#run, isOver: true }, MILLISECONDS)
  }
}

const ATTEMPTS = 3
