/** What the files of a source contain, as far as they were read: enough to recognize them under another path. */
import { createHash, type Hash } from 'node:crypto'
import type { LinkTargets, PlannedDocument, SourceContent } from './import-format.ts'
import type { SourceFile } from './import-source.ts'
import { sketchOf } from './text-sketch.ts'

/** How many bytes of a file are compared with those of other files. */
const SKETCHED_BYTES = 64 * 1024

export class SourceContents {
  readonly #contents = new Map<string, SourceContent>()

  /** Returns a file that is noted as soon as it was read to its end. */
  watch(file: SourceFile): SourceFile {
    const note = (content: SourceContent) => void this.#contents.set(file.path, content)
    async function* open() {
      const hash = createHash('sha256')
      const beginning = new Beginning()
      for await (const chunk of file.open()) {
        hash.update(chunk)
        beginning.add(chunk)
        yield chunk
      }
      note(describe(hash, beginning))
    }
    return { ...file, open }
  }

  /** Undefined for a path without a file, or with one that was not read to its end. */
  at(path: string): SourceContent | undefined {
    return this.#contents.get(path)
  }
}

/** The first bytes of a file. */
class Beginning {
  readonly #parts: Uint8Array[] = []
  #size = 0

  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, SKETCHED_BYTES - this.#size)
    if (part.byteLength === 0) return
    this.#parts.push(part)
    this.#size += part.byteLength
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString('utf8')
  }
}

const describe = (hash: Hash, beginning: Beginning): SourceContent => ({
  hash: hash.digest('base64url'),
  sketch: sketchOf(beginning.text),
})

/** What a document is made from: the file at its path, or all that it refers to. */
export async function contentOf(document: PlannedDocument, contents: SourceContents): Promise<SourceContent> {
  const { path, content = contents.at(path) } = document
  if (content !== undefined) return content
  const hash = await document.fingerprint(NO_TARGETS)
  return { hash, sketch: sketchOf(hash) }
}

/** No document has an ID yet. */
const NO_TARGETS: LinkTargets = { idOf: () => undefined, newId: () => 0 }
