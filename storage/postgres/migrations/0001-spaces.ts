/**
 * The spaces of a database, with the tables that SQLite has in each file of schema 23.
 *
 * A space is a number here. It is the first column of every table, key and reference, and row-level security admits the
 * rows of the space that the transaction has set. Numbers of rows are of their space.
 *
 * Foreign keys delete rows past row-level security, and with them runs every trigger that this fires. So functions of
 * triggers name the space in each of their conditions.
 */
import { HASH, INTEGER, OPTIONAL, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING, type TableDefinition, TEXT } from './define-table.ts'
import { DOCUMENT_TABLES } from './document-tables.ts'
import { historyTriggers } from './history-triggers.ts'
import { SPACE_TABLES } from './space-tables.ts'

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

/** Whose IDs are never given twice. */
const IDENTIFIED = ['block', 'folder', 'view', 'reminder', 'comment', 'file']

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

/** What is known of a space without entering it. */
const tenantTriggers = `
CREATE FUNCTION set_space_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tenant SET key = left(encode(sha256(convert_to('space ' || NEW.id, 'UTF8')), 'hex'), 10)
  WHERE space = NEW.space;
  RETURN NULL;
END $$;
CREATE TRIGGER space_keyed AFTER INSERT OR UPDATE OF id ON space FOR EACH ROW EXECUTE FUNCTION set_space_key();

CREATE FUNCTION count_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_space bigint := coalesce(NEW.space, OLD.space);
BEGIN
  UPDATE tenant SET webhooks = (SELECT count(*) FROM webhook WHERE space = of_space AND paused_at IS NULL)
  WHERE space = of_space;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_counted AFTER INSERT OR DELETE OR UPDATE OF paused_at ON webhook FOR EACH ROW
  EXECUTE FUNCTION count_webhooks();
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

const triggers = `
CREATE FUNCTION retire_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retired_id (space, id) SELECT space, id FROM gone ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
${IDENTIFIED.map(
  (name) => `CREATE TRIGGER ${name}_id_retired AFTER DELETE ON ${name} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION retire_ids();`,
).join('\n')}

CREATE FUNCTION count_documents(of_space bigint, of_location text, of_folder bigint, change bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO location_count AS known (space, location, documents) VALUES (of_space, of_location, change)
  ON CONFLICT (space, location) DO UPDATE SET documents = known.documents + excluded.documents;
  UPDATE folder SET document_count = document_count + change WHERE space = of_space AND n = of_folder;
$$;
CREATE FUNCTION count_added_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(space, location, folder, count(*)) FROM added GROUP BY space, location, folder;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(space, location, folder, -count(*)) FROM gone GROUP BY space, location, folder;
  RETURN NULL;
END $$;
CREATE FUNCTION count_moved_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_documents(OLD.space, OLD.location, OLD.folder, -1), count_documents(NEW.space, NEW.location, NEW.folder, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER document_added AFTER INSERT ON document REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_documents();
CREATE TRIGGER document_removed AFTER DELETE ON document REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_documents();
CREATE TRIGGER document_moved AFTER UPDATE OF location, folder ON document FOR EACH ROW
  WHEN (OLD.location IS DISTINCT FROM NEW.location OR OLD.folder IS DISTINCT FROM NEW.folder)
  EXECUTE FUNCTION count_moved_document();
`

/** Counts how often a link came to reach other documents, or another kind of them. */
const reachTriggers = `
CREATE FUNCTION count_reach_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE link SET reach_changes = reach_changes + moved.count
  FROM (SELECT space, link, count(*) AS count FROM moved GROUP BY space, link) AS moved
  WHERE link.space = moved.space AND link.n = moved.link;
  RETURN NULL;
END $$;
CREATE TRIGGER link_document_exposed AFTER INSERT ON link_document REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION count_reach_changes();
CREATE TRIGGER link_document_unexposed AFTER DELETE ON link_document REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION count_reach_changes();
CREATE FUNCTION count_kind_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reach_changes = NEW.reach_changes + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER link_kind_changed BEFORE UPDATE OF kind ON link FOR EACH ROW
  WHEN (OLD.kind IS DISTINCT FROM NEW.kind) EXECUTE FUNCTION count_kind_change();
`

export const sql = `${shared}
${defineTables(OWN_TABLES)}
${numberFunctions}
${defineTables([...DOCUMENT_TABLES, ...SPACE_TABLES])}
${triggers}
${tenantTriggers}
${reachTriggers}
${historyTriggers}`
