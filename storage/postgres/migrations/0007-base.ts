/**
 * The spaces of a database, with the tables that SQLite has in each file of schema 29. Older databases are not opened:
 * see `BASE_SCHEMA` in migrations.ts.
 *
 * A space is a number here. It is the first column of every table, key and reference, and row-level security admits the
 * rows of the space that the transaction has set. Numbers of rows are of their space.
 *
 * Foreign keys delete rows past row-level security, and with them runs every trigger that this fires. So functions of
 * triggers name the space in each of their conditions.
 */

import { DOCUMENT_TABLES } from './0007-document-tables.ts'
import { SPACE_TABLES } from './0007-space-tables.ts'
import { HASH, INTEGER, OPTIONAL, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING, type TableDefinition, TEXT } from './define-table.ts'

/** What this engine alone has: numbers, and the index of words. */
const OWN_TABLES: readonly TableDefinition[] = [
  // The last number that any row of a table had.
  { name: 'table_number', columns: { name: WORD, last: INTEGER }, key: ['name'] },
  // The stems of a block as they stand in it, with spaces around each.
  { name: 'indexed_block', columns: { block: INTEGER, document: INTEGER, words: WORD }, key: ['block'] },
  // Which blocks have a stem: of each 32 numbers of blocks a bit each.
  {
    name: 'posting',
    columns: { word: WORD, document: INTEGER, base: INTEGER, bits: 'integer NOT NULL' },
    key: ['word', 'document', 'base'],
  },
  // Bytes of files, or the object of the bucket that has them.
  {
    name: 'file_bytes',
    columns: { hash: HASH('hash'), bytes: 'bytea', object: TEXT },
    key: ['hash'],
    checks: ['(bytes IS NULL) <> (object IS NULL)'],
  },
  // Objects of the bucket that no file has: of uploads under way, of calls that failed, and of files that are gone.
  {
    name: 'unreferenced_object',
    columns: { object: WORD, delete_after: 'timestamptz NOT NULL' },
    key: ['object'],
    indexes: { unreferenced_object_due: 'delete_after)' },
  },
  // What the embedded issuer keeps.
  {
    name: 'issued',
    columns: {
      model: WORD,
      id: WORD,
      payload: WORD,
      grant_id: TEXT,
      uid: TEXT,
      expires_at: OPTIONAL,
      consumed_at: OPTIONAL,
      successor: TEXT,
      pending_from: TEXT,
    },
    key: ['model', 'id'],
    indexes: {
      issued_grant: 'grant_id) WHERE grant_id IS NOT NULL',
      issued_uid: 'uid) WHERE uid IS NOT NULL',
      issued_expiry: 'expires_at) WHERE expires_at IS NOT NULL',
      issued_pending: 'model, pending_from, expires_at) WHERE pending_from IS NOT NULL',
    },
  },
  { name: 'issuer_secret', columns: { name: WORD, value: WORD }, key: ['name'] },
  {
    name: 'counted',
    columns: { key: WORD, count: INTEGER, ends_at: INTEGER },
    key: ['key'],
    indexes: { counted_end: 'ends_at)' },
  },
  {
    name: 'known_address',
    columns: { account: WORD, address: WORD, seen_at: INTEGER },
    key: ['account', 'address'],
    indexes: { known_address_seen: 'seen_at)' },
  },
]

const shared = `
-- The spaces of the database. The row of a space is what its writes take turns by.
CREATE TABLE tenant (
  space bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name ${TEXT} NOT NULL UNIQUE CHECK (name <> ''),
  -- By which addresses name the space: see spaceKey. NULL until the space has its ID.
  key ${TEXT},
  -- Webhooks that are not paused: a server keeps the spaces open that have any.
  webhooks bigint NOT NULL DEFAULT 0,
  -- The number of the last transaction that changed anything, and what it was when the list of resources last changed.
  value bigint NOT NULL DEFAULT 0,
  listing bigint NOT NULL DEFAULT 0
);
CREATE VIEW change_counter AS
  SELECT 1 AS one, value, listing FROM tenant WHERE space = current_setting('${SPACE_SETTING}')::bigint;

-- How much of its rate limits each space, and each address of a client, has used. No content, so no policy.
CREATE TABLE space_usage (
  space bigint PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  requests_start bigint,
  requests bigint NOT NULL DEFAULT 0,
  blocks_start bigint,
  blocks bigint NOT NULL DEFAULT 0
);
-- When links were used last.
CREATE TABLE link_use (space bigint NOT NULL, link ${TEXT} NOT NULL, at bigint NOT NULL, PRIMARY KEY (space, link));
CREATE TABLE address_usage (address ${TEXT} PRIMARY KEY, start bigint NOT NULL, used bigint NOT NULL);
CREATE INDEX address_usage_start ON address_usage (start);

CREATE SEQUENCE change_number;
CREATE INDEX tenant_key ON tenant (key);
CREATE INDEX tenant_webhooks ON tenant (key) WHERE webhooks > 0;
`

const numberFunctions = `
CREATE FUNCTION next_number(of_table text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO table_number AS known (name, last) VALUES (of_table, 1)
  ON CONFLICT (space, name) DO UPDATE SET last = known.last + 1 RETURNING last
$$;

CREATE FUNCTION note_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO table_number AS known (space, name, last)
  SELECT space, TG_TABLE_NAME, max(n) FROM inserted GROUP BY space
  ON CONFLICT (space, name) DO UPDATE SET last = excluded.last WHERE known.last < excluded.last;
  RETURN NULL;
END $$;
`

export const sql = `${shared}
${defineTables(OWN_TABLES)}
${numberFunctions}
${defineTables([...DOCUMENT_TABLES, ...SPACE_TABLES])}`
