/** Notes what an export writes, before it does: see src/import/own/export-manifest.ts. */
import { constants } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_DATA, JOURNAL, type JournalLine } from '../import/own/export-manifest.ts'
import { type Modes, makeFolder, removeAbandonedParts } from '../import/own/write-file.ts'

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
const APPEND = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW

export class ExportJournal {
  readonly #root: string
  readonly #space: string
  readonly #modes: Modes
  #isBegun = false

  constructor(root: string, space: string, modes: Modes) {
    this.#root = root
    this.#space = space
    this.#modes = modes
  }

  async note(line: JournalLine): Promise<void> {
    if (!this.#isBegun) await makeFolder(this.#root, EXPORT_DATA, this.#modes)
    // The line break ends a line that an interrupted export wrote in part.
    const start = this.#isBegun ? '' : `\n${JSON.stringify(['space', this.#space] satisfies JournalLine)}\n`
    this.#isBegun = true
    const text = `${start}${JSON.stringify(line)}\n`
    await writeFile(join(this.#root, JOURNAL), text, { flag: APPEND, mode: this.#modes.file })
  }

  /** Everything in it is in the manifest now. */
  async remove(): Promise<void> {
    await rm(join(this.#root, JOURNAL), { force: true })
    await removeAbandonedParts(join(this.#root, EXPORT_DATA))
  }
}
