/** Finds out which files of our own export stand for which documents. */
import type { PlannedDocument } from '../import-format.ts'
import type { ImportProblem } from '../import-source.ts'
import type { Manifest } from './export-manifest.ts'

export interface OwnMatch {
  /** The ID of a document by the path of its note. */
  claims: Map<string, number>
  /** Paths that are not imported at all. */
  skipped: Set<string>
  problems: ImportProblem[]
}

/** What an ID of a note that is not in the manifest belongs to here. */
export type KindOfId = (id: number) => 'document' | 'block' | 'nothing'

/**
 * A note belongs to the document whose ID is in its front matter. If two have the same ID, the one at the path of the
 * document has it. A note without an ID belongs to the document that was exported to its path, if no other one does.
 */
export function matchOwn(manifest: Manifest, planned: readonly PlannedDocument[], kindOf: KindOfId): OwnMatch {
  return new OwnMatcher(manifest, kindOf).match(planned)
}

class OwnMatcher implements OwnMatch {
  readonly claims = new Map<string, number>()
  readonly skipped = new Set<string>()
  readonly problems: ImportProblem[] = []
  readonly #manifest: Manifest
  readonly #kindOf: KindOfId
  readonly #exported: ReadonlyMap<string, number>
  /** The paths of the documents that have their notes, by ID. */
  readonly #paths = new Map<number, string>()

  constructor(manifest: Manifest, kindOf: KindOfId) {
    this.#manifest = manifest
    this.#kindOf = kindOf
    this.#exported = new Map([...manifest.documents].map(([id, { path }]) => [path, Number(id)]))
  }

  match(planned: readonly PlannedDocument[]): this {
    for (const { path, own } of planned) if (this.#exported.get(path) === own?.id) this.#claim(path, own?.id)
    for (const { path, own } of planned) {
      if (own?.id !== undefined && this.#manifest.documents.has(String(own.id))) this.#claim(path, own.id)
    }
    for (const { path } of planned) this.#claim(path, this.#exported.get(path))
    for (const { path, own } of planned) if (!this.claims.has(path)) this.#claimOther(path, own?.id)
    return this
  }

  #claim(path: string, id: number | undefined): void {
    if (id === undefined || this.claims.has(path) || this.#paths.has(id)) return
    this.claims.set(path, id)
    this.#paths.set(id, path)
  }

  #claimOther(path: string, id: number | undefined): void {
    if (id === undefined) {
      // A table or a Base would be a copy of the collection that its document had.
      if (this.#manifest.files.has(path)) this.#skip(path, 'left out', NOT_SHOWN)
      return
    }
    const other = this.#paths.get(id)
    if (other !== undefined) {
      if (this.#manifest.files.has(path)) this.#skip(path, 'conflict', renamedHere(other))
      else this.#report(path, 'changed', copyOf(other))
      return
    }
    const kind = this.#kindOf(id)
    if (kind === 'document') this.#claim(path, id)
    else if (kind === 'block') this.#skip(path, 'left out', OF_COLLECTION)
    else this.#report(path, 'changed', UNKNOWN_ID)
  }

  #skip(path: string, kind: ImportProblem['kind'], message: string): void {
    this.skipped.add(path)
    this.#report(path, kind, message)
  }

  #report(path: string, kind: ImportProblem['kind'], message: string): void {
    this.problems.push({ path, kind, message })
  }
}

const NOT_SHOWN = 'It is of an earlier export, and no note shows it any more: what it was made from is as it is here.'
const OF_COLLECTION =
  'It has the ID of an item, and there is no Base beside it: put it back into the folder of its collection, or remove its ID.'
const UNKNOWN_ID = 'No document here has its ID, so it became a new one.'
const copyOf = (path: string): string => `It has the ID of ${path}, so it became a document of its own.`
const renamedHere = (path: string): string =>
  `Its document was renamed here and is exported as ${path}: bring your changes into that file, and delete this one.`
