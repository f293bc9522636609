/** Exports to a zip archive. The archive is streamed, so it is never in memory as a whole. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type DocumentState, type FileState, formatManifest, MANIFEST } from '../import/own/export-manifest.ts'
import type { ExportedState, ExportFile, ExportProblem, ExportTarget } from './export-target.ts'

/** Extensions of formats that are already compressed. */
const PACKED = /\.(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4[av]|mov|webm|ogg|zip|gz|docx|xlsx|pptx|pdf)$/i

export class ZipTarget implements ExportTarget {
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: 0 }
  readonly problems: ExportProblem[] = []
  readonly #zip = new ZipFile()
  readonly #space: string
  readonly #files = new Map<string, FileState>()
  readonly #documents = new Map<string, DocumentState>()
  /** Rejects the promise of the file that is being written. */
  #fail: ((error: Error) => void) | undefined

  /** @param space  the ID of the space */
  constructor(space: string) {
    this.#space = space
    this.output.on('error', (error) => this.#fail?.(error))
    this.output.on('close', () => this.#fail?.(new Error('Expected the zip to be read to its end.')))
  }

  /** The bytes of the archive. */
  get output(): Readable {
    return this.#zip.outputStream as Readable
  }

  /** Resolves once the file is in the output, so that only one file is in memory. */
  async write({ path, modifiedAt }: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    this.counts.written++
    const time = modifiedAt ?? Date.now()
    const chunks = typeof content === 'string' ? [Buffer.from(content)] : content
    await this.#add(path, time, this.#noted(path, time, chunks))
  }

  /** Notes the size and hash of a file for the manifest. */
  async *#noted(path: string, time: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.byteLength
      yield chunk
    }
    this.#files.set(path, { hash: hash.digest('hex'), size, time: Math.round(time) })
  }

  #add(path: string, time: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const options = { compress: !PACKED.test(path), mode: 0o100644, mtime: new Date(time) }
    const stream = Readable.from(chunks, { objectMode: false })
    return new Promise((resolve, reject) => {
      this.#fail = reject
      stream.once('end', resolve).once('error', reject)
      this.#zip.addReadStreamLazy(path, options, (start) => start(null, stream))
    })
  }

  /** A new archive contains no earlier files. */
  async retain(): Promise<boolean> {
    return false
  }

  async noteDocument(id: string, state: ExportedState): Promise<void> {
    this.#documents.set(id, state)
  }

  async finish(): Promise<void> {
    if (this.#documents.size > 0) {
      const manifest = formatManifest({ space: this.#space, files: this.#files, documents: this.#documents })
      await this.#add(MANIFEST, Date.now(), Readable.from([Buffer.from(manifest)]))
    }
    this.#zip.end()
  }

  async abort(): Promise<void> {
    this.output.destroy()
  }
}
