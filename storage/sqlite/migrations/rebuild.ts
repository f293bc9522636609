/** Tables that are made anew, for what ALTER TABLE cannot do: another CHECK, another type of a column, another key. */
import type { Database } from 'better-sqlite3'

/** What a table is to be from now on. */
export interface TableDefinition {
  table: string
  /** The columns that are copied: all but generated ones. */
  columns: readonly string[]
  /** What stands between the parentheses of CREATE TABLE. */
  definition: string
  /** The statements that create its indexes, which go with the old table. */
  indexes?: string
  /** Expressions of the old table for columns that are not copied as they are. */
  values?: Readonly<Record<string, string>>
  /** Whether the key is AUTOINCREMENT: the numbers that were used stay used, those of deleted rows among them. */
  autoincrement?: boolean
}

/**
 * The SQL that makes a table anew with its rows, as https://sqlite.org/lang_altertable.html#otheralter has it. Foreign
 * keys must be off, as they are in migrations, and the migration must say `rebuilds`. Of generated columns nothing is
 * copied. Its triggers go with the old table, and those of others that name it stop the renaming: see
 * {@link withoutTriggers}.
 */
export function rebuildTable({
  table,
  columns,
  definition,
  indexes = '',
  values = {},
  autoincrement = false,
}: TableDefinition): string {
  const names = columns.join(', ')
  const copied = columns.map((column) => values[column] ?? column).join(', ')
  // The sequence of the old table may be ahead of its highest row. It has none where its key was not AUTOINCREMENT.
  const keepSequence = `
DELETE FROM sqlite_sequence WHERE name = '${table}_new' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}');
INSERT INTO sqlite_sequence (name, seq) SELECT '${table}_new', seq FROM sqlite_sequence WHERE name = '${table}';`
  return `
CREATE TABLE ${table}_new (${definition}) STRICT;
INSERT INTO ${table}_new (${names}) SELECT ${copied} FROM ${table} ORDER BY n;${autoincrement ? keepSequence : ''}
DROP TABLE ${table};
ALTER TABLE ${table}_new RENAME TO ${table};
${indexes}`
}

/** Drops all triggers, does the work, and creates again those that it did not replace. */
export function withoutTriggers(sqlite: Database, work: () => void): void {
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`)
  work()
  const replaced = new Set(sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
  for (const { name, sql } of triggers) if (!replaced.has(name)) sqlite.exec(sql)
}
