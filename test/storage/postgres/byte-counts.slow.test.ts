/** Spaces of a database from before bytes were counted. */
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { WRONG_BYTE_COUNTS } from '../../../storage/byte-counts.ts'
import { MIGRATIONS } from '../../../storage/postgres/migrations.ts'

const BEFORE = 2
const NUMBERED = 'block, folder, property, option, view, comment, reminder, element, board_asset'
const HASH = 'a'.repeat(64)

/** A space with a document of one block, whose text is as long as its number says, a file, and one logged call. */
const fill = (space: number) => `
  INSERT INTO tenant (name) VALUES ('space ${space}');
  SELECT set_config('scriptorium.space', '${space}', false);
  INSERT INTO call_start (one, call, ${NUMBERED}) VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  INSERT INTO block (id, document, parent, position, type, text, indentation, created_at, created_by) VALUES
    (10000000000${space}, 1, NULL, 0, 'page', '', 0, 1, 'x'),
    (10000000001${space}, 1, 1, 0, 'text', repeat('ü', ${space * 500}), 0, 1, 'x');
  INSERT INTO document (n, location, created_at, modified_at, revision) VALUES (1, 'unsorted', 1, 1, 1);
  INSERT INTO file (id, hash, size, mime_type, name, created_at) VALUES
    (10000000002${space}, '${HASH}', 70, 'text/plain', 'a', 1), (10000000003${space}, '${HASH}', 70, 'text/plain', 'b', 1);
  INSERT INTO write_log (n, at, author, endpoint, ids, id, has_changes) VALUES (1, 1, 'author', 'tool', '[]', 1, 1);`

test('what they have is counted, for each space alone and for no link', { timeout: 120_000 }, async () => {
  const postgres = await PGlite.create()
  onTestFinished(() => postgres.close())
  // Row-level security does not hold for a superuser.
  await postgres.exec('CREATE ROLE owner; GRANT ALL ON SCHEMA public TO owner; SET ROLE owner')
  for (const sql of MIGRATIONS.slice(0, BEFORE)) await postgres.exec(sql)
  for (const space of [1, 2]) await postgres.exec(fill(space))
  for (const sql of MIGRATIONS.slice(BEFORE)) await postgres.exec(sql)
  for (const space of [1, 2]) {
    await postgres.exec(`SELECT set_config('scriptorium.space', '${space}', false)`)
    const { rows } = await postgres.query(
      `SELECT link, documents, files FROM byte_count WHERE space = ${space} ORDER BY n`,
    )
    const counts = { documents: 300 + space * 1000, files: 70 }
    expect(rows).toEqual([
      { link: '*', ...counts },
      { link: '', ...counts },
    ])
    expect((await postgres.query(WRONG_BYTE_COUNTS)).rows).toEqual([])
  }
})
