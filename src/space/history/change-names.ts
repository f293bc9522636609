/**
 * Names what calls changed: rows, tasks, pages, folders, properties and views, a few of each. Everything that an answer
 * names is read in a few statements.
 *
 * What has moved out of reach since is not named, whatever it was called then. What was deleted has the name that its
 * deletion keeps, if the connection sees that.
 */
import { type NamedBlock, namedBlocks } from '../../../storage/changed-names.ts'
import { type HistoryRow, rowsByNumbers } from '../../../storage/history.ts'
import { plainTitle, truncateTitle } from '../../markdown/inline-title.ts'
import { splitTitle } from '../../markdown/title-emoji.ts'
import { visiblePlainText, visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import {
  type ChangeSummary,
  type CountedPlace,
  type CountedRows,
  type DocumentNames,
  placeName,
} from './change-summary.ts'
import { shortenText } from './row-names.ts'
import {
  type ChangedNoun,
  type ChangeVerb,
  FIELDS_NAMED,
  NAMES_OF_CHANGE,
  type NamedChange,
  type PlaceChanges,
} from './summary-text.ts'

/** Rows of one noun in one place to which the same happened. More than these are only counted. */
const NAMED_TOGETHER = 200
/** Rows that one answer looks at. What is beyond them is only counted. */
const NAMED_PER_ANSWER = 2_000

/**
 * @param summaries  of calls, newest first: the title that a call gave is what a later one found
 * @returns by summary, the same places with names
 */
export async function nameChanges(
  space: Space,
  summaries: readonly ChangeSummary[],
  documents: DocumentNames,
): Promise<Map<ChangeSummary, PlaceChanges[]>> {
  const names = await readNames(space, summaries)
  const titlesAfter = new Map<number, string>()
  return new Map(
    summaries.map((summary) => {
      const details = detailsOf(summary, names, titlesAfter)
      const places = summary.places.map((place) => ({
        ...placeName(place.document, documents),
        changes: place.counted.flatMap((counted) =>
          counted.noun === 'block' ? nameBlocks(place, counted, details, names) : nameRows(counted, names),
        ),
      }))
      return [summary, places.map((place) => ({ ...place, changes: withoutRepeats(place.changes) }))]
    }),
  )
}

/** A block that a call changed, as it is now, or was when it was deleted. */
interface KnownBlock {
  noun: ChangedNoun
  parent: number | null
  /** Absent for blocks that are known by nothing but their text. */
  name?: string
  /** The title with all its marks, to be compared. */
  text?: string
}

interface Names {
  /** True for rows that were looked up. */
  isNamed(counted: CountedRows): boolean
  block(number: number): KnownBlock | undefined
  /** A folder, property or view. */
  row(table: NamedTable, number: number): string | undefined
  collection(number: number | null): { id: string; title: string } | undefined
}

/** Tables besides `block` whose rows are named. */
const NAMED_TABLES = ['folder', 'property', 'view'] as const
type NamedTable = (typeof NAMED_TABLES)[number]

const isNamedTable = (noun: string): noun is NamedTable => (NAMED_TABLES as readonly string[]).includes(noun)

/** Columns of rows of these tables, before they were deleted, by table and number. */
type DeletedRows = ReadonlyMap<string, HistoryRow>

async function readNames(space: Space, summaries: readonly ChangeSummary[]): Promise<Names> {
  const { isNamed, wanted } = chooseRows(summaries)
  const deleted = deletedRows(summaries, wanted)
  const blocks = new Map((await namedBlocks(space.tx, [...wanted.block])).map((block) => [block.n, block]))
  const rows = new Map<string, HistoryRow>()
  for (const table of NAMED_TABLES) {
    if (wanted[table].size === 0) continue
    for (const row of await rowsByNumbers(space.tx, table, [...wanted[table]])) rows.set(`${table} ${row.n}`, row)
  }
  const parents = [
    ...[...blocks.values()].flatMap(({ type, parent }) => (type === 'collectionItem' ? (parent ?? []) : [])),
    ...[...deleted.values()].flatMap((row) => (row.type === 'collectionItem' ? (row.parent as number) : [])),
    ...[...rows.values()].flatMap(({ collection }) => (typeof collection === 'number' ? collection : [])),
  ]
  const unread = [...new Set(parents)].filter((number) => !blocks.has(number))
  const collections = new Map(
    unread.length === 0 ? [] : (await namedBlocks(space.tx, unread)).map((one) => [one.n, one]),
  )
  const blockNow = (number: number) => blocks.get(number) ?? collections.get(number)
  const reached = await space.reachableDocuments(
    [...blocks.values(), ...collections.values()].map(({ document }) => document),
  )
  const isReached = (block: NamedBlock | undefined) => block !== undefined && reached.has(block.document)
  const titleOf = await visibleTitles(space, [
    ...[...blocks.values(), ...collections.values()].flatMap(({ title }) => title ?? []),
    ...[...deleted.values()].flatMap(({ text }) => (typeof text === 'string' ? text : [])),
  ])
  const plain = await visiblePlainText(
    space,
    [...rows.values(), ...deleted.values()].flatMap(({ name }) => (typeof name === 'string' ? name : [])),
  )
  const shownTitle = (text: string) => shortenText(truncateTitle(titleOf(text)))
  return {
    isNamed,
    block(number) {
      const now = blocks.get(number)
      if (now !== undefined) {
        // What it is elsewhere stays hidden as well.
        if (!isReached(now)) return undefined
        const { type, listStyle, parent, title } = now
        return {
          noun: nounOf(type, listStyle),
          parent,
          ...(title !== null && { text: title, name: shownTitle(title) }),
        }
      }
      const was = deleted.get(`block ${number}`)
      if (was === undefined) return undefined
      const noun = nounOf(String(was.type), was.list_style)
      return {
        noun,
        parent: was.parent as number | null,
        ...(noun !== 'block' && { name: shownTitle(String(was.text)) }),
      }
    },
    row(table, number) {
      const now = rows.get(`${table} ${number}`)
      const row = now ?? deleted.get(`${table} ${number}`)
      if (row === undefined) return undefined
      // Folders are seen by full connections only, as are the places of documents.
      if (table === 'folder') return space.kind === 'full' ? shortenText(String(row.name)) : undefined
      if (now !== undefined && !isReached(blockNow(now.collection as number))) return undefined
      return shortenText(plain.text(String(row.name)))
    },
    collection(number) {
      const found = number === null ? undefined : blockNow(number)
      if (found?.type !== 'collection' || !isReached(found) || found.title === null) return undefined
      return { id: space.spellId(found.id), title: shownTitle(found.title) }
    },
  }
}

type WantedRows = Readonly<Record<'block' | NamedTable, Set<number>>>

/** The rows to look up: none of what is too many to be named. */
function chooseRows(summaries: readonly ChangeSummary[]): { wanted: WantedRows; isNamed: Names['isNamed'] } {
  const wanted: WantedRows = { block: new Set(), folder: new Set(), property: new Set(), view: new Set() }
  const named = new Set<CountedRows>()
  let left = NAMED_PER_ANSWER
  for (const { places, changes } of summaries) {
    for (const counted of places.flatMap((place) => place.counted)) {
      const { noun, rows } = counted
      if (!(noun === 'block' || isNamedTable(noun)) || rows.size > NAMED_TOGETHER || rows.size > left) continue
      left -= rows.size
      named.add(counted)
      for (const row of rows) wanted[noun].add(row)
    }
    for (const { row, property } of changes) {
      if (property !== undefined && wanted.block.has(row) && wanted.property.size < NAMED_PER_ANSWER)
        wanted.property.add(property)
    }
  }
  return { wanted, isNamed: (counted) => named.has(counted) }
}

/** What the deletions among these changes keep of rows. */
function deletedRows(summaries: readonly ChangeSummary[], wanted: WantedRows): DeletedRows {
  const found = new Map<string, HistoryRow>()
  for (const { table, row, verb, before } of summaries.flatMap(({ changes }) => changes)) {
    if (verb !== 'deleted' || !before || !(table === 'block' || isNamedTable(table))) continue
    if (wanted[table].has(row)) found.set(`${table} ${row}`, JSON.parse(before) as HistoryRow)
  }
  return found
}

/** What blocks of these types are called. */
const NOUNS_OF_TYPES: ReadonlyMap<string, ChangedNoun> = new Map<string, ChangedNoun>(
  Object.entries({ collectionItem: 'row', page: 'page', collection: 'collection' }),
)

const nounOf = (type: string, listStyle: unknown): ChangedNoun =>
  NOUNS_OF_TYPES.get(type) ?? (listStyle === 'task' ? 'task' : 'block')

/** What one call changed in the blocks that were looked up. */
interface ChangeDetails {
  /** The numbers of the properties whose values changed, by block. */
  properties: ReadonlyMap<number, ReadonlySet<number>>
  /** The titles of blocks before and after the call, of those whose text it changed. */
  titles: ReadonlyMap<number, { before: string; after: string }>
}

/** @param titlesAfter  by block, what the call after this one found; it receives what this one found */
function detailsOf({ changes }: ChangeSummary, names: Names, titlesAfter: Map<number, string>): ChangeDetails {
  const properties = new Map<number, Set<number>>()
  const titles = new Map<number, { before: string; after: string }>()
  for (const { table, row, verb, property, before } of changes) {
    if (property !== undefined) properties.set(row, (properties.get(row) ?? new Set()).add(property))
    if (table !== 'block' || verb !== 'changed' || !before?.includes('"text":')) continue
    const now = names.block(row)?.text
    if (titles.has(row) || now === undefined) continue
    const { text } = JSON.parse(before) as { text?: unknown }
    if (typeof text === 'string')
      titles.set(row, { before: plainTitle(text), after: titlesAfter.get(row) ?? plainTitle(now) })
  }
  for (const [row, title] of titles) titlesAfter.set(row, title.before)
  return { properties, titles }
}

function nameRows({ noun, verb, rows }: CountedRows, names: Names): NamedChange[] {
  const named = isNamedTable(noun) ? inOrder(rows).flatMap((row) => names.row(noun, row) ?? []) : []
  return [{ noun, verb, amount: rows.size, ...namesIn(named) }]
}

/** As they were made: engines change the rows of a call in different orders. */
const inOrder = (rows: Iterable<number>): number[] => [...rows].sort((one, other) => one - other)

const namesIn = (all: readonly string[]): Pick<NamedChange, 'names'> => {
  const names = all.filter((name) => name !== '').slice(0, NAMES_OF_CHANGE)
  return names.length === 0 ? {} : { names }
}

/** Blocks by what they are. What came or went with a row, page or task is left out. */
function nameBlocks(
  { document }: CountedPlace,
  counted: CountedRows,
  details: ChangeDetails,
  names: Names,
): NamedChange[] {
  const { verb, rows } = counted
  if (!names.isNamed(counted)) return [{ noun: 'block', verb, amount: rows.size }]
  const isInner = (row: number): boolean => {
    if (verb === 'changed') return false
    let parent = names.block(row)?.parent ?? null
    while (parent !== null && rows.has(parent)) {
      const within = names.block(parent)
      if (within !== undefined && within.noun !== 'block') return true
      parent = within?.parent ?? null
    }
    return false
  }
  const groups = new Map<string, { change: NamedChange; named: string[]; fields: Set<string> }>()
  for (const row of inOrder(rows)) {
    if (isInner(row)) continue
    const known = names.block(row)
    const noun = row === document ? 'document' : (known?.noun ?? 'block')
    const collection = noun === 'row' ? names.collection(known?.parent ?? null) : undefined
    const happened = verb === 'changed' ? howChanged(row, noun, details) : verb
    const key = `${noun}|${happened}|${collection?.id ?? ''}`
    const change: NamedChange = { noun, verb: happened, amount: 0, ...(collection && { collection }) }
    const group = groups.get(key) ?? { change, named: [], fields: new Set<string>() }
    groups.set(key, group)
    group.change.amount++
    if (known?.name !== undefined && noun !== 'document') group.named.push(known.name)
    if (noun !== 'row' || happened !== 'changed') continue
    for (const property of inOrder(details.properties.get(row) ?? [])) {
      const name = names.row('property', property)
      if (name !== undefined) group.fields.add(name)
    }
  }
  return [...groups.values()].map(({ change, named, fields }) => ({
    ...change,
    ...namesIn(named),
    // One more than are named says that there are more.
    ...(fields.size > 0 && { fields: [...fields].slice(0, FIELDS_NAMED + 1) }),
  }))
}

/** What has a title was renamed, or has another icon, if nothing but that changed. A comment marks a title, too. */
function howChanged(row: number, noun: ChangedNoun, { titles, properties }: ChangeDetails): ChangeVerb {
  const title = titles.get(row)
  if (title === undefined || noun === 'task' || properties.has(row)) return 'changed'
  const [was, is] = [splitTitle(title.before), splitTitle(title.after)]
  if (was.rest !== is.rest) return 'renamed'
  return was.emoji === is.emoji ? 'changed' : 'icon changed'
}

/** A document that was changed as well as its root block is listed once. */
function withoutRepeats(changes: readonly NamedChange[]): NamedChange[] {
  const isRepeated = ({ noun, verb }: NamedChange, index: number) =>
    noun === 'document' && changes.findIndex((one) => one.noun === noun && one.verb === verb) !== index
  return changes.filter((change, index) => !isRepeated(change, index))
}
