/** Converts a collection whose items are notes: their content, and property values from their front matter. */
import type { PropertyType } from '../../../storage/schema.ts'
import { isObject } from '../../base/is-object.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { isRating, ratingMax } from '../../base/ratings.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import type { FrontMatter } from '../../markdown/front-matter.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { KEY_PATTERN } from '../../space/collections/schema/plan-schema.ts'
import type { PropertyInput } from '../../space/collections/schema/schema-input.ts'
import {
  type ContentMaps,
  type ImportContent,
  type ImportRelation,
  type ImportView,
  type ImportViews,
  mergeContent,
} from '../../space/import/imported-content.ts'
import type { LinkTargets } from '../import-format.ts'
import type { ImportProblem } from '../import-source.ts'
import { type InferredColumn, inferColumn } from '../tables/infer-types.ts'
import { keysOfRelations, propertyKey, type WrittenCollection, type WrittenProperty } from './base-collection.ts'
import { anchorOf, type NoteIndex } from './note-index.ts'
import { parseWikiLink, WIKI_LINK } from './note-links.ts'
import { collectionId, idIn, type SourceEntry } from './source-entries.ts'
import { withBlocks } from './written-views.ts'

export interface CollectionContext {
  targets: LinkTargets
  index: NoteIndex<SourceEntry>
  convertItem(entry: SourceEntry): Promise<ConvertedItem>
}

export interface ConvertedItem {
  content: ImportContent
  front: FrontMatter
  relations: readonly ImportRelation[]
  problems: readonly ImportProblem[]
  links: number
  /** The text of the file: see `packSource`. */
  packed?: string
}

/** The data of a collection that is not part of its content. The content is added to that of the note. */
export interface ConvertedCollection {
  relations: ImportRelation[]
  problems: ImportProblem[]
  links: number
}

export async function convertCollection(
  block: Block,
  entry: SourceEntry,
  maps: ContentMaps,
  context: CollectionContext,
): Promise<ConvertedCollection> {
  const converter = new CollectionConverter(entry, context)
  await converter.convert(block, maps)
  return converter
}

/** How many items are read at the same time. */
const ITEMS_AT_ONCE = 12

class CollectionConverter implements ConvertedCollection {
  readonly relations: ImportRelation[] = []
  readonly problems: ImportProblem[] = []
  links = 0
  readonly #entry: SourceEntry
  readonly #context: CollectionContext
  readonly #items: { entry: SourceEntry; block: Block; values: Record<string, unknown> }[] = []

  constructor(entry: SourceEntry, context: CollectionContext) {
    this.#entry = entry
    this.#context = context
  }

  async convert(block: Block, maps: ContentMaps): Promise<void> {
    const { schema, items = [] } = this.#entry.collection ?? {}
    for await (const part of chunks(items, ITEMS_AT_ONCE)) {
      const converted = await Promise.all(part.map((item) => this.#context.convertItem(item)))
      for (const [index, item] of part.entries()) this.#addItem(item, converted[index] as ConvertedItem, maps)
    }
    const written = schema ?? this.#inferred()
    Object.assign(block, { type: 'collection', text: titleFromPlain(written.name || 'Collection') })
    if (this.#items.length > 0) block.content = this.#items.map((item) => item.block)
    const id = collectionId(this.#context.targets, this.#entry)
    if (id !== undefined) maps.ids.set(block, id)
    this.#addRelations(written)
    const { titleName, titleKey, properties } = written
    maps.collections.set(block, {
      ...{ titleName, titleKey },
      properties: properties.filter(({ type }) => type !== 'relation').map(asInput),
      relations: properties.filter(({ type }) => type === 'relation').map(({ name }) => name),
      values: new Map(this.#items.map((item) => [item.block, this.#valuesOf(item, written)])),
      ...(written.views !== undefined && { views: this.#views(written.views, properties) }),
    })
  }

  #views(written: readonly ImportView[], properties: readonly WrittenProperty[]): ImportViews {
    const relations = keysOfRelations(properties)
    const toId = (word: string): string | undefined => {
      const [id] = this.#linked(word, this.#entry)
      return id === undefined ? undefined : String(id)
    }
    return {
      names: new Map(properties.map(({ key, name }) => [key, name])),
      views: written.map((view) => withBlocks(view, relations, toId)),
    }
  }

  #addItem(entry: SourceEntry, converted: ConvertedItem, maps: ContentMaps): void {
    const { content, front, relations, problems, links } = converted
    const title = (entry.note?.title ?? '').slice(0, TITLE_LENGTH)
    const block: Block = { type: 'collectionItem', text: titleFromPlain(title) }
    if (content.blocks.length > 0) block.content = [...content.blocks]
    mergeContent(maps, content)
    const id = idIn(this.#context.targets, entry)
    if (id !== undefined) maps.ids.set(block, id)
    this.relations.push(...relations)
    this.problems.push(...problems)
    this.links += links
    this.#items.push({ entry, block, values: front.values })
  }

  /** Infers the properties of notes written by people. Each gets a type that fits all of its values. */
  #inferred(): WrittenCollection {
    const keys = new Set(this.#items.flatMap(({ values }) => Object.keys(values)))
    const properties = [...keys]
      .filter((key) => key.trim() !== '')
      .map((key): WrittenProperty => {
        const all = this.#items.map(({ values }) => values[key])
        const { type } = inferColumn(all.map(textOf), all.some(Array.isArray) ? 'multiSelect' : undefined)
        return { key, name: key, type }
      })
    return { name: this.#entry.note?.title ?? '', titleName: 'Name', titleKey: '', properties }
  }

  #valuesOf(item: { entry: SourceEntry; values: Record<string, unknown> }, { properties }: WrittenCollection) {
    const given: Record<string, unknown> = Object.create(null)
    const isOurs = this.#entry.collection?.schema !== undefined
    for (const property of properties) {
      const { key, name, type } = property
      const value = item.values[isOurs ? propertyKey(key) : key]
      if (value === undefined || value === null || isRelation(property)) continue
      const read = readerOf(property)?.(value, property)
      if (read !== undefined) given[name] = read
      else this.#report(item.entry, `The property ${name} is left out: ${textOf(value).slice(0, 100)} is no ${type}.`)
    }
    return given
  }

  #addRelations({ properties }: WrittenCollection): void {
    const { targets, index } = this.#context
    const collection = collectionId(targets, this.#entry)
    const order = properties.map(({ name }) => name)
    for (const property of properties) {
      const { key, name, type, config, target = '', otherName, isBackReference } = property
      if (!isRelation(property) || isBackReference || collection === undefined) continue
      const link = { written: '', target: `/${target}`, anchor: '', isEmbed: true, isWiki: false }
      const base = target === '' ? undefined : index.find(link, this.#entry.path)
      const targetId = base?.collection === undefined ? undefined : collectionId(targets, base)
      if (type === 'relation' && targetId === undefined) {
        this.#report(this.#entry, `The relation ${name} is left out: its collection is not in the export.`)
        continue
      }
      const values = new Map<number, number[]>()
      for (const item of this.#items) {
        const own = idIn(targets, item.entry)
        const linked = this.#linked(item.values[propertyKey(key)], item.entry)
        if (own !== undefined && linked.length > 0) values.set(own, linked)
      }
      const side =
        targetId === undefined
          ? {}
          : { target: targetId, ...(otherName !== undefined && { otherName }), ...dependsOnIn(config), order }
      this.relations.push({ collection, name, ...side, values })
    }
  }

  /** Returns the IDs of the notes and blocks that a value refers to by wiki link. */
  #linked(value: unknown, from: SourceEntry): number[] {
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
    return texts.flatMap((text) =>
      [...text.matchAll(WIKI_LINK)].flatMap(([written, bang = '', inner = '']) => {
        const link = parseWikiLink(written, bang, inner)
        const found = this.#context.index.find(link, from.path)
        const id = found && (idIn(this.#context.targets, found, anchorOf(link)) ?? idIn(this.#context.targets, found))
        if (id === undefined) this.#report(from, `A value that names ${link.target} is left out: it is not there.`)
        return id ?? []
      }),
    )
  }

  #report({ path }: SourceEntry, message: string): void {
    this.problems.push({ path, kind: 'changed', message })
  }
}

/** What says which items are done; nothing for what no export contains. */
function dependsOnIn(config: WrittenProperty['config']): Pick<ImportRelation, 'dependsOn'> {
  const done = isObject(config?.dependsOn) ? config.dependsOn.done : undefined
  if (!isObject(done)) return {}
  const { property, filterType, filterValue } = done
  if (typeof property !== 'string' || typeof filterType !== 'string') return {}
  return { dependsOn: { done: { property, filterType, filterValue } } }
}

const asInput = ({ key, name, type, config, options }: WrittenProperty): PropertyInput => ({
  ...{ name, type },
  ...(KEY_PATTERN.test(key) && { key }),
  ...(config !== undefined && { config }),
  ...(options !== undefined && { options }),
})

/** Converts a value from front matter to the shape that calls accept; undefined if it does not fit the property. */
type ValueReader = (value: unknown, property: WrittenProperty) => unknown

const fitting =
  (type: InferredColumn['type']): ValueReader =>
  (value) => {
    if (typeof value === type && Number.isFinite(Number(value))) return value
    const { type: found, toValue } = inferColumn([textOf(value)], type)
    return found === type ? toValue(textOf(value)) : undefined
  }
const anyText: ValueReader = (value) => textOf(value)

/** References to blocks are resolved when all notes are known. */
const VALUE_READERS: Readonly<Record<PropertyType, ValueReader | undefined>> = {
  ...{ text: anyText, singleSelect: anyText },
  ...{ number: fitting('number'), boolean: fitting('boolean'), date: fitting('date') },
  ...{ url: fitting('url'), email: fitting('email'), phone: fitting('phone') },
  multiSelect: (value, property) =>
    Array.isArray(value) ? value.map(textOf) : fitting('multiSelect')(value, property),
  rating: (value, { config }) => {
    const stars = Number(textOf(value))
    return isRating(stars, ratingMax({ config: config === undefined ? null : JSON.stringify(config) }))
      ? stars
      : undefined
  },
  person: (value) =>
    (Array.isArray(value) ? value : textOf(value).split(/\s*,\s*/)).map(textOf).filter((name) => name !== ''),
  ...{ relation: undefined, blockLink: undefined },
}

/** A Base that was edited by hand may name any type. */
const readerOf = ({ type }: WrittenProperty): ValueReader | undefined =>
  Object.hasOwn(VALUE_READERS, type) ? VALUE_READERS[type] : undefined
const isRelation = ({ type }: WrittenProperty): boolean =>
  Object.hasOwn(VALUE_READERS, type) && VALUE_READERS[type] === undefined

/** Formats a YAML value as text. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
