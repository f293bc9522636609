/** Queries on imports over HTTP: which one runs, how far it is, and how the last ones ended. */
import { sql } from 'drizzle-orm'
import { type ImportJobRow, importJob } from './schema.ts'
import { insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const RUNNING = statement<ImportJobRow>(() => sql`${selectFrom(importJob)} WHERE status = 'running' ORDER BY n LIMIT 1`)

/** The import that counts as running, whether its process is still alive or not. */
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
