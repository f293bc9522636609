/** Takes names of people out of rows of the past: which columns hold one, and which texts a name or a mention stands in. */
import { type AnyColumn, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type AuditRow, change, type ParticipantRow, participant, writeLog } from './schema.ts'
import {
  columnsByName,
  integer,
  jsonList,
  listOf,
  param,
  type Statement,
  selectFrom,
  statement,
  UpdateStatement,
  updateWhere,
} from './statement.ts'
import { TABLES } from './tables.ts'
import type { Transaction } from './transaction.ts'

/** The columns that hold the name of a person and nothing else. Those of the log are changed with its hashes. */
const NAME_COLUMNS = [
  ['participant', 'name'],
  ['link', 'name'],
  ['block', 'created_by'],
  ['block', 'modified_by'],
  ['comment', 'author'],
  ['comment', 'resolved_by'],
  ['document_lock', 'locked_by'],
  ['lease', 'author'],
  ['proposal', 'author'],
  ['proposal', 'decided_by'],
] as const

/** The names of these columns in an entry of the history. */
export const NAME_KEYS: readonly string[] = [...new Set(NAME_COLUMNS.map(([, column]) => column))].filter(
  (column) => column !== 'name',
)

const REPLACE = NAME_COLUMNS.map(([table, column]) => {
  const [to, from] = [sql.raw(table), sql.raw(column)]
  const replace = statement(() => sql`UPDATE ${to} SET ${from} = ${param('after')} WHERE ${from} = ${param('before')}`)
  return { table, replace }
})

/** Gives what was written under a name another one. @returns how many rows of each table had it */
export async function replaceNames(
  tx: Transaction,
  { before, after }: { before: string; after: string },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, replace } of REPLACE) {
    const count = await tx.run(replace, { before, after })
    if (count > 0) counts.set(table, (counts.get(table) ?? 0) + count)
  }
  return counts
}

const KNOWN_NAMES = statement<{ name: string }>(
  () =>
    sql`${sql.join(
      [...NAME_COLUMNS, ['write_log', 'author'], ['write_log', 'approved_by']].map(
        ([table = '', column = '']) => sql`SELECT ${sql.raw(column)} AS name FROM ${sql.raw(table)}`,
      ),
      sql` UNION `,
    )} ORDER BY name`,
)

/** Every name under which something was written. */
export const knownNames = async (tx: Transaction): Promise<string[]> =>
  (await tx.all(KNOWN_NAMES)).flatMap(({ name }) => (name === null ? [] : [name]))

const PARTICIPANTS = statement<ParticipantRow>(() => sql`${selectFrom(participant)} ORDER BY n`)

/** All participants, also those who were removed, oldest first. */
export const allParticipants = (tx: Transaction): Promise<ParticipantRow[]> => tx.all(PARTICIPANTS)

const LINKS_WITH_NAME = statement<{ name: string; isOther: number }>(
  (dialect) => sql`SELECT name, CASE WHEN revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${integer('now')})
      AND participant NOT IN ${listOf(dialect, 'participants', 'integer')} THEN 1 ELSE 0 END AS "isOther"
    FROM link WHERE name = ${param('name')} OR (participant IN ${listOf(dialect, 'participants', 'integer')}
      AND ${dialect.contains(sql`name`, param('name'))}) ORDER BY n`,
)

/**
 * Links with this name, and those of these participants whose names contain it. `isOther` is 1 for one in use that is
 * somebody else's.
 */
export function linksWithName(
  tx: Transaction,
  { name, participants, now }: { name: string; participants: readonly number[]; now: number },
): Promise<{ name: string; isOther: number }[]> {
  return tx.all(LINKS_WITH_NAME, { name, participants: jsonList(participants), now })
}

const CLEAR_MEMBERS = statement(
  (dialect) => sql`UPDATE member SET handle = NULL, picture = NULL
    WHERE participant IN ${listOf(dialect, 'participants', 'integer')}`,
)
const DELETE_CALENDARS = statement(
  (dialect) => sql`DELETE FROM subscribed_calendar WHERE participant IN ${listOf(dialect, 'participants', 'integer')}`,
)

/** Deletes what else says who these participants were: handles, pictures, and calendars that they subscribed to. */
export async function clearPersons(tx: Transaction, participants: readonly number[]): Promise<void> {
  const values = { participants: jsonList(participants) }
  await tx.run(CLEAR_MEMBERS, values)
  await tx.run(DELETE_CALENDARS, values)
}

/** A text of a row, with the key of the row under the names of its columns. */
export type FoundText = Record<string, string | number> & { found: string }

export interface TextColumn {
  table: string
  column: string
  /** Texts that contain `part` in any letter case. */
  find: Statement<FoundText>
  set: UpdateStatement
  count: Statement<{ count: number }>
}

/** Columns that no person has written, and those whose content is compressed. */
const NO_TEXT =
  /^(?:id|hash|content_hash|content_salt|names_hash|names_salt|secret|secret_hash|former_secret|file_key|id_prefix)$/

function textColumnsOf(table: Table): TextColumn[] {
  const { name, primaryKeys } = getTableConfig(table as SQLiteTable)
  const columns = Object.values(getTableColumns(table) as Record<string, AnyColumn>)
  const keys = (primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map((column) => column.name)
  return columns.flatMap((column): TextColumn[] => {
    if (column.getSQLType() !== 'text' || NO_TEXT.test(column.name)) return []
    const key = sql.raw(keys.join(', '))
    const [own, from] = [sql.raw(column.name), sql.raw(name)]
    const set = new UpdateStatement(name, columnsByName(table, [column.name]), columnsByName(table, keys))
    const has = (dialect: { contains(text: SQL, part: SQL): SQL }) =>
      dialect.contains(sql`lower(${own})`, sql`lower(${param('part')})`)
    return [
      {
        ...{ table: name, column: column.name, set },
        find: statement<FoundText>(
          (dialect) => sql`SELECT ${key}, ${own} AS found FROM ${from} WHERE ${has(dialect)} ORDER BY ${key}`,
        ),
        count: statement<{ count: number }>(
          (dialect) => sql`SELECT count(*) AS count FROM ${from} WHERE ${has(dialect)}`,
        ),
      },
    ]
  })
}

/** Every column of every table that may hold a text. */
export const TEXT_COLUMNS: readonly TextColumn[] = [...TABLES.values()].flatMap(textColumnsOf)

const BLOCKS_OF_COMMENTS = statement<{ block: number }>(
  (dialect) => sql`SELECT DISTINCT block FROM comment WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY block`,
)

/** The numbers of the blocks that these comments are on. */
export const blocksOfComments = (tx: Transaction, ns: readonly number[]): Promise<{ block: number }[]> =>
  tx.all(BLOCKS_OF_COMMENTS, { ns: jsonList(ns) })

const CHANGES = statement<{ n: number; call: number; before: string }>(
  (dialect) => sql`SELECT n, call, before FROM change WHERE call < (SELECT call FROM call_start)
    AND (${dialect.contains(sql`lower(before)`, sql`lower(${param('name')})`)}
      OR ${dialect.contains(sql`lower(before)`, sql`${'person:'}`)}) ORDER BY n`,
)

/** What history keeps that has a name, or mentions somebody. @param name  as JSON spells it */
export const changesWithName = (
  tx: Transaction,
  name: string,
): Promise<{ n: number; call: number; before: string }[]> => tx.all(CHANGES, { name })

const SET_BEFORE = updateWhere(change, ['before'])

export const setChanges = (tx: Transaction, rows: readonly { n: number; before: string }[]): Promise<unknown> =>
  tx.batch(SET_BEFORE, rows)

const NAMES_IN_ENTRY = sql.raw(
  `lower(author || ' ' || ${['client', 'approved_by', 'origin'].map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)})`,
)
const LOG_ROWS = statement<AuditRow>(
  (dialect) => sql`${selectFrom(writeLog)} WHERE ${dialect.contains(NAMES_IN_ENTRY, sql`lower(${param('name')})`)}
    OR ${dialect.contains(sql`lower(coalesce(detail, ''))`, sql`lower(${param('spelled')})`)}
    OR EXISTS (SELECT 1 FROM ${dialect.rows(param('ids'), 'text')} AS about
    WHERE ${dialect.contains(sql`write_log.ids`, sql`about.value`)}) ORDER BY n`,
)

/** Entries of the log with a name, and those about the person with one of these IDs. @param spelled  the name, in JSON */
export const logEntriesWith = (
  tx: Transaction,
  { name, spelled, ids }: { name: string; spelled: string; ids: readonly string[] },
): Promise<AuditRow[]> => tx.all(LOG_ROWS, { name, spelled, ids: jsonList(ids) })

const SET_NAMES = updateWhere(writeLog, [
  ...(['author', 'client', 'approvedBy', 'origin', 'detail', 'namesHash', 'namesSalt'] as const),
])

export const setNamesOfEntries = (tx: Transaction, rows: readonly AuditRow[]): Promise<unknown> =>
  tx.batch(SET_NAMES, rows)

const ERASE_CONTENT = statement(
  (dialect) => sql`UPDATE write_log SET content_salt = NULL
    WHERE content_salt <> '' AND n IN ${listOf(dialect, 'calls', 'integer')}`,
)
const CALLS_BY_PROPOSAL = statement<{ n: number }>(
  (dialect) => sql`SELECT write_log.n FROM proposal JOIN write_log ON write_log.id = proposal.call
    WHERE proposal.n IN ${listOf(dialect, 'proposals', 'integer')} ORDER BY write_log.n`,
)

/** Erases the salts of calls whose changes are no longer those that were hashed. The caller names them in an entry. */
export const eraseContentSalts = (tx: Transaction, calls: readonly number[]): Promise<number> =>
  tx.run(ERASE_CONTENT, { calls: jsonList(calls) })

/** The numbers of the entries of the log that approved these proposals. */
export const approvalsOf = async (tx: Transaction, proposals: readonly number[]): Promise<number[]> =>
  (await tx.all(CALLS_BY_PROPOSAL, { proposals: jsonList(proposals) })).map(({ n }) => n)

const DELETE_CHANGES = statement(() => sql`DELETE FROM change WHERE call = ${integer('call')}`)
const DELETE_DOCUMENTS = statement(() => sql`DELETE FROM call_document WHERE call = ${integer('call')}`)
const NO_CHANGES = statement(
  () => sql`UPDATE write_log SET change_bytes = 0, has_changes = 0 WHERE n = ${integer('call')}`,
)

/** Deletes what history has of a call: what it erased would be there again. @param call  its number; it was logged */
export async function forgetCall(tx: Transaction, call: number): Promise<void> {
  await tx.run(DELETE_CHANGES, { call })
  await tx.run(DELETE_DOCUMENTS, { call })
  await tx.run(NO_CHANGES, { call })
}

const SOURCE_TEXTS = statement<{ document: number; text: string }>(
  () => sql`SELECT document, text FROM source_text WHERE document > ${integer('after')} ORDER BY document LIMIT 100`,
)

/** Some of the texts that documents were imported from, as they are stored. */
export const someSourceTexts = (tx: Transaction, after: number): Promise<{ document: number; text: string }[]> =>
  tx.all(SOURCE_TEXTS, { after })
