/** Reads and writes all sign-in data of a space in a database: see `storage/sign-in-tables.ts`. */
import type { DumpedRow } from '../dump.ts'
import { SIGN_IN_TABLE_NAMES, SIGN_IN_TABLES, type SignInRows, type SignInTable } from '../sign-in-tables.ts'
import type { DatabaseTransaction } from './database-transaction.ts'
import { insertText } from './row-statements.ts'

/** Number of rows to read with one statement. */
const ROWS_PER_PART = 1_000

/** The name of a table in this engine. */
const nameOf = (table: SignInTable): string => (table === 'secret' ? 'issuer_secret' : table)

/** Yields all rows of the space, sorted by key: the first column of each table, or the first two. */
export async function* readSignInRows(tx: DatabaseTransaction): AsyncGenerator<SignInRows> {
  for (const table of SIGN_IN_TABLE_NAMES) {
    const names = Object.keys(SIGN_IN_TABLES[table])
    const key = table === 'issued' || table === 'known_address' ? names.slice(0, 2) : names.slice(0, 1)
    const select = `SELECT ${names.join(', ')} FROM ${nameOf(table)}`
    const order = `ORDER BY ${key.join(', ')} LIMIT ${ROWS_PER_PART}`
    const after = `WHERE (${key.join(', ')}) > (${key.map((_, index) => `$${index + 1}::text`).join(', ')})`
    for (let last: DumpedRow | undefined; ; ) {
      const { rows } = await (last === undefined
        ? tx.query<DumpedRow>(`${select} ${order}`)
        : tx.query<DumpedRow>(
            `${select} ${after} ${order}`,
            key.map((column) => last?.[column]),
          ))
      if (rows.length > 0) yield { table, rows }
      last = rows.at(-1)
      if (last === undefined || rows.length < ROWS_PER_PART) break
    }
  }
}

export async function writeSignInRows(tx: DatabaseTransaction, { table, rows }: SignInRows): Promise<void> {
  const columns = Object.entries(SIGN_IN_TABLES[table]).map(([name, type]) => ({ name, type }))
  await tx.query(
    insertText(nameOf(table), columns),
    columns.map(({ name }) => rows.map((row) => row[name] ?? null)),
  )
}
