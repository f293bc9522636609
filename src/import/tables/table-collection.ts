/** Makes a collection of a table: its rows are items, and its columns properties whose types follow from their values. */
import type { PropertyType } from '../../../storage/schema.ts'
import { PROPERTIES_PER_COLLECTION, TITLE_LENGTH } from '../../base/limits.ts'
import type { Block } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { type ImportContent, plainContent } from '../../space/import/imported-content.ts'
import { plainTextBlocks } from '../text/plain-text.ts'
import { inferColumn } from './infer-types.ts'

export interface TableContext {
  title: string
  /** Returns the ID of the collection, or of a row by its anchor. */
  idOf(anchor: string): number | undefined
  report(message: string, detail?: string): void
}

export const TABLE_ANCHOR = 'collection'

/** The rows of a table below its header, without empty ones. */
const rowsOf = ([, ...rows]: readonly string[][]): string[][] =>
  rows.filter((row) => row.some((cell) => cell.trim() !== ''))

/** Anchors of the rows, by which a later import finds them: by their first cell, and by order if that is equal. */
export function tableAnchors(table: readonly string[][]): string[] {
  const counts = new Map<string, number>()
  return rowsOf(table).map(([title = '']) => {
    const shown = title.slice(0, TITLE_LENGTH)
    const count = (counts.get(shown) ?? 0) + 1
    counts.set(shown, count)
    return `row:${count}:${shown}`
  })
}

export function tableCollection(table: readonly string[][], context: TableContext): ImportContent {
  const rows = rowsOf(table)
  const [titleName = 'Name', ...names] = columnNames(table, context)
  const columns = names.map((name, index) => {
    const texts = rows.map((row) => plainCell(row[index + 1] ?? ''))
    return { name, texts, ...inferColumn(texts) }
  })
  const [kept, left] = [columns.slice(0, PROPERTIES_PER_COLLECTION), columns.slice(PROPERTIES_PER_COLLECTION)]
  for (const { name } of left) {
    const message = `A column is kept as text in its items, since a collection has at most ${PROPERTIES_PER_COLLECTION} properties.`
    context.report(message, name)
  }
  const ids = new Map<Block, number>()
  const values = new Map<Block, Record<string, unknown>>()
  const anchors = tableAnchors(table)
  const items = rows.map((row, index): Block => {
    const title = plainCell(row[0] ?? '').trim()
    const line = title.replace(/\s+/g, ' ').slice(0, TITLE_LENGTH)
    const lines = left.flatMap(({ name, texts }) => (texts[index] ? [`${name}: ${texts[index]}`] : []))
    const long = line === title ? [] : [title]
    const content = [...long, ...lines].flatMap((text) => plainTextBlocks(text))
    const item: Block = { type: 'collectionItem', text: titleFromPlain(line || 'Untitled') }
    if (content.length > 0) item.content = content
    const given: Record<string, unknown> = Object.create(null)
    for (const { name, texts, toValue } of kept) {
      const value = toValue(texts[index] ?? '')
      if (value !== undefined) given[name] = value
    }
    values.set(item, given)
    const id = context.idOf(anchors[index] ?? '')
    if (id !== undefined) ids.set(item, id)
    return item
  })
  const block: Block = { type: 'collection', text: titleFromPlain(context.title.slice(0, TITLE_LENGTH) || 'Table') }
  if (items.length > 0) block.content = items
  const id = context.idOf(TABLE_ANCHOR)
  if (id !== undefined) ids.set(block, id)
  const properties = kept.map(({ name, type }) => ({ name, type: type as PropertyType }))
  const collection = { titleName, properties, relations: [], values }
  return { ...plainContent([block]), ids, collections: new Map([[block, collection]]) }
}

/** The names in the header, each once. A row may be longer than the header. */
function columnNames(table: readonly string[][], { report }: TableContext): string[] {
  const [header = []] = table
  const columns = table.reduce((most, { length }) => Math.max(most, length), 0)
  const taken = new Set<string>()
  return Array.from({ length: columns }, (_, index) => {
    const written = plainCell(header[index] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, NAME_LENGTH)
    let name = written || (index === 0 ? 'Name' : `Column ${index + 1}`)
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${written || 'Column'} ${number}`
    taken.add(name.toLowerCase())
    if (written === '' && index > 0) report('A column without a name has its number as its name.', name)
    else if (name !== written && written !== '') report('A column whose name another one has got a number.', name)
    return name
  })
}

/** Characters of the name of a property. */
const NAME_LENGTH = 100

/** Our exports put `'` before what a spreadsheet would take for a formula. It is text here. */
const plainCell = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
