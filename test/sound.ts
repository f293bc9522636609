import type { Transaction } from '../storage/transaction.ts'
import { brokenReferences, firstValue } from './sqlite.ts'

/** What must hold of the rows of every space, whatever was called in whatever order: how many break each law. */
const LAWS: readonly (readonly [law: string, broken: string])[] = [
  [
    'a block stands in the document of its parent',
    'SELECT count(*) FROM block AS child JOIN block AS parent ON parent.n = child.parent WHERE child.document <> parent.document',
  ],
  [
    'a root is a page with a row as document',
    "SELECT count(*) FROM block LEFT JOIN document USING (n) WHERE (block.parent IS NULL) <> (document.n IS NOT NULL) OR (block.parent IS NULL AND block.type <> 'page')",
  ],
  [
    'every block is reached from the root of its document',
    'WITH RECURSIVE tree (n) AS (SELECT n FROM block WHERE parent IS NULL UNION ALL SELECT block.n FROM tree JOIN block ON block.parent = tree.n) SELECT (SELECT count(*) FROM block) - (SELECT count(*) FROM tree)',
  ],
  [
    'siblings have places of their own',
    'SELECT count(*) FROM (SELECT 1 FROM block WHERE parent IS NOT NULL GROUP BY parent, position HAVING count(*) > 1) AS twice',
  ],
  [
    'only what can hold blocks does',
    "SELECT count(*) FROM block WHERE n IN (SELECT parent FROM block) AND type NOT IN ('page', 'collection', 'collectionItem')",
  ],
  [
    'inbox and logbook hold tasks alone',
    "SELECT count(*) FROM block JOIN document ON document.n = block.parent WHERE location IN ('inbox', 'logbook') AND coalesce(list_style, '') <> 'task'",
  ],
  [
    'documents are counted where they are',
    `SELECT (SELECT count(*) FROM location_count
       WHERE documents <> (SELECT count(*) FROM document WHERE document.location = location_count.location))
     + (SELECT count(*) FROM folder
       WHERE document_count <> (SELECT count(*) FROM document WHERE document.folder = folder.n))`,
  ],
]

/** The same for a file of SQLite, which can be left with rows that it would not take. */
export const FILE_LAWS = [
  ...LAWS,
  ['no row refers to one that is not there', 'SELECT count(*) FROM pragma_foreign_key_check'],
] as const

/** The laws that rows of the space break. */
export async function brokenLaws(tx: Transaction): Promise<string[]> {
  const broken = (await brokenReferences(tx)) === 0 ? [] : ['no row refers to one that is not there']
  for (const [law, count] of LAWS) if ((await firstValue(tx, count)) !== 0) broken.push(law)
  return broken
}
