/** Uploads the files of a space into a bucket. */
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import type { FileBytes } from '../../../storage/bytes/file-bytes.ts'
import { nameObject } from '../../../storage/postgres/bucket-file-bytes.ts'

/** A file, identified by its bytes. */
export interface MovedFile {
  hash: string
  size: number
}

export class MovedObjects {
  readonly #bucket: Bucket
  readonly #files: FileBytes
  #begun: string[] = []

  /** @param files  the source of the bytes */
  constructor(bucket: Bucket, files: FileBytes) {
    this.#bucket = bucket
    this.#files = files
  }

  /**
   * Stores the bytes of files, one object each. Missing files are skipped.
   *
   * @param space  its ID
   */
  async upload(space: string, kept: readonly MovedFile[]): Promise<{ hash: string; object: string }[]> {
    const uploaded: { hash: string; object: string }[] = []
    for (const file of kept) {
      const { hash, size } = file
      if (!(await this.#files.has(hash))) continue
      const object = `${space}/${nameObject(hash)}`
      this.#begun.push(object)
      await this.#bucket.put(object, { hash, size, open: () => chunksOf(this.#files, file) })
      uploaded.push({ hash, object })
    }
    return uploaded
  }

  /** Deletes the stored objects as far as possible, since no space uses them. */
  async discard(): Promise<void> {
    const begun = this.#begun.splice(0)
    await Promise.allSettled(begun.map((object) => this.#bucket.delete(object)))
  }
}

async function* chunksOf(files: FileBytes, file: MovedFile): AsyncGenerator<Uint8Array> {
  yield* await files.read(file)
}
