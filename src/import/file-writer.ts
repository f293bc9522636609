/** Writes the bytes of files to the store of the space, before the transactions that add these files. */

import { type FileBytes, SizeLimitExceeded } from '../../storage/bytes/file-bytes.ts'
import { messageOf } from '../base/errors.ts'
import { detectType } from '../space/files/detect-type.ts'
import type { ImportFile } from '../space/import/imported-content.ts'
import type { AddedFile } from '../space/import/write-files.ts'
import { extensionOf, type ImportProblem } from './import-source.ts'
import { BelongsToSpace } from './spaces/read-checked.ts'

/** Media types of text formats by extension. They cannot be detected from the bytes, unlike those of other files. */
const TEXT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ svg: 'image/svg+xml', md: 'text/markdown', csv: 'text/csv', html: 'text/html', htm: 'text/html' },
    ...{ json: 'application/json', xml: 'application/xml', css: 'text/css', ics: 'text/calendar' },
  }),
)

const EMPTY = 'The file is empty.'

export class FileWriter {
  readonly problems: ImportProblem[] = []
  readonly #store: FileBytes
  readonly #limit: number

  /** @param limit  maximum size of a file in bytes */
  constructor(store: FileBytes, limit: number) {
    this.#store = store
    this.#limit = limit
  }

  /** Writes files, and returns those that could be read. The caller discards the ones that it does not keep. */
  async write(files: Iterable<ImportFile>): Promise<Map<ImportFile, AddedFile>> {
    const written = new Map<ImportFile, AddedFile>()
    try {
      for (const file of new Set(files)) {
        const added = await this.#write(file)
        if (added !== undefined) written.set(file, added)
      }
    } catch (error) {
      await discardAll(written)
      throw error
    }
    return written
  }

  /** Reads the beginning of files, and reports those that could not be written. */
  async check(files: Iterable<ImportFile>): Promise<void> {
    for (const file of new Set(files)) {
      try {
        this.#assertSize(file)
        if (await isEmpty(file)) this.#leave(file, EMPTY)
      } catch (error) {
        this.#leave(file, this.#reasonOf(error))
      }
    }
  }

  async #write(file: ImportFile): Promise<AddedFile | undefined> {
    try {
      this.#assertSize(file)
      const written = await this.#store.write(file.open(), this.#limit)
      if (written.size > 0) {
        return { written, detected: await detectType(TEXT_TYPES.get(extensionOf(file.name)), written.head) }
      }
      await written.discard()
      this.#leave(file, EMPTY)
    } catch (error) {
      if (isDiskFault(error)) throw error
      this.#leave(file, this.#reasonOf(error))
    }
    return undefined
  }

  #assertSize({ size }: ImportFile): void {
    if (size > this.#limit) throw new SizeLimitExceeded()
  }

  #leave({ path }: ImportFile, message: string): void {
    this.problems.push({ path, kind: 'left out', message })
  }

  #reasonOf(error: unknown): string {
    if (error instanceof SizeLimitExceeded) return `The file is larger than ${this.#limit / 1024 / 1024} MiB.`
    if (error instanceof BelongsToSpace) return error.message
    return `The file could not be read: ${messageOf(error)}`
  }
}

async function isEmpty({ open }: ImportFile): Promise<boolean> {
  for await (const bytes of open()) if (bytes.byteLength > 0) return false
  return true
}

/** True if the disk of the space is full or read-only, so that no further file can be written. */
const isDiskFault = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

export async function discardAll(files: ReadonlyMap<ImportFile, AddedFile>): Promise<void> {
  for (const { written } of files.values()) await written.discard()
}
