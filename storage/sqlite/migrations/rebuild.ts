/** Tables that are made anew, for what ALTER TABLE cannot do: another CHECK, another type of a column, another key. */

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
 * keys must be off and there must be no triggers, as in migrations, and the migration must say `rebuilds`. Generated
 * columns are not copied.
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
