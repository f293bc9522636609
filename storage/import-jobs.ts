/** Queries on imports over HTTP: which one runs, how far it is, and how the last ones ended. */
import { type SQL, sql } from 'drizzle-orm'
import { type ImportJobRow, importJob } from './schema.ts'
import { insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The time between which a running import must have set `aliveUntil`, in milliseconds since 1970. */
export interface AliveBounds {
  now: number
  /** The latest end that any process sets. A later one was set by a clock that was far ahead, so it is ignored. */
  latest: number
}

const isAlive = (): SQL => sql`(alive_until > ${integer('now')} AND alive_until <= ${integer('latest')})`

const STOP_DEAD = statement(
  () => sql`UPDATE import_job SET status = 'stopped' WHERE status = 'running' AND NOT ${isAlive()}`,
)

/** Marks imports as stopped whose process no longer renews them. */
export async function stopDeadImportJobs(tx: Transaction, bounds: AliveBounds): Promise<void> {
  await tx.run(STOP_DEAD, bounds)
}

const RUNNING = statement<ImportJobRow>(() => sql`${selectFrom(importJob)} WHERE status = 'running' ORDER BY n LIMIT 1`)

export function runningImportJob(tx: Transaction): Promise<ImportJobRow | undefined> {
  return tx.get(RUNNING)
}

const BY_ID = statement<ImportJobRow>(() => sql`${selectFrom(importJob)} WHERE id = ${param('id')}`)

export function importJobById(tx: Transaction, id: string): Promise<ImportJobRow | undefined> {
  return tx.get(BY_ID, { id })
}

const INSERT = insertInto(importJob, ['id', 'name', 'status', 'done', 'total', 'elapsed', 'aliveUntil'])
const DELETE_OLD = statement(
  () => sql`DELETE FROM import_job
    WHERE n NOT IN (SELECT n FROM import_job ORDER BY n DESC LIMIT ${integer('kept')})`,
)

/** Adds an import, and forgets all but the last ones. @param kept  how many to keep, including this one */
export async function insertImportJob(
  tx: Transaction,
  row: Omit<ImportJobRow, 'n' | 'outcome'>,
  kept: number,
): Promise<void> {
  await tx.run(INSERT, row)
  await tx.run(DELETE_OLD, { kept })
}

const UPDATE = statement(
  () => sql`UPDATE import_job SET status = ${param('status')}, done = ${integer('done')}, total = ${integer('total')},
      elapsed = ${integer('elapsed')}, alive_until = ${integer('aliveUntil')}, outcome = ${param('outcome')}
    WHERE id = ${param('id')} AND status = 'running'`,
)

/** Saves the progress or the end of a running import. @returns false if it does not count as running anymore */
export async function updateImportJob(tx: Transaction, row: Omit<ImportJobRow, 'n' | 'name'>): Promise<boolean> {
  return (await tx.run(UPDATE, row)) > 0
}

const DELETE = statement(() => sql`DELETE FROM import_job WHERE id = ${param('id')}`)

export async function deleteImportJob(tx: Transaction, id: string): Promise<void> {
  await tx.run(DELETE, { id })
}
