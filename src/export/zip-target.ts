/** Exports to a zip archive. The archive is streamed, so it is never in memory as a whole. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportFile, ExportProblem, ExportTarget } from './export-target.ts'

/** Extensions of formats that are already compressed. */
const PACKED = /\.(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4[av]|mov|webm|ogg|zip|gz|docx|xlsx|pptx|pdf)$/i

export class ZipTarget implements ExportTarget {
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: 0 }
  readonly problems: ExportProblem[] = []
  readonly #zip = new ZipFile()
  /** Rejects the promise of the file that is being written. */
  #fail: ((error: Error) => void) | undefined

  constructor() {
    this.output.on('error', (error) => this.#fail?.(error))
    this.output.on('close', () => this.#fail?.(new Error('Expected the zip to be read to its end.')))
  }

  /** The bytes of the archive. */
  get output(): Readable {
    return this.#zip.outputStream as Readable
  }

  /** Resolves once the file is in the output, so that only one file is in memory. */
  async write({ path, modifiedAt }: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    const options = { compress: !PACKED.test(path), mode: 0o100644, mtime: new Date(modifiedAt ?? Date.now()) }
    this.counts.written++
    if (typeof content === 'string') {
      await this.#add(path, options, Readable.from([Buffer.from(content)], { objectMode: false }))
    } else await this.#add(path, options, Readable.from(content, { objectMode: false }))
  }

  #add(path: string, options: { compress: boolean; mode: number; mtime: Date }, stream: Readable): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      stream.once('end', resolve).once('error', reject)
      this.#zip.addReadStreamLazy(path, options, (start) => start(null, stream))
    })
  }

  /** A new archive contains no earlier files. */
  async keep(): Promise<boolean> {
    return false
  }

  async finish(): Promise<void> {
    this.#zip.end()
  }

  async abort(): Promise<void> {
    this.output.destroy()
  }
}
