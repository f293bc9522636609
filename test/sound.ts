import { WRONG_BYTE_COUNTS } from '../storage/byte-counts.ts'
import type { Transaction } from '../storage/transaction.ts'
import { brokenReferences, firstValue } from './sqlite.ts'

/** Invariants of the rows of every space, after any calls in any order: how many rows violate each. */
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
    'new addresses are made with one key',
    'SELECT (SELECT count(*) FROM space) - (SELECT count(*) FROM address_key WHERE is_current = 1)',
  ],
  [
    'documents are counted where they are',
    `SELECT (SELECT count(*) FROM location_count
       WHERE documents <> (SELECT count(*) FROM document WHERE document.location = location_count.location))
     + (SELECT count(*) FROM folder
       WHERE document_count <> (SELECT count(*) FROM document WHERE document.folder = folder.n))`,
  ],
  [
    'every participant and every link of a program is a member',
    `SELECT (SELECT count(*) FROM participant WHERE n NOT IN (SELECT participant FROM member WHERE participant IS NOT NULL))
      + (SELECT count(*) FROM link WHERE coalesce(consent, '') NOT LIKE 'page %'
         AND n NOT IN (SELECT link FROM group_link) AND n NOT IN (SELECT link FROM member WHERE link IS NOT NULL))`,
  ],
  [
    'a link by a group is that of a person in it, and reaches what the link of the group does',
    `SELECT count(*) FROM group_link
       JOIN link ON link.n = group_link.link AND link.revoked_at IS NULL
       JOIN link AS given ON given.n = group_link.given_with
       JOIN member AS person ON person.participant = link.participant
       JOIN participant ON participant.n = link.participant
       JOIN member AS team ON team.n = group_link.member_group
     WHERE given.revoked_at IS NOT NULL OR participant.removed_at IS NOT NULL OR team.removed_at IS NOT NULL
       OR link.name <> participant.name OR link.kind <> given.kind OR link.access <> given.access
       OR NOT EXISTS (SELECT 1 FROM group_member WHERE member_group = team.n AND member = person.n)
       OR EXISTS (SELECT document FROM link_document WHERE link_document.link = link.n
                  EXCEPT SELECT document FROM link_document WHERE link_document.link = given.n)
       OR EXISTS (SELECT document FROM link_document WHERE link_document.link = given.n
                  EXCEPT SELECT document FROM link_document WHERE link_document.link = link.n)`,
  ],
  ['stored bytes are counted', `SELECT count(*) FROM (${WRONG_BYTE_COUNTS}) AS wrong`],
]

/** The same for a SQLite file, which may contain rows that it would not accept. */
export const FILE_LAWS = [
  ...LAWS,
  ['no row refers to one that is not there', 'SELECT count(*) FROM pragma_foreign_key_check'],
] as const

/** The invariants that rows of the space violate. */
export async function brokenLaws(tx: Transaction): Promise<string[]> {
  const broken = (await brokenReferences(tx)) === 0 ? [] : ['no row refers to one that is not there']
  for (const [law, count] of LAWS) if ((await firstValue(tx, count)) !== 0) broken.push(law)
  return broken
}
