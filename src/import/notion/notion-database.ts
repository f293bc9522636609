/** Converts a Notion database to a document with a collection. Combines the rows of its table with their pages. */
import type { PropertyType } from '../../../storage/schema.ts'
import { PROPERTIES_PER_COLLECTION, TITLE_LENGTH } from '../../base/limits.ts'
import { attributeOf, findAll, named } from '../../html/html-tree.ts'
import type { Block } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import type { PropertyInput } from '../../space/collections/schema/schema-input.ts'
import {
  contentMaps,
  type ImportContent,
  type ImportRelation,
  mergeContent,
} from '../../space/import/imported-content.ts'
import type { LinkTargets } from '../import-format.ts'
import { type InferredColumn, inferColumn } from '../tables/infer-types.ts'
import { propertyText } from './notion-html.ts'
import type { NotionDatabase, NotionIndex, NotionPage } from './notion-index.ts'
import { COLLECTION_ANCHOR, type ConvertedPage, itemAnchor, type NotionConversion, rowAnchors } from './notion-page.ts'

/** Maps Notion's property types to ours. Other types become text. */
const TYPES: ReadonlyMap<string, InferredColumn['type']> = new Map(
  Object.entries({
    ...{ number: 'number', select: 'singleSelect', status: 'singleSelect', multi_select: 'multiSelect', date: 'date' },
    ...{ checkbox: 'boolean', url: 'url', email: 'email', phone_number: 'phone', auto_increment_id: 'number' },
    ...{
      created_time: 'date',
      last_edited_time: 'date',
      formula: 'text',
      rollup: 'text',
      text: 'text',
      person: 'text',
    },
  }),
)

/** An item with its property values. */
interface Item {
  page: NotionPage | undefined
  block: Block
  texts: Map<string, string>
  /** Addresses that its values refer to, by property. */
  links: Map<string, string[]>
}

interface Column {
  name: string
  declared: InferredColumn['type'] | undefined
  isRelation: boolean
}

export interface ConvertedDatabase {
  content: ImportContent
  relations: ImportRelation[]
}

export async function convertDatabase(
  database: NotionDatabase,
  index: NotionIndex,
  targets: LinkTargets,
  conversion: NotionConversion,
): Promise<ConvertedDatabase> {
  const reader = new DatabaseReader(database, index, targets, conversion)
  return reader.convert()
}

class DatabaseReader {
  readonly #database: NotionDatabase
  readonly #index: NotionIndex
  readonly #targets: LinkTargets
  readonly #conversion: NotionConversion
  readonly #columns = new Map<string, Column>()
  readonly #items: Item[] = []
  readonly #content = contentMaps()

  constructor(database: NotionDatabase, index: NotionIndex, targets: LinkTargets, conversion: NotionConversion) {
    this.#database = database
    this.#index = index
    this.#targets = targets
    this.#conversion = conversion
  }

  async convert(): Promise<ConvertedDatabase> {
    const { path, title, header, items, pageless } = this.#database
    const [titleName = 'Name', ...names] = header.map((name) => name.trim())
    for (const name of names) this.#column(name)
    for (const page of items) await this.#addItem(page)
    for (const [index, row] of pageless.entries()) {
      const item = this.#itemOf(undefined, row, row[0] ?? '', [])
      const id = this.#targets.idOf(path, rowAnchors(this.#database)[index] ?? '')
      if (id !== undefined) this.#content.ids.set(item.block, id)
      this.#items.push(item)
    }
    const relations = this.#relations()
    const block: Block = {
      type: 'collection',
      text: titleFromPlain(title || 'Database'),
      content: this.#items.map((item) => item.block),
    }
    const id = this.#targets.idOf(path, COLLECTION_ANCHOR)
    if (id !== undefined) this.#content.ids.set(block, id)
    const { properties, values } = this.#values(titleName, relations)
    const named = { titleName: titleName || 'Name', properties, relations: relations.map(({ name }) => name) }
    const collections = new Map([[block, { ...named, values }]])
    return { content: { blocks: [block], ...this.#content, collections }, relations }
  }

  #column(name: string): Column {
    const column = this.#columns.get(name) ?? { name, declared: undefined, isRelation: false }
    if (name !== '') this.#columns.set(name, column)
    return column
  }

  async #addItem(page: NotionPage): Promise<void> {
    const converted = await this.#conversion.convert(page)
    const { content, title } = converted
    const item = this.#itemOf(page, page.row, title, [...content.blocks])
    const id = this.#targets.idOf(this.#database.path, itemAnchor(page))
    if (id !== undefined) this.#content.ids.set(item.block, id)
    mergeContent(this.#content, content)
    this.#readProperties(item, converted)
    this.#items.push(item)
  }

  #itemOf(page: NotionPage | undefined, row: readonly string[] | undefined, title: string, content: Block[]): Item {
    const plain = title.trim().slice(0, TITLE_LENGTH) || 'Untitled'
    const block: Block = { type: 'collectionItem', text: titleFromPlain(plain), ...(content.length > 0 && { content }) }
    const texts = new Map<string, string>()
    const links = new Map<string, string[]>()
    for (const [index, name] of this.#database.header.entries()) {
      const text = row?.[index]?.trim() ?? ''
      if (index === 0 || text === '') continue
      texts.set(name.trim(), text)
      const found = linksIn(text)
      if (found.length > 0) links.set(name.trim(), found)
    }
    return { page, block, texts, links }
  }

  /** Pages in HTML exports contain the type of each property. */
  #readProperties({ texts, links }: Item, { properties }: ConvertedPage): void {
    for (const { name, type, cell } of properties) {
      const column = this.#column(name)
      column.declared ??= TYPES.get(type)
      if (type === 'relation') column.isRelation = true
      texts.set(name, propertyText(cell))
      const found = findAll(cell, named('a')).map((link) => attributeOf(link, 'href'))
      if (found.length > 0) links.set(name, found)
    }
  }

  /** Returns the columns in which every value leads to items of one and the same database. */
  #relations(): ImportRelation[] {
    const collection = this.#targets.idOf(this.#database.path, COLLECTION_ANCHOR)
    const relations: ImportRelation[] = []
    for (const { name, isRelation } of this.#columns.values()) {
      const values = new Map<number, number[]>()
      const targets = new Set<NotionDatabase>()
      let fits = collection !== undefined
      for (const { page, texts, links } of this.#items) {
        if ((texts.get(name) ?? '') === '') continue
        const found = links.get(name) ?? []
        const ids = found.flatMap((href) => this.#itemId(href, page, targets) ?? [])
        const own = page === undefined ? undefined : this.#targets.idOf(this.#database.path, itemAnchor(page))
        if (own === undefined || ids.length === 0 || ids.length < found.length) fits = false
        else values.set(own, ids)
      }
      const [target, ...more] = targets
      if (!fits || target === undefined || more.length > 0 || values.size === 0) {
        if (isRelation && values.size > 0)
          this.#report(`The relation ${name} is kept as text: it leads to what is no item.`)
        continue
      }
      const targetId = this.#targets.idOf(target.path, COLLECTION_ANCHOR)
      if (collection !== undefined && targetId !== undefined)
        relations.push({ collection, name, target: targetId, values })
    }
    return relations
  }

  #itemId(href: string, page: NotionPage | undefined, targets: Set<NotionDatabase>): number | undefined {
    const target =
      this.#index.find(href, page?.file.path ?? `${this.#database.path}.csv`) ??
      this.#index.find(href, `${this.#database.path}.csv`)
    const found = target !== undefined && 'page' in target ? target.page : undefined
    if (found?.database === undefined) return undefined
    targets.add(found.database)
    return this.#targets.idOf(found.database.path, itemAnchor(found))
  }

  #values(titleName: string, relations: readonly ImportRelation[]) {
    const related = new Set(relations.map(({ name }) => name))
    const columns = [...this.#columns.values()].filter(({ name }) => name !== titleName && !related.has(name))
    const room = Math.max(0, PROPERTIES_PER_COLLECTION - relations.length * 2)
    const [kept, left] = [columns.slice(0, room), columns.slice(room)]
    for (const { name } of left)
      this.#report(
        `The property ${name} is kept as text in its items: a collection has at most ${PROPERTIES_PER_COLLECTION}.`,
      )
    const inferred = kept.map((column) => ({
      column,
      ...inferColumn(
        this.#items.map(({ texts }) => texts.get(column.name) ?? ''),
        column.declared,
      ),
    }))
    const properties = inferred.map(
      ({ column, type }): PropertyInput => ({ name: column.name, type: type as PropertyType }),
    )
    const values = new Map<Block, Record<string, unknown>>()
    for (const { block, texts } of this.#items) {
      const given: Record<string, unknown> = Object.create(null)
      for (const { column, toValue } of inferred) {
        const value = toValue(texts.get(column.name) ?? '')
        if (value !== undefined) given[column.name] = value
      }
      values.set(block, given)
      const lines = left.flatMap(({ name }) => (texts.has(name) ? [`${name}: ${texts.get(name)}`] : []))
      if (lines.length > 0) block.content = [...lines.map(textBlock), ...(block.content ?? [])]
    }
    return { properties, values }
  }

  #report(message: string): void {
    this.#conversion.problems.push({ path: `${this.#database.path}.csv`, kind: 'changed', message })
  }
}

const textBlock = (text: string): Block => ({ type: 'text', text: titleFromPlain(text) })

/** Finds relations in the tables of Markdown exports: `Title (Database/Title%20id.md), …` */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\(([^()\s]+\.(?:md|html))\)|(https:\/\/www\.notion\.so\/[^\s,]*[0-9a-f]{32})/g)].map(
    ([, path, web]) => path ?? web ?? '',
  )
