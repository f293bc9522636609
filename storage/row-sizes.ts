/**
 * How many bytes a row counts: its texts, and about what its other columns and its indexes take. Migrations are made
 * from these sizes, so that changing one needs a migration.
 */

export interface RowSize {
  row: number
  texts: readonly string[]
}

/** Tables of documents. History keeps the changes of all of them. */
export const DOCUMENT_SIZES = {
  block: { row: 100, texts: ['text', 'attributes'] },
  document: { row: 100, texts: [] },
  folder: { row: 60, texts: ['name'] },
  collection: { row: 30, texts: ['title_key', 'title_name'] },
  property: { row: 80, texts: ['key', 'name', 'config'] },
  option: { row: 40, texts: ['name'] },
  value: { row: 40, texts: ['text'] },
  view: { row: 60, texts: ['name', 'settings'] },
  comment: { row: 80, texts: ['author', 'content', 'words'] },
  reminder: { row: 100, texts: [] },
  element: { row: 50, texts: ['id', 'json'] },
  board_asset: { row: 50, texts: ['id', 'json'] },
  board_state: { row: 20, texts: ['json'] },
  block_file: { row: 30, texts: [] },
} as const satisfies Readonly<Record<string, RowSize>>

/** A record of what was imported from where. It counts for the space alone. */
export const IMPORTED_SIZE: RowSize = { row: 150, texts: ['path', 'anchor'] }
/** The text that a document was imported from. It counts for the space alone, too. */
export const SOURCE_TEXT_SIZE: RowSize = { row: 100, texts: ['path', 'title', 'files', 'text'] }
export const CHANGE_SIZE: RowSize = { row: 60, texts: ['before'] }
export const LOG_SIZE: RowSize = {
  row: 150,
  texts: ['author', 'client', 'endpoint', 'ids', 'undoes', 'origin', 'detail'],
}
export const RESPONSE_SIZE: RowSize = { row: 120, texts: ['key', 'call', 'answer'] }
export const PROPOSAL_SIZE: RowSize = {
  row: 200,
  texts: ['reach', 'steps', 'ids', 'documents', 'summary', 'diff', 'note', 'parts'],
}

/** The size of a row as SQL, for either engine. @param row  its alias with a point after it; empty for none */
export const sizeOf = ({ row: fixed, texts }: RowSize, row = ''): string =>
  [String(fixed), ...texts.map((text) => `coalesce(octet_length(${row}${text}), 0)`)].join(' + ')

/** The size of the files that a proposal would add, which are stored while it waits. */
export const proposedFiles = (row = ''): string => `CASE WHEN ${row}state = 'waiting' THEN ${row}bytes ELSE 0 END`

/** Equal bytes are stored once: the first file that has them counts. @param alias  of the table `file` */
export const isFirstFile = (alias: string, more = ''): string =>
  `NOT EXISTS (SELECT 1 FROM file AS known WHERE known.hash = ${alias}.hash AND known.n < ${alias}.n${more})`

/** The rows of `byte_count` that every space has: of the whole space, and of what no link wrote. */
export const WHOLE_SPACE = { n: 1, link: '*' } as const
export const NO_LINK = { n: 2, link: '' } as const
