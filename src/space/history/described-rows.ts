/**
 * Describes changed rows as lines, for what the Markdown of documents does not show: comments, dates, columns, views,
 * elements, places.
 *
 *     -"Dig" (100000000007): deadline date: 2026-12-01
 *     +"Dig" (100000000007): deadline date: 2026-12-24
 *     +comment by research (100000000009) on "Dig" (100000000007):
 *     +  content
 *     +  | Ask the port first.
 *     +  | They answer on Mondays.
 */
import { createHash } from 'node:crypto'
import type { HistoryRow } from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import { DETAILS_LENGTH } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { DetailLine } from '../../difference/unified-diff.ts'
import type { Space } from '../model/space.ts'
import type { ChangedState } from './changed-states.ts'
import { type RowNames, readRowNames } from './row-names.ts'
import { type RowField, type RowText, type TextContext, textsOfRow } from './row-text.ts'
import { UnwrittenFields } from './unwritten-fields.ts'
import { valueText } from './value-text.ts'
import { readViewSettings } from './view-names.ts'
import { visibleRows } from './visible-rows.ts'

/** Lines of one document. */
export interface DocumentDetails {
  /** What its Markdown does not show. */
  beside: DetailLine[]
  /** Everything that changed, for a document whose Markdown is not shown. */
  all: DetailLine[]
}

export interface DescribedRows {
  /** By the number of the document; null for folders. */
  details: ReadonlyMap<number | null, DocumentDetails>
  /** The number of rows whose lines were too long together. */
  left: number
  /**
   * A hash of every changed column, as text, and of the text of the block that a row belongs to, such as the one that
   * a comment is on. It is the same for the same change, whatever others change around it: the names of other rows and
   * the order among them are left out.
   */
  digest: string
  /** The same for the same rows, in whatever order they were made. */
  unorderedDigest: string
}

/** @param now  the time of the call, if it is one */
export async function describeRows(
  space: Space,
  states: readonly ChangedState[],
  now: number | undefined,
): Promise<DescribedRows> {
  const names = await readRowNames(space, states)
  const settings = await readViewSettings(space, states)
  const context: TextContext = { names, settings, now, unwritten: new UnwrittenFields() }
  const bareContext: TextContext = { ...context, names: { ...names, ...names.bare } }
  const visible = await visibleRows(space, states)
  const details = new Map<number | null, DocumentDetails>()
  const hash = createHash('sha256')
  const rows: string[] = []
  let [length, left] = [0, 0]
  const add = (document: number | null, kind: keyof DocumentDetails, sign: DetailLine['sign'], text = '') => {
    if (text === '') return
    const lines = details.get(document) ?? { beside: [], all: [] }
    details.set(document, lines)
    length += text.length
    for (const line of text.split('\n')) lines[kind].push({ sign, text: line })
  }
  for await (const { table, before, after, documentBefore, documentAfter } of iterateCooperatively(states)) {
    const textOf = (row: HistoryRow | undefined) => row && textsOfRow(table, visible(table, row), context)
    const [was, is] = [textOf(before), textOf(after)]
    // Hidden with what it refers to. Not even the hash may tell of it.
    if (was === undefined && is === undefined) continue
    const all = [was && rowText(was), is && rowText(is)] as const
    const [hashedBefore, hashedAfter] = [before, after].map(
      (row) => row && bareText(table, visible(table, row), bareContext),
    )
    if (hashedBefore !== hashedAfter || documentBefore !== documentAfter) {
      const owner = describeOwner(table, after ?? before, names)
      const row = JSON.stringify([table, hashedBefore ?? null, hashedAfter ?? null, owner ?? null])
      hash.update(row)
      rows.push(sha256(row))
    }
    if (length > DETAILS_LENGTH) {
      left++
      continue
    }
    for (const kind of ['beside', 'all'] as const) {
      const [removed, added] = kind === 'all' ? all : [nameOfRow(table, was), nameOfRow(table, is)]
      if (removed === added && documentBefore === documentAfter) continue
      add(documentBefore, kind, '-', removed)
      add(documentAfter, kind, '+', added)
    }
  }
  return { details, left, digest: hash.digest('hex'), unorderedDigest: sha256(rows.sort().join()) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The whole text of the block that a row of another table belongs to. */
function describeOwner(table: TableName, row: HistoryRow | undefined, names: RowNames): string | undefined {
  const { block } = historyTable(table)
  const number = table === 'block' || block === undefined ? undefined : row?.[block]
  return typeof number === 'number' ? names.text(number) : undefined
}

/** What the Markdown does not show. A row without further fields says nothing, except a folder, which has a name. */
function nameOfRow(table: TableName, text: RowText | undefined): string | undefined {
  const fields = text?.fields.filter(({ isWritten }) => !isWritten) ?? []
  if (text === undefined || (fields.length === 0 && table !== 'folder')) return undefined
  return rowText({ ...text, fields })
}

/** A row as a text that only its own changes alter. */
function bareText(table: TableName, row: HistoryRow, context: TextContext): string | undefined {
  const text = textsOfRow(table, row, context)
  return text && rowText({ ...text, fields: text.fields.filter(({ isOrder }) => !isOrder) })
}

/** Texts of several lines stand below the other fields, each line behind a mark. */
function rowText({ subject, fields }: RowText): string {
  const short = fields.filter((field) => !hasLines(field)).map(({ label, value }) => `${label}: ${valueText(value)}`)
  const long = fields.filter(hasLines).map(({ label, value }) => `\n  ${label}${linesOf(String(value))}`)
  const colon = fields.length > 0 ? ':' : ''
  return `${subject}${colon}${short.length > 0 ? ` ${short.join(', ')}` : ''}${long.join('')}`
}

const hasLines = ({ value }: RowField): boolean => typeof value === 'string' && value.includes('\n')

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => `\n  | ${line}`)
    .join('')
