/** What all documents of an import share. */
import { messageOf, type ScriptoriumError } from '../base/errors.ts'
import { FILE_BYTES } from '../base/limits.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { FileWriter } from './file-writer.ts'
import { isQuotaExceeded, isRefusal } from './import-conflicts.ts'
import type { ConvertedDocument, PlannedDocument } from './import-format.ts'
import type { ImportOptions } from './import-options.ts'
import { noCounts } from './import-report.ts'
import type { ImportProblem } from './import-source.ts'
import type { RecordedLinkTargets } from './recorded-targets.ts'
import { UnfinishedDocuments } from './unfinished-documents.ts'

export class ImportWork {
  readonly space: OpenSpace
  readonly options: ImportOptions
  readonly link: AccessLink
  readonly files: FileWriter
  readonly unfinished: UnfinishedDocuments
  readonly counts = noCounts()
  readonly problems: ImportProblem[]
  /** The error that ended the import, because no document that follows can be written either. */
  stopped: ScriptoriumError | undefined
  #targets: RecordedLinkTargets | undefined

  constructor(space: OpenSpace, options: ImportOptions, problems: readonly ImportProblem[]) {
    this.space = space
    this.options = options
    this.link = options.link ?? OPERATOR_LINK
    this.files = new FileWriter(space.files, options.fileLimit ?? FILE_BYTES)
    this.problems = [...problems]
    this.unfinished = new UnfinishedDocuments(
      space,
      this.link,
      (path, error) => this.fail(path, error),
      (path, message) => this.problems.push({ path, kind: 'changed', message }),
    )
  }

  get targets(): RecordedLinkTargets {
    if (this.#targets === undefined) throw new Error('Expected the targets of links.')
    return this.#targets
  }

  set targets(targets: RecordedLinkTargets) {
    this.#targets = targets
  }

  /** Converts a document. An error in one does not stop the import of the others, but is reported. */
  async convert(planned: PlannedDocument): Promise<ConvertedDocument | undefined> {
    if (!this.options.isDryRun) await this.targets.fill(this.space, this.link)
    try {
      return await planned.convert(this.targets)
    } catch (error) {
      this.fail(planned.path, error)
      return undefined
    }
  }

  /** Counts a document that is imported. */
  count(document: ConvertedDocument): void {
    this.problems.push(...document.problems)
    this.counts.links += document.links
    this.counts.files += new Set(document.files.values()).size
    this.counts.blocks += this.blocksOf(document)
  }

  blocksOf({ blocks }: ConvertedDocument): number {
    let count = 1
    const waiting = [...blocks]
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
      count++
      for (const inner of block.content ?? []) waiting.push(inner)
    }
    return count
  }

  fail(path: string, error: unknown): void {
    this.counts.failed++
    this.problems.push({ path, kind: 'failed', message: messageOf(error) })
  }

  /** Reports that the space refused a document. @throws errors that no other document would be spared */
  refuse(path: string, error: unknown): void {
    if (isQuotaExceeded(error)) this.stopped ??= error
    else if (!isRefusal(error)) throw error
    this.fail(path, error)
  }
}
