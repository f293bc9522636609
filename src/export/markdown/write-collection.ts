/**
 * Exports a collection as a folder: a note for each item, a Base that shows them as a table, and a CSV file for
 * spreadsheets.
 */
import { stringify } from 'yaml'
import {
  COLLECTION_MARK,
  keysOfRelations,
  propertyKey,
  type WrittenCollection,
} from '../../import/markdown/base-collection.ts'
import { withBlocks } from '../../import/markdown/written-views.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import type { ExportedCollection, ExportedProperty } from '../../space/export/read-document.ts'
import { importView } from '../../space/import/write-views.ts'
import { baseColumn, baseViews } from './base-views.ts'

/** The paths of the files of a collection. */
export interface CollectionPlace {
  folder: string
  base: string
  table: string
}

export function collectionPlace(folder: string): CollectionPlace {
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  return { folder, base: `${folder}/${name}.base`, table: `${folder}/${name}.csv` }
}

/**
 * Writes the Base. Its first line is a comment with the schema and views, from which an import restores the collection.
 *
 * @param baseOf  returns the path of another collection's Base by number; undefined if it is not exported
 * @param linkTo  returns the text that stands for a block, by the ID of the block
 */
export function writeBase(
  { name, titleName, titleKey, properties, views }: ExportedCollection,
  { folder }: CollectionPlace,
  baseOf: (collection: number) => string | undefined,
  linkTo: (id: string) => string,
): string {
  const relations = keysOfRelations(properties)
  const schema: WrittenCollection = {
    ...{ name, titleName, titleKey },
    properties: properties.map(({ key, name, type, config, options, target, otherName, isBackReference }) => {
      const base = target === null ? undefined : baseOf(target)
      return {
        ...{ key, name, type },
        ...(config !== undefined && { config }),
        ...(options !== undefined && { options }),
        ...(base !== undefined && { target: base }),
        ...(otherName !== undefined && { otherName }),
        ...(isBackReference && { isBackReference }),
      }
    }),
    ...(views.length > 0 && { views: views.map((view) => withBlocks(importView(view), relations, linkTo)) }),
  }
  const base = {
    filters: { and: [`file.inFolder(${JSON.stringify(folder)})`, 'file.ext == "md"'] },
    properties: {
      'file.name': { displayName: titleName },
      ...Object.fromEntries(properties.map(({ key, name }) => [baseColumn(key), { displayName: name }])),
    },
    views: baseViews(name, properties, schema.views),
  }
  return `${COLLECTION_MARK}${JSON.stringify(schema)}\n${stringify(base, { lineWidth: 0 })}`
}

/** Writes the values of an item as front matter. @param linkTo  returns the text that stands for a block, by its ID */
export function writeProperties(
  { properties, values }: ExportedCollection,
  item: number,
  linkTo: (id: string) => string,
): string {
  const given = values.get(item)?.properties ?? {}
  const written = properties.flatMap(({ key, type }) => {
    const value = given[key]
    return value === undefined ? [] : [[propertyKey(key), WRITTEN_KINDS[type].front(value, linkTo)]]
  })
  return written.length === 0 ? '' : stringify(Object.fromEntries(written), { lineWidth: 0 })
}

/** How the values of a type are exported. */
interface WrittenKind {
  /** In front matter. @param linkTo  returns the text that stands for a block, by its ID */
  front(value: unknown, linkTo: (id: string) => string): unknown
  /** In CSV, from the text of the value. */
  cell(text: string): string
}

const PLAIN: WrittenKind = { front: (value) => value, cell: guarded }
const NUMBER: WrittenKind = { front: (value) => value, cell: (text) => text }
const withoutLinks = (text: string): string => guarded(text.replace(/\[([^\]]*)\]\(block:\/\/[^()]*\)/g, '$1'))

const WRITTEN_KINDS: Readonly<Record<ExportedProperty['type'], WrittenKind>> = {
  ...{ text: PLAIN, boolean: PLAIN, url: PLAIN, email: PLAIN, phone: PLAIN, singleSelect: PLAIN, multiSelect: PLAIN },
  ...{ number: NUMBER, rating: NUMBER },
  date: { front: writtenDate, cell: guarded },
  relation: {
    front: (value, linkTo) =>
      (value as { relations: { blockId: string }[] }).relations.map(({ blockId }) => linkTo(blockId)),
    cell: withoutLinks,
  },
  person: { front: (value) => (value as { name: string }[]).map(({ name }) => name), cell: guarded },
  blockLink: { front: (value, linkTo) => linkTo((value as { blockId: string }).blockId), cell: withoutLinks },
}

function writtenDate(value: unknown): unknown {
  if (typeof value === 'string') return value
  const { start, end } = value as { start: string; end: string }
  return `${start}/${end}`
}

/** Writes the items as CSV. Cells that a spreadsheet could execute as formulas are escaped. */
export function writeTable(
  { titleName, properties, values }: ExportedCollection,
  items: readonly { n: number; text: string }[],
): string {
  const rows = items.map(({ n, text }) => {
    const texts = values.get(n)?.texts
    return [
      guarded(plainTitle(text)),
      ...properties.map(({ key, type }) => WRITTEN_KINDS[type].cell(texts?.get(key) ?? '')),
    ]
  })
  const head = [titleName, ...properties.map(({ name }) => name)].map(guarded)
  return [head, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}

/** Spreadsheets treat cells that begin with these characters as formulas. */
function guarded(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
