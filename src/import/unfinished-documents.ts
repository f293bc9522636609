/** What is written after all documents: relations, since they connect documents, then views, which refer to relations. */
import type { ImportRelation, ImportViews } from '../space/import/imported-content.ts'
import { arrangeProperties, writeRelation } from '../space/import/write-collections.ts'
import { noteComplete, type Origin } from '../space/import/write-document.ts'
import { writeViews } from '../space/import/write-views.ts'
import type { AccessLink, Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { isRefusal } from './import-conflicts.ts'
import type { ConvertedDocument } from './import-format.ts'
import { pairRelations } from './pair-relations.ts'

interface UnfinishedDocument {
  origin: Origin
  relations: readonly ImportRelation[]
  /** By the ID of the collection. */
  views: ReadonlyMap<number, ImportViews>
}

/** True for a document with relations or views. */
export const hasMore = (document: ConvertedDocument): boolean =>
  (document.relations ?? []).length + viewsIn(document).size > 0

export class UnfinishedDocuments {
  readonly #space: OpenSpace
  readonly #link: AccessLink
  readonly #fail: (path: string, error: unknown) => void
  readonly #change: (path: string, message: string) => void
  readonly #documents: UnfinishedDocument[] = []

  /**
   * @param fail  reports why something of the document at a path could not be written
   * @param change  reports what is otherwise than in the source
   */
  constructor(
    space: OpenSpace,
    link: AccessLink,
    fail: (path: string, error: unknown) => void,
    change: (path: string, message: string) => void,
  ) {
    this.#space = space
    this.#link = link
    this.#fail = fail
    this.#change = change
  }

  add(document: ConvertedDocument, origin: Origin): void {
    this.#documents.push({ relations: document.relations ?? [], views: viewsIn(document), origin })
  }

  async write(): Promise<void> {
    const relations = this.#documents.flatMap((document) => document.relations)
    for (const relation of pairRelations(relations)) {
      let left: readonly string[] = []
      await this.#writeToCollection(relation.collection, async (view) => {
        left = await writeRelation(view, relation)
      })
      for (const message of left) this.#change(this.#pathOf(relation.collection), message)
    }
    const orders = new Map(relations.flatMap(({ collection, order }) => (order ? [[collection, order]] : [])))
    for (const [collection, order] of orders) {
      await this.#writeToCollection(collection, (view) => arrangeProperties(view, collection, order))
    }
    for (const { views } of this.#documents) {
      for (const [collection, given] of views) {
        await this.#writeToCollection(collection, (view) => writeViews(view, collection, given))
      }
    }
    for (const { origin } of this.#documents) {
      await this.#space.write(this.#link, (view) => noteComplete(view, origin), { isBulk: true })
    }
  }

  async #writeToCollection(collection: number, work: (view: Space) => Promise<void>): Promise<void> {
    try {
      await this.#space.write(this.#link, work, { isBulk: true })
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.#fail(this.#pathOf(collection), error)
    }
  }

  #pathOf(collection: number): string {
    const of = this.#documents.find(
      ({ relations, views }) => views.has(collection) || relations.some((one) => one.collection === collection),
    )
    return of?.origin.path ?? ''
  }
}

function viewsIn({ collections, ids }: ConvertedDocument): Map<number, ImportViews> {
  const found = new Map<number, ImportViews>()
  for (const [block, { views }] of collections) {
    const id = ids.get(block)
    if (views !== undefined && id !== undefined) found.set(id, views)
  }
  return found
}
