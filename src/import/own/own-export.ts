/**
 * A source that is our own export, of the same space: what was edited, renamed, moved and deleted in it since, and which
 * of its documents changed here.
 */
import type { DocumentRecord } from '../../../storage/documents.ts'
import { plainTitle, titleFromPlain } from '../../markdown/inline-title.ts'
import { readOwnAnchors, readOwnDocuments } from '../../space/import/own-documents.ts'
import type { OwnPlace } from '../../space/import/update-own-document.ts'
import type { Space } from '../../space/model/space.ts'
import type { PlannedDocument } from '../import-format.ts'
import { extensionOf, type ImportProblem, type ImportSource, stem } from '../import-source.ts'
import { headingKey } from '../markdown/note-links.ts'
import { compareFiles } from './compare-files.ts'
import type { DocumentState, FileState, FoundFile, KnownFile, Manifest } from './export-manifest.ts'
import { type KindOfId, matchOwn } from './match-own.ts'

/** A document of the export whose note is in the source. */
export interface OwnDocument {
  id: number
  /** The present path of its note. */
  path: string
  /** As it was exported; undefined if this export does not contain it. */
  state: DocumentState | undefined
  /** As it is here; undefined if it was deleted for good. */
  document: DocumentRecord | undefined
  /** True if its note, or a file that is part of it, is not as it was exported. */
  isEdited: boolean
  /** Its other files that are missing, without items of collections. */
  missing: readonly string[]
  /** Bases of its collections that are there, but not as a part of its note. */
  unread: readonly string[]
  /** The present states of its files by path. */
  files: ReadonlyMap<string, FileState>
  /** Its other files, with the IDs of what they contain. */
  parts: Readonly<Record<string, number | null>>
}

export class OwnExport {
  readonly documents = new Map<string, OwnDocument>()
  /** Documents of the export whose notes are gone, by the path that they had. */
  readonly gone = new Map<string, { state: DocumentState; document: DocumentRecord }>()
  readonly skipped: ReadonlySet<string>
  readonly problems: ImportProblem[]
  readonly #manifest: Manifest

  private constructor(manifest: Manifest, skipped: ReadonlySet<string>, problems: ImportProblem[]) {
    this.#manifest = manifest
    this.skipped = skipped
    this.problems = problems
  }

  /** @param planned  all documents of the source @param view  runs work in a snapshot of the space */
  static async open(
    manifest: Manifest,
    source: ImportSource,
    planned: readonly PlannedDocument[],
    view: <T>(work: (space: Space) => Promise<T>) => Promise<T>,
  ): Promise<OwnExport> {
    const ids = new Set(planned.flatMap(({ own }) => own?.id ?? []))
    for (const id of manifest.documents.keys()) ids.add(Number(id))
    const present = await view((space) => readOwnDocuments(space, [...ids]))
    const kindOf: KindOfId = (id) =>
      present.documents.has(id) ? 'document' : present.blocks.has(id) ? 'block' : 'nothing'
    const { claims, skipped, problems } = matchOwn(manifest, planned, kindOf)
    const own = new OwnExport(manifest, skipped, problems)
    const compare = source.compare ?? ((files: readonly KnownFile[]) => compareFiles(source, files))
    const found = new Map((await compare(own.#filesOf(planned, claims))).map((file) => [file.path, file]))
    for (const one of planned) {
      const id = claims.get(one.path)
      if (id !== undefined) own.#add(one, id, present.documents.get(id), found)
    }
    own.#addGone(new Set(claims.values()), present.documents)
    return own
  }

  #stateOf(id: number): DocumentState | undefined {
    return this.#manifest.documents.get(String(id))
  }

  #filesOf(planned: readonly PlannedDocument[], claims: ReadonlyMap<string, number>): KnownFile[] {
    const files = new Map<string, KnownFile>()
    const add = (path: string, from = path) =>
      void files.set(path, { path, states: this.#manifest.files.get(from) ?? [] })
    for (const { path, own } of planned) {
      const id = claims.get(path)
      const state = id === undefined ? undefined : this.#stateOf(id)
      // New documents get an entry in the manifest, too.
      add(path, state?.path ?? path)
      if (id === undefined) continue
      for (const part of [...Object.keys(state?.parts ?? {}), ...(own?.parts ?? []).map((one) => one.path)]) add(part)
    }
    return [...files.values()]
  }

  #add(
    { path, own }: PlannedDocument,
    id: number,
    document: DocumentRecord | undefined,
    found: ReadonlyMap<string, FoundFile>,
  ): void {
    const state = this.#stateOf(id)
    const known = state?.parts ?? {}
    const isMade = (part: string) => known[part] === null
    const parts = new Map(Object.entries(known).filter(([part]) => found.get(part)?.state != null))
    for (const { path: part, id: of } of own?.parts ?? []) if (!isMade(part)) parts.set(part, of ?? known[part] ?? null)
    const changed = [path, ...new Set([...Object.keys(known), ...parts.keys()])].filter(
      (one) => found.get(one)?.isSame !== true,
    )
    for (const part of changed.filter((one) => isMade(one) && found.get(one)?.state != null)) {
      this.problems.push({ path: part, kind: 'left out', message: MADE_FILE })
    }
    const isRead = new Set((own?.parts ?? []).map((part) => part.path))
    const unread = Object.keys(known).filter(
      (part) => extensionOf(part) === 'base' && found.get(part)?.state != null && !isRead.has(part),
    )
    const files = new Map<string, FileState>()
    for (const one of [path, ...parts.keys()]) {
      const now = found.get(one)
      // What is made from the others is written again by the next export.
      if (now?.state != null && (now.isSame || !isMade(one))) files.set(one, now.state)
    }
    const isEdited = state === undefined || changed.some((one) => !isMade(one))
    // A document that is no more, and was not edited either, needs nothing.
    if (document === undefined && isEdited) {
      this.problems.push({ path, kind: 'changed', message: DELETED_FOR_GOOD })
      return
    }
    const missing = changed.filter((one) => found.get(one)?.state == null && extensionOf(one) !== 'md' && !isMade(one))
    this.documents.set(path, {
      id,
      path,
      state,
      document,
      isEdited,
      missing,
      unread,
      files,
      parts: Object.fromEntries(parts),
    })
  }

  #addGone(claimed: ReadonlySet<number>, documents: ReadonlyMap<number, DocumentRecord>): void {
    for (const [id, state] of this.#manifest.documents) {
      const document = documents.get(Number(id))
      if (document === undefined || document.location === 'trash' || claimed.has(Number(id))) continue
      this.gone.set(state.path, { state, document })
    }
  }

  /**
   * The IDs of the anchors of a document that are in it already, so that its blocks keep them.
   *
   * @param anchors  as the plan names them
   */
  anchorsOf(space: Space, { id, parts }: OwnDocument, anchors: readonly string[]): Promise<Map<string, number>> {
    return readOwnAnchors(space, id, anchors, new Map(Object.entries(parts)), headingKey)
  }

  /**
   * The new title of a document whose note was renamed, or has another title in its front matter.
   *
   * @param written  the title of the note
   */
  titleOf({ path, state, document }: OwnDocument, written: string | undefined): string | undefined {
    if (document === undefined || document.location === 'daily_notes') return undefined
    const isRenamed = state !== undefined && stem(state.path) !== stem(path)
    const isInFrontMatter = written !== undefined && written !== stem(path)
    if (isInFrontMatter && written !== plainTitle(document.title)) return titleFromPlain(written)
    return isRenamed && stem(path) !== plainTitle(document.title) ? titleFromPlain(stem(path)) : undefined
  }

  /** Where a document belongs whose note was moved to another folder; undefined if it was not. */
  placeOf({ path, state }: OwnDocument): OwnPlace | undefined {
    if (state === undefined || folderOf(state.path) === folderOf(path)) return undefined
    const parts = folderOf(path)
      .split('/')
      .filter((name) => name !== '')
    if (parts[0] === TEMPLATES) return { location: 'templates' }
    // The folder that most closely contains it and that other documents were exported to.
    for (let count = parts.length; count > 0; count--) {
      const folder = this.#folders.get(parts.slice(0, count).join('/'))
      if (folder !== undefined) return { folder, names: parts.slice(count) }
    }
    return { folder: null, names: parts }
  }

  get #folders(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#manifest.documents.values()].flatMap(({ path, folder }) =>
        folder === null ? [] : [[folderOf(path), folder] as const],
      ),
    )
  }
}

/** The folder of templates in an export. */
const TEMPLATES = 'Templates'
const MADE_FILE = 'It is made by exports from notes and drawings, so a change in it is not imported: change these.'
const DELETED_FOR_GOOD = 'Its document was deleted here for good, so it became a new one.'

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
