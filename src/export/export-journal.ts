/** Notes what an export writes, before it does: see src/import/own/export-manifest.ts. */
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_DATA, JOURNAL, type JournalLine } from '../import/own/export-manifest.ts'
import { type Modes, makeFolder, removeAbandonedParts } from './write-file.ts'

export class ExportJournal {
  readonly #root: string
  readonly #space: string
  readonly #modes: Modes
  #file: FileHandle | undefined

  constructor(root: string, space: string, modes: Modes) {
    this.#root = root
    this.#space = space
    this.#modes = modes
  }

  async note(line: JournalLine): Promise<void> {
    this.#file ??= await this.#open()
    await this.#file.writeFile(`${JSON.stringify(line)}\n`)
  }

  /** Everything in it is in the manifest now. */
  async remove(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
    await rm(join(this.#root, JOURNAL), { force: true })
    await removeAbandonedParts(join(this.#root, EXPORT_DATA))
  }

  async #open(): Promise<FileHandle> {
    await makeFolder(this.#root, EXPORT_DATA, this.#modes)
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
    const file = await open(join(this.#root, JOURNAL), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, this.#modes.file)
    // The line break ends a line that an interrupted export wrote in part.
    await file.writeFile(`\n${JSON.stringify(['space', this.#space] satisfies JournalLine)}\n`)
    return file
  }
}
