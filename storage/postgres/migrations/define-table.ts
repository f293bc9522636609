/** How tables of spaces are defined: every row belongs to a space, and so does every key and every reference. */

/** The setting that says which space a transaction is of. Without it, each statement on these tables is an error. */
export const SPACE_SETTING = 'scriptorium.space'
const CURRENT_SPACE = `current_setting('${SPACE_SETTING}')::bigint`

/** Texts are compared by their bytes, as SQLite compares them. */
export const TEXT = 'text COLLATE "C"'

/** A column that refers to rows of another table by its key. */
export interface Reference {
  column: string
  table: string
  /** The key of the other table. Default: `n`. */
  key?: string
  /** What becomes of the row when the other is deleted. It cannot be deleted by default. */
  onDelete?: 'CASCADE' | 'SET NULL'
}

export interface TableDefinition {
  name: string
  /** Columns as SQL, by name, without the space. */
  columns: Readonly<Record<string, string>>
  key: readonly string[]
  unique?: readonly (readonly string[])[]
  references?: readonly Reference[]
  checks?: readonly string[]
  /** By name, what follows `(space, `: columns, a parenthesis, and a condition if any. */
  indexes?: Readonly<Record<string, string>>
  /** By name, the same for unique indexes. */
  uniqueIndexes?: Readonly<Record<string, string>>
  /** True if rows get the next number of their table where they are inserted without `n`. */
  isNumbered?: boolean
}

/** The statements that make tables, with their indexes and the policy that keeps spaces apart. */
export const defineTables = (tables: readonly TableDefinition[]): string =>
  // References after all tables, since tables refer to one another; policies after them, since adding a reference reads.
  [createTable, createIndexes, addKey, addReferences, separateSpaces]
    .flatMap((define) => tables.flatMap(define))
    .join('\n')

const inSpace = (columns: readonly string[]): string => `(${['space', ...columns].join(', ')})`

function createTable({ name, columns, unique = [], checks = [], isNumbered = false }: TableDefinition): string[] {
  const lines = [
    `space bigint NOT NULL DEFAULT ${CURRENT_SPACE}`,
    ...Object.entries(columns).map(([column, type]) =>
      isNumbered && column === 'n' ? `n ${type} DEFAULT next_number('${name}')` : `${column} ${type}`,
    ),
    ...unique.map((names) => `UNIQUE ${inSpace(names)}`),
    ...checks.map((check) => `CHECK (${check})`),
  ]
  const table = `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n);`
  // Its last number counts on after rows that came with numbers.
  const numbered = `CREATE TRIGGER ${name}_numbered AFTER INSERT ON ${name} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION note_numbers();`
  return [table, withoutStatistics(name), ...(isNumbered ? [numbered] : [])]
}

/**
 * The planner takes a space to hold a two-hundredth of a table, whichever it is. By statistics, a space that is newer than
 * these would seem to be empty, so that all its rows were compared with each other; and plans would tell of other spaces.
 */
const withoutStatistics = (name: string): string => `ALTER TABLE ${name} ALTER COLUMN space SET STATISTICS 0;`

function createIndexes({ name, indexes = {}, uniqueIndexes = {} }: TableDefinition): string[] {
  const create =
    (kind: string) =>
    ([index, on]: [string, string]) =>
      `CREATE ${kind} ${index} ON ${name} (space, ${on};`
  return [...Object.entries(indexes).map(create('INDEX')), ...Object.entries(uniqueIndexes).map(create('UNIQUE INDEX'))]
}

/**
 * After all other indexes: while a table is all but empty, each of them seems to cost the same, and the newest is used.
 * References are checked by keys, in plans that a connection makes once and keeps while the table grows.
 */
const addKey = ({ name, key }: TableDefinition): string[] => [`ALTER TABLE ${name} ADD PRIMARY KEY ${inSpace(key)};`]

/** The policy holds for the owner of the table as well. */
const separateSpaces = ({ name }: TableDefinition): string[] => [
  `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;`,
  `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;`,
  `CREATE POLICY of_space ON ${name} USING (space = ${CURRENT_SPACE});`,
]

/** Deferrable, since undo writes rows before those that they refer to. */
const addReferences = ({ name, references = [] }: TableDefinition): string[] =>
  references.map(({ column, table, key = 'n', onDelete }) => {
    const columns = onDelete === 'SET NULL' ? ` (${column})` : ''
    const deletion = onDelete === undefined ? '' : ` ON DELETE ${onDelete}${columns}`
    return `ALTER TABLE ${name} ADD FOREIGN KEY (space, ${column}) REFERENCES ${table} (space, ${key})${deletion} DEFERRABLE;`
  })
