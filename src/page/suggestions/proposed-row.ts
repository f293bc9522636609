/** A row that is proposed for a collection: its values as cells, like those of other rows, and its text. */
import { markUnseen } from '../../base/unseen-characters.ts'
import { valueHtml } from '../collections/collection-values.ts'
import { readSchema } from '../collections/read-schema.ts'
import { titlesIn } from '../collections/target-titles.ts'
import { type Html, html } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import type { CollectionSchema, PropertyEntry } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { proposedBlocks } from './proposed-blocks.ts'
import type { ProposedPart } from './proposed-part.ts'

export interface ProposedRow {
  /** The name of the column of titles. */
  titleName: string
  title: string
  /** The properties that have a value, with it. */
  cells: readonly { property: PropertyEntry; value: Html }[]
  /** The text of the row. */
  text: Html | undefined
}

/** Reads the rows among these parts, by the keys of the parts. Those of a collection that is proposed itself are Markdown. */
export async function readProposedRows(
  call: PageCall,
  parts: readonly ProposedPart[],
): Promise<Map<ProposedPart, ProposedRow>> {
  const rows = new Map<ProposedPart, ProposedRow>()
  const schemas = new Map<string, CollectionSchema | undefined>()
  for (const part of parts) {
    const collectionId = part.place?.parentId
    if (part.item === undefined || collectionId === undefined) continue
    if (!schemas.has(collectionId))
      schemas.set(collectionId, await readSchema(call, collectionId).catch(undefinedIfNotFound))
    const schema = schemas.get(collectionId)
    const row = schema && rowOf(call, part, schema)
    if (row !== undefined) rows.set(part, row)
  }
  return rows
}

/** @returns undefined for a row of which its Markdown says more */
function rowOf(
  call: PageCall,
  { item, after }: ProposedPart,
  { contentPropDetails, properties }: CollectionSchema,
): ProposedRow | undefined {
  if (item === undefined || typeof after !== 'string') return undefined
  const written = ROW.exec(after)
  if (written === null) return undefined
  const known = new Set(properties.map(({ key }) => key))
  if (Object.keys(item.properties).some((key) => !known.has(key))) return undefined
  const titles = titlesIn(after)
  const filled = properties.filter(({ key }) => Object.hasOwn(item.properties, key))
  const [, text] = written
  return {
    titleName: contentPropDetails.name,
    title: item.title,
    cells: filled.map((property) => {
      const value = item.properties[property.key]
      return { property, value: isSeen(property, value) ? valueHtml(call, property, value, titles) : plainHtml(value) }
    }),
    text: text === undefined ? undefined : proposedBlocks(text),
  }
}

/** A row as Markdown has it, if that has nothing but a title, values, and a text. */
const ROW =
  /^<collectionItem id="[^"<>]*">\n<title>.*<\/title>\n(?:<property name="[^"<>]*">.*<\/property>\n)*(?:<content>\n([\s\S]*)\n<\/content>\n)?<\/collectionItem>\n?$/
/** Types whose formatted values say all of them. */
const FORMATTED: ReadonlySet<PropertyEntry['type']> = new Set([
  ...(['boolean', 'date', 'singleSelect', 'multiSelect', 'relation', 'blockLink', 'person', 'rating'] as const),
])
/** Decimals that a number is shown with. */
const DECIMALS = 2

/** True if nothing of the value stays unseen when it is formatted. */
function isSeen({ type }: PropertyEntry, value: unknown): boolean {
  if (type === 'number') return Number(Number(value).toFixed(DECIMALS)) === value
  const text = JSON.stringify(value)
  return FORMATTED.has(type) && markUnseen(text) === text
}

const plainHtml = (value: unknown): Html => shownText(typeof value === 'string' ? value : JSON.stringify(value))

/** The row as a table of its own, with the names of its columns. */
export function proposedRowHtml({ titleName, title, cells, text }: ProposedRow): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="The new row"><table class="items"><thead><tr><th scope="col">${titleName}</th>${cells.map(
    ({ property }) => html`<th scope="col"${property.type === 'number' && html` class="num"`}>${property.name}</th>`,
  )}</tr></thead>
<tbody><tr class="row-added"><th scope="row">${shownText(title)}</th>${cells.map(
    ({ property, value }) => html`<td${property.type === 'number' && html` class="num"`}>${value}</td>`,
  )}</tr></tbody></table></div>${text}`
}

/** What the cells of a table do not show of a row: the values of other columns, and its text. */
export function besideRowHtml({ cells, text }: ProposedRow, shown: ReadonlySet<string>): Html | undefined {
  const hidden = cells.filter(({ property }) => !shown.has(property.key))
  if (hidden.length === 0 && text === undefined) return undefined
  return html`${hidden.map(({ property, value }) => html`<p class="about">${property.name}: ${value}</p>`)}${text}`
}
