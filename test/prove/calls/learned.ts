/** Collects from responses what calls can refer to, for callers that have no model and share the space with others. */
import type { BatchArgs } from '../model/batches.ts'
import type { Call } from '../model/model.ts'
import { type CollectionPool, emptyPools, type Pools, type PropertyPool } from './pools.ts'

/** How many IDs of a kind are kept: only the latest, so that callers often use the same ones. */
const REMEMBERED = 40

interface BlockAnswer {
  id: string
  type?: string
  listStyle?: string
  commentId?: string
  content?: BlockAnswer[]
}

/** The IDs that a step of a batch created, and the rest of its response. */
interface StepAnswer {
  ids?: string[]
  answer?: Partial<Answer>
}

interface Answer {
  items?: (BlockAnswer | string)[]
  id?: string
  blockId?: string
  documentId?: string
  collectionBlockId?: string
  whiteboardBlockId?: string
  schema?: { properties: PropertyPool[] }
}

interface CallArguments {
  blocks?: { type?: string }[]
}

interface Named {
  collectionId?: string
  viewId?: string
  whiteboardBlockId?: string
  elements?: { id: string }[]
}

export class Learned {
  readonly pools: Pools = emptyPools()

  /** Learns from a successful call. */
  learn({ tool, args }: Call, answer: Answer): void {
    if (tool === 'batch') {
      this.#learnBatch(args as BatchArgs, answer.items as unknown as StepAnswer[])
      return
    }
    const { pools } = this
    const items = (answer.items ?? []).map((item) => (typeof item === 'string' ? { id: item } : item)) as BlockAnswer[]
    const named = args as Named
    const landed = [answer, ...items].flatMap((one) => (one as Answer).documentId ?? [])
    for (const id of landed) for (const list of [pools.documents, pools.holders, pools.pages]) remember(list, id)
    const collection = pools.collections.find(({ id }) => id === (named.collectionId ?? answer.collectionBlockId))
    if (collection !== undefined) learnOf(collection, tool, named, answer, items)
    if (tool.endsWith('_delete')) this.#forget(items)
    switch (tool) {
      case 'documents_add':
        for (const { id } of items) for (const list of [pools.documents, pools.holders, pools.pages]) remember(list, id)
        break
      case 'folders_add':
        for (const { id } of items) remember(pools.folders, id)
        break
      case 'blocks_add':
        for (const item of items) this.#block(item)
        break
      case 'tasks_add':
        for (const { id } of items) this.#block({ id, type: 'text', listStyle: 'task' })
        break
      case 'reminders_add':
        for (const { id } of items) remember(pools.reminders, id)
        break
      case 'comments_add':
        for (const { commentId } of items) remember(pools.comments, commentId ?? '')
        break
      case 'items_add':
        for (const { id } of items) this.#block({ id, type: 'collectionItem' })
        break
      case 'collections_add':
        this.#block({ id: answer.collectionBlockId ?? '', type: 'collection' })
        rememberOne(pools.collections, {
          ...{ id: answer.collectionBlockId ?? '', properties: answer.schema?.properties ?? [], items: [], views: [] },
        })
        break
      case 'whiteboards_add':
        this.#block({ id: answer.whiteboardBlockId ?? '', type: 'whiteboard' })
        break
      case 'files_add':
        this.#block({ id: answer.blockId ?? '' })
        break
      case 'elements_add': {
        const board = pools.boards.find(({ id }) => id === named.whiteboardBlockId)
        for (const { id } of named.elements ?? []) remember(board?.elements ?? [], id)
      }
    }
  }

  /** Learns from each step as if it were a call of its own. The arguments tell what each of its IDs is. */
  #learnBatch({ steps }: BatchArgs, items: readonly StepAnswer[]): void {
    const made = new Map<string, string>()
    for (const [index, { tool, args, as }] of steps.entries()) {
      const { ids = [], answer } = items[index] ?? {}
      const given = JSON.parse(JSON.stringify(args), (_, value) => made.get(value) ?? value) as CallArguments
      const [id = ''] = ids
      const types = given.blocks?.map(({ type }) => type) ?? []
      const things = ids.map((id, place) => ({ id, commentId: id, ...(types[place] && { type: types[place] }) }))
      const names = { id, blockId: id, collectionBlockId: id, whiteboardBlockId: id }
      this.learn({ tool, args: given }, { ...names, ...answer, items: things })
      for (const [place, id] of ids.entries()) made.set(place === 0 ? `$${as}` : `$${as}.${place}`, id)
    }
  }

  #block({ id, type, listStyle, content = [] }: BlockAnswer): void {
    const { pools } = this
    remember(pools.blocks, id)
    if (listStyle === 'task') remember(pools.tasks, id)
    if (type === 'text') remember(pools.texts, id)
    if (type === 'page') remember(pools.pages, id)
    if (type === 'code') remember(pools.codes, id)
    if (type === 'text' || type === 'page' || type === 'collectionItem') remember(pools.holders, id)
    if (type === 'whiteboard') rememberOne(pools.boards, { id, elements: [] })
    for (const inner of content) this.#block(inner)
  }

  #forget(items: readonly { id: string }[]): void {
    const { pools } = this
    const gone = new Set(items.map(({ id }) => id))
    const lists = [pools.folders, pools.holders, pools.texts, pools.pages, pools.codes, pools.blocks, pools.tasks]
    for (const list of [...lists, pools.reminders]) list.splice(0, list.length, ...list.filter((id) => !gone.has(id)))
    pools.collections = pools.collections.filter(({ id }) => !gone.has(id))
    pools.boards = pools.boards.filter(({ id }) => !gone.has(id))
    for (const id of gone) remember(pools.gone, id)
  }
}

function learnOf(
  collection: CollectionPool,
  tool: string,
  { viewId }: Named,
  { schema, id = '' }: Answer,
  items: readonly BlockAnswer[],
): void {
  if (tool === 'schema_update') collection.properties = schema?.properties ?? []
  if (tool === 'items_add') for (const item of items) remember(collection.items, item.id)
  if (tool === 'items_delete') collection.items = collection.items.filter((one) => !items.some(({ id }) => id === one))
  if (tool === 'views_add') remember(collection.views, id)
  if (tool === 'views_delete') collection.views = collection.views.filter((one) => one !== viewId)
}

function remember(list: string[], id: string): void {
  if (!list.includes(id)) rememberOne(list, id)
}

function rememberOne<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > REMEMBERED) list.shift()
}
