/** The targets of links in an import: the IDs that its record has for them. */
import type { ImportRecord, PlannedEntry } from '../space/import/import-record.ts'
import type { AccessLink } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { LinkTargets } from './import-format.ts'

/** How many IDs are reserved at a time for blocks that only their own document links to. */
const SPARE_IDS = 1_000

/** Resolves the targets of links from the record of the import. */
export class RecordedLinkTargets implements LinkTargets {
  readonly #record: ImportRecord
  #spare: number[] = []

  constructor(record: ImportRecord) {
    this.#record = record
  }

  idOf(path: string, anchor?: string): number | undefined {
    const entry = this.#record.entries.get(path)
    return anchor === undefined ? entry?.id : entry?.anchors.get(anchor)
  }

  newId(): number {
    const id = this.#spare.pop()
    if (id === undefined) throw new Error('Expected an ID for a block that is linked to.')
    return id
  }

  /** Reserves more IDs if only few are left. */
  async fill(space: OpenSpace, link: AccessLink): Promise<void> {
    if (this.#spare.length > SPARE_IDS / 2) return
    this.#spare.push(...(await space.read(link, (view) => view.newIds(SPARE_IDS))))
  }

  /** Uses consecutive numbers in place of IDs, for a dry run. */
  draftIds(planned: readonly PlannedEntry[]): void {
    let id = 0
    for (const { path, anchors } of planned) {
      const known = this.#record.entries.get(path)
      const entry = known ?? { id: ++id, anchors: new Map<string, number>(), hash: null, revision: null }
      this.#record.entries.set(path, entry)
      for (const anchor of anchors) if (!entry.anchors.has(anchor)) entry.anchors.set(anchor, ++id)
    }
    this.newId = () => ++id
  }
}
