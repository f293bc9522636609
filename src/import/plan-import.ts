/**
 * Plans an import: reads the source, and finds out what of it was imported before. That depends on its content, not on
 * where it is: a source that has another path or name goes on where it was, and so does a file in it.
 */
import { invalid } from '../base/errors.ts'
import { type ImportedEntry, type ImportRecord, readImportRecord } from '../space/import/import-record.ts'
import { findKnownSource, type KnownSource, renameEntries, type StoredRenames } from '../space/import/known-source.ts'
import type { AccessLink, Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { ImportPlan, PastPaths, PlannedDocument } from './import-format.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportProblem, ImportSource, SourceFile } from './import-source.ts'
import { matchRenames } from './match-renames.ts'
import { MANIFEST } from './own/export-manifest.ts'
import { OwnExport } from './own/own-export.ts'
import { readSourceManifest } from './own/source-manifest.ts'
import { contentOf, SourceContents } from './source-contents.ts'

export interface PreparedImport {
  documents: readonly PlannedDocument[]
  /** What was imported from the source before, by present paths. */
  record: ImportRecord
  /** The earlier paths of files that were renamed since, by present paths. */
  formerPaths: ReadonlyMap<string, string>
  /** What the record must be changed to, before anything is written. */
  renames: StoredRenames
  /** Documents whose files are gone, by path. */
  gone: ReadonlyMap<string, ImportedEntry>
  /** Set if the source was imported before under another name. */
  known?: KnownSource
  /** Set if it is an export of this space. */
  own?: OwnExport
  problems: readonly ImportProblem[]
  close(): Promise<void>
}

/**
 * How much of the contents of a source must be known from one earlier source, so that it is that one under another
 * path. A name that was sent over HTTP says more than a path, so that all of it must be known then.
 */
const LEAST_KNOWN = 0.75
const LEAST_KNOWN_OF_NAME = 1

export function prepareImport(
  space: OpenSpace,
  link: AccessLink,
  given: ImportSource,
  options: ImportOptions,
): Promise<PreparedImport> {
  const contents = new SourceContents()
  const source = { ...given, files: given.files.map((file) => contents.watch(file)) }
  return new ImportPlanner(space, link, source, contents, options).prepare()
}

class ImportPlanner {
  readonly #space: OpenSpace
  readonly #link: AccessLink
  readonly #source: ImportSource
  readonly #contents: SourceContents
  readonly #options: ImportOptions
  #plan: ImportPlan = { documents: [], problems: [] }

  constructor(
    space: OpenSpace,
    link: AccessLink,
    source: ImportSource,
    contents: SourceContents,
    options: ImportOptions,
  ) {
    this.#space = space
    this.#link = link
    this.#source = source
    this.#contents = contents
    this.#options = options
  }

  #read<T>(work: (view: Space) => Promise<T>): Promise<T> {
    return this.#space.read(this.#link, work)
  }

  async prepare(): Promise<PreparedImport> {
    const { name } = this.#source
    const manifest = this.#source.manifest ?? (await readSourceManifest(this.#source))
    const isOwn = manifest?.space === this.#space.info.id && FORMATS_OF_EXPORTS.has(this.#options.format.name)
    if (isOwn && !manifest.hasDocuments) throw earlierExport()
    const recorded = await this.#read((view) => readImportRecord(view, name))
    const files = new Set(isOwn ? manifest.files.keys() : [])
    const past: PastPaths = { renamed: formerPathsOf(recorded), gone: new Map(), known: files }
    await this.#makePlan(past)
    try {
      const own = isOwn
        ? await OwnExport.open(manifest, this.#source, this.#plan.documents, (work) => this.#read(work))
        : undefined
      const known = own === undefined && recorded.source === 0 ? await this.#findKnown() : undefined
      const record = known?.record ?? recorded
      const formerPaths = this.#findRenames(record, own)
      const renames = renameEntries(record, formerPaths, this.#plan.documents)
      const gone = this.#findGone(record, own)
      const renamed = formerPathsOf(record)
      if (formerPaths.size + gone.size > 0 || renamed.size !== past.renamed.size) {
        const anchors = new Map([...gone].map(([path, entry]) => [path, [...entry.anchors.keys()]]))
        await this.#makePlan({ renamed, gone: anchors, known: files })
      }
      const isOther = manifest !== undefined && !isOwn
      const problems = [...this.#plan.problems, ...(own?.problems ?? []), ...(isOther ? [OTHER_SPACE] : [])]
      return {
        ...{ record, renames, gone, problems, close: () => this.#close() },
        documents: this.#plan.documents.filter(({ path }) => own?.skipped.has(path) !== true),
        formerPaths: new Map([...formerPaths].map(([from, to]) => [to, from])),
        ...(known !== undefined && { known }),
        ...(own !== undefined && { own }),
      }
    } catch (error) {
      await this.#close()
      throw error
    }
  }

  async #makePlan(past: PastPaths): Promise<void> {
    const { format, collections = false } = this.#options
    await this.#close()
    const plan = await format.plan(this.#source, { collections, past })
    // Formats return the documents themselves, with methods that others would not have.
    for (const document of plan.documents) document.content = await contentOf(document, this.#contents)
    const isNothing = plan.documents.length === 0 && plan.problems.length === 0
    this.#plan = isNothing ? { ...plan, problems: this.#source.files.map(notRead(format.name)) } : plan
  }

  async #close(): Promise<void> {
    const { documents, problems, close } = this.#plan
    this.#plan = { documents, problems }
    await close?.()
  }

  async #findKnown(): Promise<KnownSource | undefined> {
    const { name, nameIsGiven = false } = this.#source
    if (nameIsGiven) return undefined
    const least = name.startsWith('upload:') ? LEAST_KNOWN_OF_NAME : LEAST_KNOWN
    return this.#read((view) => findKnownSource(view, this.#plan.documents, least, this.#options.into))
  }

  /** The new paths of renamed files by their earlier ones. */
  #findRenames({ entries }: ImportRecord, own: OwnExport | undefined): Map<string, string> {
    const planned = new Set(this.#plan.documents.map(({ path }) => path))
    const gone = [...entries].flatMap(([path, { content, document }]) =>
      planned.has(path) || content === undefined || document === undefined ? [] : [{ path, content }],
    )
    if (gone.length === 0) return new Map()
    const added = this.#plan.documents.flatMap(({ path, content }) =>
      entries.has(path) || content === undefined || own?.documents.has(path) ? [] : [{ path, content }],
    )
    return matchRenames(gone, added)
  }

  #findGone({ entries }: ImportRecord, own: OwnExport | undefined): Map<string, ImportedEntry> {
    const planned = new Set(this.#plan.documents.map(({ path }) => path))
    const failed = new Set(this.#plan.problems.map(({ path }) => path))
    const claimed = new Set([...(own?.documents.values() ?? [])].map(({ document }) => document?.n))
    const gone = new Map<string, ImportedEntry>()
    for (const [path, entry] of entries) {
      const { document } = entry
      if (document === undefined || document.location === 'trash' || claimed.has(document.n)) continue
      if (!planned.has(path) && !failed.has(path) && !isGathered(path)) gone.set(path, entry)
    }
    for (const [path, { document, state }] of own?.gone ?? []) {
      const entry = { id: document.id, anchors: new Map(), hash: '', revision: state.revision, document }
      // Another note may be at its path now.
      if (!planned.has(path)) entries.set(path, entry)
      gone.set(path, entry)
    }
    return gone
  }
}

/** Says of each file that a format, which somebody may have named, found nothing to read. */
const notRead =
  (format: string) =>
  ({ path }: SourceFile): ImportProblem => ({
    path,
    kind: 'left out',
    message: `It holds nothing to read as ${format}.`,
  })

/** Documents that are made of the files or notes of a folder. */
const isGathered = (path: string): boolean => /(?:^|\/)\*(?:collection)?$/.test(path)

const FORMATS_OF_EXPORTS: ReadonlySet<string> = new Set(['markdown', 'obsidian'])

/** The present path of a file by each path that it had before. */
const formerPathsOf = ({ entries }: ImportRecord): Map<string, string> =>
  new Map([...entries].flatMap(([path, { former = [] }]) => former.map((one) => [one, path] as const)))

const OTHER_SPACE: ImportProblem = {
  path: MANIFEST,
  kind: 'changed',
  message: 'It is an export of another space, so its documents get IDs of their own here.',
}

const earlierExport = () =>
  invalid(
    'Expected an export of this version of the program, found one of an earlier version, which does not say what its files were made from; export to this folder again, then import it. Files that were changed are left alone by that.',
  )
