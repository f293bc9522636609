/** The thread that reads the source of an import: it opens it, plans the import, and converts documents. */

import { workerData } from 'node:worker_threads'
import { messageOf, ScriptoriumError } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { IMPORT_DOCUMENT_BLOCKS } from '../base/limits.ts'
import { answerInWorker } from '../base/worker.ts'
import type { ImportFile } from '../space/import/imported-content.ts'
import { type PackedDocument, packDocument } from './document-parts.ts'
import type { ImportFormat, LinkTargets, PlannedDocument } from './import-format.ts'
import { findFormat } from './import-formats.ts'
import type { ImportSource, SourceFile } from './import-source.ts'
import { openSingleUpload } from './open-single-upload.ts'
import { openSource } from './open-source.ts'
import { openUpload } from './open-upload.ts'
import { compareFiles } from './own/compare-files.ts'
import { readSourceManifest } from './own/source-manifest.ts'
import { contentOf, SourceContents } from './source-contents.ts'
import {
  DOCUMENTS_PER_ANSWER,
  LAST_FILE,
  type PassedTarget,
  type PlannedAnswer,
  type SourceAnswer,
  type SourceAnswers,
  type SourceRequest,
} from './source-requests.ts'
import { leaveOutSpaces } from './spaces/leave-out-spaces.ts'
import { BelongsToSpace } from './spaces/read-checked.ts'

/** Parts of a document, and bytes of a file, in one answer. */
const PARTS_PER_ANSWER = 1_000
const BYTES_PER_ANSWER = 1024 * 1024

class SourceReader {
  #opened: { source: ImportSource; format: ImportFormat } | undefined
  readonly #contents = new SourceContents()
  #isPlanned = false
  #documents: readonly PlannedDocument[] = []
  #byPath: ReadonlyMap<string, PlannedDocument> | undefined
  readonly #targets = new PassedLinkTargets()
  #packed: PackedDocument['parts'] = []
  readonly #files = new Map<string, readonly ImportFile[]>()
  #reading: { path: string; file: number; at: number; bytes: AsyncIterator<Uint8Array> } | undefined

  /** True if a request needs a plan that does not exist. */
  isLost({ ask }: SourceRequest): boolean {
    return ask !== 'open' && (this.#opened === undefined || (ask !== 'plan' && !this.#isPlanned))
  }

  async answer(request: SourceRequest): Promise<SourceAnswers[keyof SourceAnswers]> {
    switch (request.ask) {
      case 'open':
        return this.#open(request)
      case 'plan':
        return this.#makePlan(request)
      case 'planned':
        return Promise.all(this.#documentsFrom(request.from).map((document) => this.#describe(document)))
      case 'compare':
        return compareFiles(this.#source, request.files)
      case 'targets':
        return this.#targets.add(request.targets)
      case 'fingerprints':
        return this.#fingerprints(request.from)
      case 'convert':
        return this.#convert(request.path, request.ids)
      case 'parts':
        return this.#packed.slice(request.from, request.from + PARTS_PER_ANSWER)
      case 'bytes':
        return this.#bytes(request)
    }
  }

  async #open({ location, ...slow }: SourceRequest & { ask: 'open' }): Promise<SourceAnswers['open']> {
    const { path, as } = location
    const source = location.isUpload
      ? ((await openSingleUpload(path, location.name)) ?? (await openUpload(path, location.name)))
      : await leaveOutSpaces(await openSource(path, location.space))
    const files = source.files.map((file, number) => this.#contents.watch(watchedFile(file, number, slow)))
    const watched = { ...source, files }
    const format = await findFormat(watched, as)
    this.#opened = { source: watched, format }
    const { name, title, problems, folder } = source
    const manifest = await readSourceManifest(watched)
    return { name, title, problems, folder, manifest, format: format.name, detected: format.detected }
  }

  get #source(): ImportSource {
    if (this.#opened === undefined) throw new Error('Expected an open source.')
    return this.#opened.source
  }

  async #makePlan({ collections, past }: SourceRequest & { ask: 'plan' }): Promise<SourceAnswers['plan']> {
    if (this.#opened === undefined) throw new Error('Expected an open source.')
    const { source, format } = this.#opened
    const { documents, problems } = await format.plan(source, { collections, ...(past && { past }) })
    this.#documents = documents
    this.#byPath = undefined
    this.#files.clear()
    this.#isPlanned = true
    return { documents: documents.length, problems }
  }

  async #describe(document: PlannedDocument): Promise<PlannedAnswer> {
    const { path, anchors, own } = document
    const content = await contentOf(document, this.#contents)
    return { path, anchors: [...anchors], content, ...(own && { own }) }
  }

  #documentsFrom(from: number): readonly PlannedDocument[] {
    return this.#documents.slice(from, from + DOCUMENTS_PER_ANSWER)
  }

  async #fingerprints(from: number): Promise<SourceAnswers['fingerprints']> {
    const made: [string, string][] = []
    for (const one of this.#documentsFrom(from)) made.push([one.path, await one.fingerprint(this.#targets)])
    return made
  }

  async #convert(path: string, ids: readonly number[]): Promise<SourceAnswers['convert']> {
    this.#targets.spare = [...ids]
    const document = await this.#documentAt(path).convert(this.#targets)
    const { head, parts, files } = packDocument(document)
    const blocks = parts.reduce((sum, { kind }) => sum + (kind === 'block' ? 1 : 0), 0)
    if (blocks > IMPORT_DOCUMENT_BLOCKS) throw tooManyBlocks(blocks)
    this.#packed = parts
    this.#files.set(path, files)
    return { head, parts: parts.length, idsLeft: this.#targets.spare.length }
  }

  #documentAt(path: string): PlannedDocument {
    this.#byPath ??= new Map(this.#documents.map((document) => [document.path, document]))
    const document = this.#byPath.get(path)
    if (document === undefined) throw new Error('It is no longer in the source.')
    return document
  }

  async #bytes({ path, file, from }: SourceRequest & { ask: 'bytes' }): Promise<Uint8Array | undefined> {
    const last = this.#reading
    const isNext = last !== undefined && last.path === path && last.file === file && last.at === from
    const reading = isNext ? last : await this.#startReading(path, file, from)
    this.#reading = undefined
    const parts: Uint8Array[] = []
    for (let size = 0; size < BYTES_PER_ANSWER; ) {
      const { value, done } = await reading.bytes.next()
      if (done) break
      parts.push(value)
      size += value.byteLength
      reading.at += value.byteLength
    }
    if (parts.length > 0) this.#reading = reading
    return parts.length > 0 ? Buffer.concat(parts) : undefined
  }

  /** After a restart of the thread, the document has to be converted again to know its files. */
  async #startReading(path: string, number: number, from: number) {
    if (!this.#files.has(path)) {
      const { files } = packDocument(await this.#documentAt(path).convert(this.#targets.forNoOne()))
      this.#files.set(path, files)
    }
    const file = this.#files.get(path)?.[number]
    if (file === undefined) throw new Error('It is no longer in the source.')
    return { path, file: number, at: from, bytes: skipBytes(file.open(), from)[Symbol.asyncIterator]() }
  }
}

/** The numbers that the thread shares with the one that started it. */
const shared = workerData as Int32Array

/** A file that says when it is read. */
function watchedFile(
  file: SourceFile,
  number: number,
  { without, stepSeconds }: { without: readonly number[]; stepSeconds: number },
): SourceFile {
  const note = () => Atomics.store(shared, LAST_FILE, number + 1)
  async function* open() {
    if (without.includes(number)) throw new Error(`It takes longer than ${stepSeconds} seconds to read.`)
    for await (const chunk of file.open()) {
      note()
      yield chunk
    }
    note()
  }
  return { ...file, open }
}

async function* skipBytes(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of bytes) {
    const skipped = Math.min(left, chunk.byteLength)
    left -= skipped
    if (skipped < chunk.byteLength) yield chunk.subarray(skipped)
  }
}

/** The targets of links, as the other thread knows them. */
class PassedLinkTargets implements LinkTargets {
  /** IDs for blocks that only their own document links to. */
  spare: number[] = []
  readonly #ids = new Map<string, number>()
  readonly #anchors = new Map<string, ReadonlyMap<string, number>>()

  add(targets: readonly PassedTarget[]): undefined {
    for (const { path, id, anchors } of targets) {
      this.#ids.set(path, id)
      this.#anchors.set(path, new Map(anchors))
    }
  }

  idOf(path: string, anchor?: string): number | undefined {
    return anchor === undefined ? this.#ids.get(path) : this.#anchors.get(path)?.get(anchor)
  }

  newId(): number {
    const id = this.spare.pop()
    if (id === undefined) throw new Error('Expected an ID for a block that is linked to.')
    return id
  }

  /** The same targets, for a conversion whose result is not written. */
  forNoOne(): LinkTargets {
    return { idOf: (path, anchor) => this.idOf(path, anchor), newId: () => 0 }
  }
}

const tooManyBlocks = (count: number): Error =>
  new Error(
    `Expected at most ${formatNumber(IMPORT_DOCUMENT_BLOCKS)} blocks in a document, found ${formatNumber(count)}; split it.`,
  )

const reader = new SourceReader()

answerInWorker(async (request: SourceRequest): Promise<SourceAnswer> => {
  if (reader.isLost(request)) return { isLost: true }
  try {
    return { answer: await reader.answer(request) }
  } catch (error) {
    if (error instanceof ScriptoriumError) return { error: error.body }
    if (error instanceof BelongsToSpace) return { ofSpace: error.message }
    return { failure: messageOf(error) }
  }
})
